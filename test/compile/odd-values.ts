/** A project whose configuration has every field, and a set of unexpected values. */
import fc from '../support/property.ts';

export type Steps = readonly (string | number)[];

export const full = {
  id: 'shop',
  syntax: '1.5.0',
  description: 'A shop',
  extends: './base.yaml',
  inherit: './.instr/base',
  input: { entry: '.instr/project.prs', include: ['.instr/more/*.prs'], exclude: ['**/drafts/**'] },
  registry: {
    path: './registry',
    url: 'https://registry.example.com',
    git: {
      url: 'https://git.example.com/a.git',
      fallbackUrl: 'git@git.example.com:a.git',
      ref: 'main',
      path: 'registry',
      signers: ['a@example.com ssh-ed25519 AAAA'],
      auth: { type: 'token', token: 'abc', tokenEnvVar: 'TOKEN', sshKeyPath: '~/.ssh/key' },
    },
    cache: { enabled: true, ttl: 10 },
    auth: { type: 'bearer', token: 'abc', tokenEnvVar: 'TOKEN' },
  },
  registries: {
    '@a': 'https://git.example.com/b.git',
    '@b': { url: 'https://git.example.com/c.git', fallbackUrl: 'git@git.example.com:c.git', root: 'r', signers: ['a@example.com ssh-ed25519 AAAA'] },
  },
  watch: { include: ['**/*.prs'], exclude: ['x/**'], debounce: 5, clearScreen: false },
  output: { baseDir: 'out', header: 'Generated.', heading: 'The Lamp Shop', layout: 'each', sectionOrder: ['restrictions', 'standards'], git: 'ignored', overwrite: true },
  builds: { one: { entry: '.instr/project.prs', output: 'one', targets: ['alpha'] } },
  skillTargets: { './skill': 'sub' },
  customConventions: {
    mine: {
      name: 'mine',
      description: 'Ours',
      section: { start: '{{repeat "#" level}} {{name}}', end: '', nameTransform: 'none', indent: ' ' },
      subsection: { start: '<{{name}}>', end: '</{{name}}>', nameTransform: 'camelCase', indent: '' },
      listStyle: 'dash',
      codeBlockDelimiter: '~~~',
      rootWrapper: { start: '<all>', end: '</all>' },
    },
  },
  formatting: {
    formatter: { proseWrap: 'always', tabWidth: 2, printWidth: 80 },
    proseWrap: 'never',
    tabWidth: 2,
    printWidth: 40,
  },
  universalDir: '.agents',
  includeInstrSkill: false,
  validation: { requiredGuards: ['g'], rules: { 'empty-block': 'warning' }, guardRequiresDepth: 2 },
  packages: ['packages/*'],
  policies: [
    { kind: 'layer-boundary', name: 'p1', severity: 'warning', description: 'd', layers: ['@core'], maxDistance: 1 },
    {
      kind: 'property-protection',
      name: 'p2',
      severity: 'warning',
      properties: ['content'],
      targetPattern: 'skills.*',
      append: 'deny',
    },
    {
      kind: 'registry-allowlist',
      name: 'p3',
      severity: 'error',
      allowed: ['@a'],
      waivers: [{ project: 'p', files: ['**'], owner: 'o', reason: 'r', until: '2999-01-01' }],
    },
    { kind: 'required-source', name: 'p4', severity: 'error', source: '@a/base', version: '^1.0.0' },
    { kind: 'executable-sources', name: 'p5', severity: 'error', allowed: ['@a'] },
  ],
  targets: [
    {
      alpha: {
        enabled: true,
        output: 'docs/A.md',
        convention: 'mine',
        version: 'full',
        guardsAsSkills: true,
        guardsSkillsListing: true,
        skillBaseDir: 'tools/skills',
        includeSkills: ['review'],
        rulesMode: 'split',
        agentFormat: 'json',
        skillPath: 'both',
        disabledServers: ['s'],
        maxThreads: 2,
        maxDepth: 2,
        agentsFile: 'AGENTS.md',
        agentsFrontmatter: 'experimental',
        autoMode: 'plan',
        marketplace: 'tools',
      },
    },
    'beta',
  ],
};

