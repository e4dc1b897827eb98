import { once } from 'node:events';
import { join } from 'node:path';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type infer as Infer, strictObject, string } from 'zod';
import { ruleExists, ruleNameWrong, ruleTextWrong } from '../generated/diagnostics.ts';
import { HostError } from '../host/host.ts';
import { withFiles } from '../host/overlay.ts';
import { compileProject } from '../project/compile.ts';
import { hostFinding, projectRoot } from '../project/open/root.ts';
import type { CompileContext } from '../project/session/world.ts';
import { validateProject } from '../project/validate.ts';
import { writeSources } from '../project/write/write-sources.ts';
import { hasLoneSurrogate } from '../text/bytes.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { renderText } from '../text/diagnostics/render-text.ts';
import { findFrontMatter } from '../text/front-matter.ts';
import { rulesPath } from '../text/places.ts';
import { isDeviceName } from '../text/portable-path.ts';
import { splitList } from '../text/split-list.ts';
import { version } from './command-line.ts';
import { default as ExplainCommand } from './commands/explain.ts';
import { plural } from './report/table.ts';

/**
 * Serves assistants over the Model Context Protocol on standard input and output, until the client closes the
 * input.
 */
export async function serveTools(context: CompileContext): Promise<number> {
  // Calls are serialized, so that a call that writes does not overlap one that reads.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };
  const closed = once(process.stdin, 'close');
  serveStdio(() => {
    const server = new McpServer(
      { name: 'instr', version },
      {
        instructions:
          'The instructions of this project are compiled from sources: `instr.yaml` and the files in `.instr/`. Change the sources, never the generated files. `add_rule` adds a rule. Other things are files that you write: a skill `.instr/skills/<name>/SKILL.md`, MCP servers `.instr/mcp.json`, a hook the block `@hooks` of a .prs source. Call `explain` with a block (`@hooks`) for its form before you write it, and `validate` afterwards; then run `prs compile`.',
      },
    );
    addTools(server, context, inTurn);
    return server;
  });
  await closed;
  await last;
  return 0;
}

/** A rule that an assistant proposes. */
const rule = strictObject({
  name: string().describe('Name of the rule: small letters, digits and hyphens.'),
  text: string().describe('Text of the rule, as Markdown without front matter.'),
  applyTo: string()
    .optional()
    .describe('Globs of the files it applies to, separated by commas. Absent: all.'),
  description: string().optional().describe('One line on what it is about.'),
  targets: string().optional().describe('Tools it is for, separated by commas. Absent: all.'),
});

type RuleDraft = Infer<typeof rule>;

