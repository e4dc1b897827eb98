/** Inputs of the benchmark, generated so that they are the same on every machine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../files.ts';
import { root } from '../generate.ts';

export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Ids of all targets that have a spec. */
export const allTargets = namesIn(join(root, 'targets'), '.yaml');

const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const sentence = 'Prefer the plain way over the clever one, and say why when you cannot. ';
const text = (length: number) => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);

const meta = '@meta { id: "bench" syntax: "1.5.0" }\n';

export const config = (targets: readonly string[]): string =>
  `id: bench\nsyntax: "1.5.0"\ntargets: [${targets.join(', ')}]\n`;

/** A new project: an identity and three rules. */
export const tiny = (targets: readonly string[]): Files => ({
  'instr.yaml': config(targets),
  '.instr/project.prs': `${meta}@identity { """\nYou maintain a web shop.\n""" }\n@standards { code: ["One", "Two", "Three"] }\n`,
});

/** Persona, 4×6 standards, 20 globbed rules, 10 skills, 5 commands, 3 agents, 2 MCP servers. */
export const sample = (targets: readonly string[]): Files => ({
  'instr.yaml': config(targets),
  '.instr/project.prs': `${meta}@identity { """
You maintain a web shop with a long history.
${text(400)}
""" }
@standards {
${range(4, topic => `  topic-${topic}: [${range(6, rule => `"Rule ${rule} of topic ${topic}: ${text(80)}"`).join(', ')}]`).join('\n')}
}
@guards {
${range(20, guard => `  guard-${guard}: { applyTo: ["src/area${guard}/**/*.ts"] description: "Area ${guard}" content: """\n${text(300)}\n""" }`).join('\n')}
}
@skills {
${range(10, skill => `  skill-${skill}: { description: "Does task ${skill}" content: """\n${text(600)}\n""" }`).join('\n')}
}
@shortcuts {
${range(5, command => `  "/command-${command}": "Do step ${command}. ${text(60)}"`).join('\n')}
}
@agents {
${range(3, agent => `  agent-${agent}: { description: "Knows part ${agent}" tools: ["Read", "Grep"] content: """\n${text(400)}\n""" }`).join('\n')}
}
@mcpServers {
  files: { command: "npx" args: ["-y", "files-server"] }
  search: { type: http url: "https://search.example.com/mcp" }
}
`,
});

export const manySkills = (count: number, targets: readonly string[]): Files => ({
  'instr.yaml': config(targets),
  '.instr/project.prs': meta,
  ...Object.fromEntries(
    range(count, skill => [
      `.instr/skills/skill-${skill}/SKILL.md`,
      `---\nname: skill-${skill}\ndescription: Does task ${skill}.\n---\n\n${text(2000)}\n`,
    ]),
  ),
});

export const muchKnowledge = (targets: readonly string[]): Files => ({
  'instr.yaml': config(targets),
  '.instr/project.prs': `${meta}@knowledge { """\n${range(2000, line => `${line} ${text(1000)}`).join('\n')}\n""" }\n`,
});

export const layers = (count: number, targets: readonly string[]): Files => ({
  'instr.yaml': config(targets),
  '.instr/project.prs': `${meta}@inherit ./layer0\n`,
  ...Object.fromEntries(
    range(count, layer => [
      `.instr/layer${layer}.prs`,
      `${meta}${layer + 1 < count ? `@inherit ./layer${layer + 1}\n` : ''}@standards { code: ["Rule of layer ${layer}"] }\n@extend standards.code { - "More of layer ${layer}" }\n`,
    ]),
  ),
});

export const manyUses = (count: number, targets: readonly string[]): Files => ({
  'instr.yaml': config(targets),
  '.instr/project.prs': meta + range(count, use => `@use ./parts/part${use}\n`).join(''),
  ...Object.fromEntries(
    range(count, use => [
      `.instr/parts/part${use}.prs`,
      `${meta}@standards { part-${use}: ["Rule of part ${use}"] }\n`,
    ]),
  ),
});