/** A tool with an option of each name, and a tool without options. */
const spec = (id: string, more = '') => `id: ${id}
title: ${id}
homepage: https://example.com
evidence: [{ url: https://example.com, checked: 2026-01-01 }]
versions: { full: Everything. }
defaultVersion: full
files:
  instructions: { kind: document, of: instructions, path: ${id.toUpperCase()}.md }
  skills: { kind: items, of: skills, dir: .${id}/skills, path: "{name}/SKILL.md", frontmatter: agent-skills, extra: pass }
${more}`;

const switches = ['rulesMode', 'skillPath', 'agentsFile', 'agentsFrontmatter', 'autoMode', 'marketplace'];
const lists = ['disabledServers'];
const numbers = ['maxThreads', 'maxDepth'];
const options = `  settings:
    kind: settings
    path: .alpha/settings.json
    format: json
    entry: { ${[...switches, ...numbers, ...lists].map(name => `${name}: { option: ${name} }`).join(', ')} }
options:
${switches.map(name => `  ${name}: { type: string, help: A switch. }\n`).join('')}${numbers.map(name => `  ${name}: { type: integer, minimum: 1, help: A number. }\n`).join('')}${lists.map(name => `  ${name}: { type: list, help: Names. }\n`).join('')}`;

const meta = '@meta { id: "shop" syntax: "1.5.0" }\n';

export const files: Readonly<Record<string, string>> = {
  'base.yaml': 'id: base\nsyntax: "1.5.0"\ntargets: [beta]\n',
  '.instr/targets/alpha.yaml': spec('alpha', options),
  '.instr/targets/beta.yaml': spec('beta'),
  '.instr/project.prs': `${meta}@identity { "You work on a shop." }
@context { stack: { a: "b" } "text" }
@standards { code: ["a", "b"] more: { x: ["y"] } }
@skills { review: { description: "Reviews" content: "Read." } }
@guards { g: { applyTo: ["**/*.ts"] description: "d" content: "c" } }
@use ./skill
`,
  '.instr/base.prs': `${meta}@identity { "Base." }\n`,
  '.instr/more/a.prs': `${meta}@knowledge { "More." }\n`,
  '.instr/skill/SKILL.md': '---\nname: skill\ndescription: A skill\n---\nText\n',
};

/** Yields every path of a value, including the root. */
export function* stepsTo(value: unknown, steps: Steps = []): Generator<Steps> {
  yield steps;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* stepsTo(inner, [...steps, Array.isArray(value) ? Number(key) : key]);
}

/** Returns a copy with another value at one path. */
export function putAt(value: unknown, steps: Steps, other: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[step] = putAt(copy[step], rest, other);
  return copy;
}

/**
 * Returns the JSON text of a value with one more key at a path. Text, because a key such as `__proto__` cannot be set on an
 * object.
 */
export function withKey(value: unknown, steps: Steps, key: string, other: unknown): string {
  const at = steps.reduce((inner: unknown, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);
  const more = typeof at === 'object' && at !== null && !Array.isArray(at) ? { ...at, MORE: other } : { MORE: other };
  return JSON.stringify(putAt(value, steps, more)).replace('"MORE"', JSON.stringify(key));
}

export const strangeKey = fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '');

const strangeText = fc.constantFrom(
  '', ' ', '.', './', '/', '..', '../x', '\0', '{{', '{{nme}}', '{{#if}}', '}}', '**', '!', '[', '(', '{a,b}', '@', '@a',
  '@(a|b)', 'a/'.repeat(3000), 'x'.repeat(70_000), '\ud800', '日本語', 'a\nb', '*a'.repeat(400), 'con', 'a:b',
);

export const strange: fc.Arbitrary<unknown> = fc.oneof(
  strangeText,
  strangeKey,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, 1e300),
  fc.array(fc.oneof(strangeText, strangeKey, fc.constantFrom(null, 1, [], {})), { maxLength: 2 }),
  fc.dictionary(fc.oneof(strangeKey, fc.constantFrom('a', 'severity')), fc.constantFrom(null, 'x', 1, {}, ['a'], { b: {} }), {
    maxKeys: 2,
  }),
);