/** Adds the tools of this project to a server; `inTurn` serializes their calls. */
function addTools(
  server: McpServer,
  context: CompileContext,
  inTurn: <T>(run: () => Promise<T>) => Promise<T>,
): void {
  const readOnly = { readOnlyHint: true, destructiveHint: false };
  const call = (run: (context: CompileContext) => Promise<string | undefined>) =>
    inTurn(() => resultOf(context, run));
  server.registerTool(
    'validate',
    {
      description:
        'Check the sources and the configuration of the instructions of this project. Writes nothing.',
      inputSchema: strictObject({}),
      annotations: readOnly,
    },
    () => call(runValidate),
  );
  server.registerTool(
    'explain',
    {
      description:
        'Explain a finding (PRS1001), a block (@guards), a value (standards.code[0]) or where a line of a generated file comes from (AGENTS.md:12).',
      inputSchema: strictObject({ subject: string().describe('What is to be explained.') }),
      annotations: readOnly,
    },
    ({ subject }) => call(quiet => runExplain(subject, quiet)),
  );
  server.registerTool(
    'where',
    {
      description: 'Show the files of the tools that would hold a new rule. Writes nothing.',
      inputSchema: rule,
      annotations: readOnly,
    },
    input => call(quiet => filesOfRule(input, quiet)),
  );
  server.registerTool(
    'add_rule',
    {
      description:
        'Add a rule to the sources. A compile in memory tests it first. `prs compile` brings it to the tools; `prs undo` takes it back.',
      inputSchema: rule,
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    input => call(quiet => addRule(input, quiet)),
  );
}

/** Runs a tool; its findings precede its text. No text, or an error among the findings, is a failure. */
async function resultOf(
  context: CompileContext,
  run: (context: CompileContext) => Promise<string | undefined>,
): Promise<CallToolResult> {
  const found: Diagnostic[] = [];
  const report = (one: Diagnostic) => void (one.severity !== 'info' && found.push(one));
  let text: string | undefined;
  try {
    text = await run({ ...context, report });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;

    found.push(hostFinding(error, context.cwd));
  }

  const isError = text === undefined || found.some(({ severity }) => severity === 'error');
  const parts = [found.length > 0 ? renderText(found) : '', text ?? ''];
  return { content: [{ type: 'text', text: parts.filter(Boolean).join('\n') }], isError };
}

async function runValidate(context: CompileContext): Promise<string | undefined> {
  const validated = await validateProject({ files: [] }, context);
  return typeof validated === 'string' ? undefined : `${plural(validated.checked, 'file')} checked.`;
}

/** Returns the output of `prs explain`. */
async function runExplain(subject: string, context: CompileContext): Promise<string | undefined> {
  const command = Object.assign(new ExplainCommand(), { subject, field: undefined, rules: false });
  const outcome = await command.run(context);
  return typeof outcome === 'object' ? outcome.text?.(100) : undefined;
}

/** Returns the files that would contain a rule, without writing; `undefined` after reporting errors. */
async function filesOfRule(rule: RuleDraft, context: CompileContext): Promise<string | undefined> {
  return (await tryRule(rule, context))?.places;
}

/** Adds a rule that compiles; an existing rule is not replaced. */
async function addRule(rule: RuleDraft, context: CompileContext): Promise<string | undefined> {
  const tried = await tryRule(rule, context);
  if (!tried) return undefined;
  const { root, path, text, places } = tried;

  if (!(await writeSources(root, [{ path, text, isNew: true }], context))) return undefined;
  return `Wrote ${path}. Run \`prs compile\` to bring it to the tools; \`prs undo\` takes it back.\n${places}`;
}

interface TriedRule {
  readonly root: string;
  readonly path: string;
  readonly text: string;
  readonly places: string;
}

/** Compiles the project with the rule in memory. */
async function tryRule(rule: RuleDraft, context: CompileContext): Promise<TriedRule | undefined> {
  const { root, config } = projectRoot(context);
  const path = `${rulesPath}/${rule.name}.md`;

  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(rule.name) || isDeviceName(rule.name)) {
    context.report(ruleNameWrong({ name: rule.name.slice(0, 100) }));
    return undefined;
  }
  const problem = textProblem(rule);
  if (problem) {
    context.report(ruleTextWrong({ problem }));
    return undefined;
  }
  if (config !== undefined && context.disk.lstat(join(root, path))) {
    context.report(ruleExists({ path }, { file: path }));
    return undefined;
  }
  const text = ruleText(rule);
  const files = config === undefined ? [] : [[path, { content: text }] as const];
  const disk = withFiles(context.disk, root, files);
  let failed = false;
  const report: CompileContext['report'] = found => {
    failed ||= found.severity === 'error';
    context.report(found);
  };
  const compiled = await compileProject(
    { mode: 'plan', force: true, trial: true },
    { ...context, disk, report },
  );
  if (typeof compiled === 'string' || failed) return undefined;
  const item = `guards.${rule.name}`;
  const lines = compiled.placed.flatMap(place =>
    place.item === item || place.parts?.includes(item)
      ? [`- ${place.target}: ${place.path}${place.always ? ' (always loaded)' : ''}`]
      : [],
  );
  const places =
    lines.length > 0 ? `Files that hold it:\n${lines.join('\n')}\n` : 'No enabled tool receives it.\n';
  return { root, path, text, places };
}

const maxLength = 64 * 1024;

/** Why the text of a rule is refused, as the end of the sentence "the rule …". */
function textProblem(rule: RuleDraft): string | undefined {
  const { text, applyTo = '', description = '', targets = '' } = rule;
  const { length } = text + applyTo + description + targets;
  if (length > maxLength) return `has ${length} characters, more than ${maxLength}`;
  if (findFrontMatter(text.trimStart())) return 'has front matter in its text';
  if (hasLoneSurrogate(text + applyTo + description + targets)) return 'has half of a character in it';
  return text.includes('\0') ? 'has a NUL character in it' : undefined;
}

/** JSON strings are valid YAML. */
function ruleText({ description, applyTo, targets, text }: RuleDraft): string {
  const list = (names: string) =>
    `[${splitList(names)
      .map(name => JSON.stringify(name))
      .join(', ')}]`;
  const head = [
    ...(description ? [`description: ${JSON.stringify(description)}`] : []),
    ...(applyTo ? [`applyTo: ${list(applyTo)}`] : []),
    ...(targets ? [`targets: ${list(targets)}`] : []),
  ];
  const front = head.length > 0 ? `---\n${head.join('\n')}\n---\n\n` : '';
  return `${front}${text.trim()}\n`;
}
