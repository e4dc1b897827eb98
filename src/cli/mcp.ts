import { once } from 'node:events';
import { join } from 'node:path';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type infer as Infer, strictObject, string, type ZodObject } from 'zod';
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
import { watchErrors } from '../text/diagnostics/report.ts';
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
  const addTool = <Schema extends ZodObject>(
    name: string,
    description: string,
    inputSchema: Schema,
    run: (input: Infer<Schema>, context: CompileContext) => Promise<string | undefined>,
  ) => {
    const annotations = { readOnlyHint: name !== 'add_rule', destructiveHint: false };
    const call = (input: unknown) =>
      inTurn(() => resultOf(context, quiet => run(input as Infer<Schema>, quiet)));
    server.registerTool(name, { description, inputSchema: inputSchema as ZodObject, annotations }, call);
  };
  addTool(
    'validate',
    'Check the sources and the configuration of the instructions of this project. Writes nothing.',
    strictObject({}),
    (_, quiet) => runValidate(quiet),
  );
  addTool(
    'explain',
    'Explain a finding (PRS1001), a block (@guards), a value (standards.code[0]) or where a line of a generated file comes from (AGENTS.md:12).',
    strictObject({ subject: string().describe('What is to be explained.') }),
    ({ subject }, quiet) => runExplain(subject, quiet),
  );
  addTool(
    'where',
    'Show the files of the tools that would hold a new rule. Writes nothing.',
    rule,
    async (input, quiet) => (await tryRule(input, quiet))?.places,
  );
  addTool(
    'add_rule',
    'Add a rule to the sources. A compile in memory tests it first. `prs compile` brings it to the tools; `prs undo` takes it back.',
    rule,
    addRule,
  );
}

/** Runs a tool; its findings precede its text. No text, or an error among the findings, is a failure. */
async function resultOf(
  context: CompileContext,
  run: (context: CompileContext) => Promise<string | undefined>,
): Promise<CallToolResult> {
  const findings: Diagnostic[] = [];
  const report = (one: Diagnostic) => void (one.severity !== 'info' && findings.push(one));
  let text: string | undefined;
  try {
    text = await run({ ...context, report });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    findings.push(hostFinding(error, context.cwd));
  }
  const isError = text === undefined || findings.some(({ severity }) => severity === 'error');
  const parts = [findings.length > 0 ? renderText(findings) : '', text ?? ''];
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

/** Adds a rule that compiles; an existing rule is not replaced. */
async function addRule(rule: RuleDraft, context: CompileContext): Promise<string | undefined> {
  const tried = await tryRule(rule, context);
  if (!tried) return undefined;
  const { root, path, text, places } = tried;
  if (!(await writeSources(root, [{ path, text, isNew: true }], context))) return undefined;
  return `Wrote ${path}. Run \`prs compile\` to bring it to the tools; \`prs undo\` takes it back.\n${places}`;
}

/** Compiles the project with the rule in memory. Returns its file, and the files of the tools that would hold it. */
async function tryRule(rule: RuleDraft, context: CompileContext) {
  const { root, config } = projectRoot(context);
  const path = `${rulesPath}/${rule.name}.md`;
  const problem = problemOf(rule);
  const exists = config !== undefined && context.disk.lstat(join(root, path));
  if (problem ?? exists) {
    context.report(problem ?? ruleExists({ path }, { file: path }));
    return undefined;
  }
  const text = ruleText(rule);
  const files = config === undefined ? [] : [[path, { content: text }] as const];
  const watched = watchErrors(context.report);
  const trial = { ...context, disk: withFiles(context.disk, root, files), report: watched.report };
  const compiled = await compileProject({ mode: 'plan', force: true, trial: true }, trial);
  if (typeof compiled === 'string' || watched.failed()) return undefined;
  const item = `guards.${rule.name}`;
  const places = compiled.placed
    .filter(place => place.item === item || place.parts?.includes(item))
    .map(({ target, path: file, always }) => `- ${target}: ${file}${always ? ' (always loaded)' : ''}\n`);
  const head = places.length > 0 ? 'Files that hold it:\n' : 'No enabled tool receives it.\n';
  return { root, path, text, places: head + places.join('') };
}

const maxLength = 64 * 1024;

/** Why a rule is refused. */
function problemOf(rule: RuleDraft): Diagnostic | undefined {
  const { name, text, applyTo = '', description = '', targets = '' } = rule;
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) || isDeviceName(name))
    return ruleNameWrong({ name: name.slice(0, 100) });
  const all = text + applyTo + description + targets;
  if (all.length > maxLength)
    return ruleTextWrong({ problem: `has ${all.length} characters, more than ${maxLength}` });
  if (findFrontMatter(text.trimStart())) return ruleTextWrong({ problem: 'has front matter in its text' });
  if (hasLoneSurrogate(all)) return ruleTextWrong({ problem: 'has half of a character in it' });
  return text.includes('\0') ? ruleTextWrong({ problem: 'has a NUL character in it' }) : undefined;
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
