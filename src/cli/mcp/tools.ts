import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { strictObject, string } from 'zod';
import { HostError } from '../../host/host.ts';
import { hostFinding } from '../../project/open/root.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { validateProject } from '../../project/validate.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { renderText } from '../../text/diagnostics/render-text.ts';
import { default as ExplainCommand } from '../commands/explain.ts';
import { plural } from '../report/files.ts';
import { addRule, filesOfRule } from './rules.ts';

const rule = strictObject({
  name: string().describe('Name of the rule: small letters, digits and hyphens.'),
  text: string().describe('Text of the rule, as Markdown without front matter.'),
  applyTo: string()
    .optional()
    .describe('Globs of the files it applies to, separated by commas. Absent: all.'),
  description: string().optional().describe('One line on what it is about.'),
  targets: string().optional().describe('Tools it is for, separated by commas. Absent: all.'),
});

/** Adds the tools of this project to a server; `inTurn` serializes their calls. */
export function addTools(
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
  const { configured, checked } = await validateProject({ files: [] }, context);
  return configured ? `${plural(checked, 'file')} checked.` : undefined;
}

/** Returns the output of `prs explain`. */
async function runExplain(subject: string, context: CompileContext): Promise<string | undefined> {
  const command = Object.assign(new ExplainCommand(), { subject, field: undefined, rules: false });
  const outcome = await command.run(context);
  return typeof outcome === 'object' ? outcome.text?.(100) : undefined;
}
