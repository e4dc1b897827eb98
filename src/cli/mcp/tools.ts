import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { HostError } from '../../host/host.ts';
import type { Invocation } from '../invocation.ts';
import { addRule, type RuleDraft, whereRuleGoes } from './rules.ts';

/** What a tool says; `failed`: it could not do what it was asked for. */
export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
}

interface Tool {
  readonly description: string;
  readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
  readonly required: readonly string[];
  readonly writes?: boolean;
  readonly run: (input: never, context: Invocation['context']) => Promise<ToolResult>;
}

const rule = {
  name: { type: 'string', description: 'Name of the rule: small letters, digits and hyphens.' },
  text: { type: 'string', description: 'What it says, as Markdown without front matter.' },
  applyTo: { type: 'string', description: 'Globs of the files it is for, separated by commas. Absent: all.' },
  description: { type: 'string', description: 'One line on what it is about.' },
  targets: { type: 'string', description: 'Tools it is for, separated by commas. Absent: all.' },
};

const tools: Readonly<Record<string, Tool>> = {
  validate: {
    description:
      'Check the sources and the configuration of the instructions of this project. Writes nothing.',
    properties: {},
    required: [],
    run: (_input: object, context) => runValidate(context),
  },
  explain: {
    description:
      'Explain a finding (PRS1001), a block (@guards), a value (standards.code[0]) or where a line of a generated file comes from (AGENTS.md:12).',
    properties: { subject: { type: 'string', description: 'What is to be explained.' } },
    required: ['subject'],
    run: ({ subject }: { subject: string }, context) => runExplain(subject, context),
  },
  where: {
    description: 'Show in which files of which tools a new rule would stand. Writes nothing.',
    properties: rule,
    required: ['name', 'text'],
    run: (input: RuleDraft, context) => told(context, quiet => whereRuleGoes(input, quiet)),
  },
  add_rule: {
    description:
      'Add a rule to the sources. It is tried out first, and `prs undo` takes it back; `prs compile` brings it to the tools.',
    properties: rule,
    required: ['name', 'text'],
    writes: true,
    run: (input: RuleDraft, context) => told(context, quiet => addRule(input, quiet)),
  },
};

/** The tools as the protocol describes them. */
export const listTools = (): object[] =>
  Object.entries(tools).map(([name, { description, properties, required, writes }]) => ({
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: writes !== true, destructiveHint: false },
  }));

/** Calls a tool; a text says what is wrong with the call. */
export async function callTool(
  name: string,
  input: unknown,
  context: Invocation['context'],
): Promise<ToolResult | string> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) return `There is no tool \`${name}\`; there are ${Object.keys(tools).join(', ')}.`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'Arguments are an object.';
  const missing = tool.required.find(field => !Object.hasOwn(input, field));
  if (missing !== undefined) return `\`${name}\` needs \`${missing}\`.`;
  for (const [field, value] of Object.entries(input)) {
    if (!Object.hasOwn(tool.properties, field)) return `\`${name}\` takes no \`${field}\`.`;
    if (typeof value !== 'string') return `\`${field}\` is a text.`;
  }
  return tool.run(input as never, context);
}

/** Runs something, and puts what was found in front of what it says. */
async function told(
  context: Invocation['context'],
  run: (context: Invocation['context']) => Promise<string | undefined>,
): Promise<ToolResult> {
  const found: Diagnostic[] = [];
  const report = (one: Diagnostic) => void (one.severity !== 'info' && found.push(one));
  let said: string | undefined;
  try {
    said = await run({ ...context, report });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    said = undefined;
    const { hostFinding } = await import('../../project/open/host-finding.ts');
    found.push(hostFinding(error, context.cwd));
  }
  const { renderText } = await import('../../diagnostics/render-text.ts');
  const failed = said === undefined || found.some(({ severity }) => severity === 'error');
  return { text: [found.length > 0 ? renderText(found) : '', said ?? ''].filter(Boolean).join('\n'), failed };
}

async function runValidate(context: Invocation['context']): Promise<ToolResult> {
  return told(context, async quiet => {
    const { plural } = await import('../report/files.ts');
    const { validateProject } = await import('../../project/validate.ts');
    const { configured, checked } = await validateProject({ files: [] }, quiet);
    return configured ? `${plural(checked, 'file')} checked.` : undefined;
  });
}

/** The same words as `prs explain` has for people. */
async function runExplain(subject: string, context: Invocation['context']): Promise<ToolResult> {
  return told(context, async quiet => {
    const { default: ExplainCommand } = await import('../commands/explain.ts');
    const command = Object.assign(new ExplainCommand(), { subject, field: undefined, rules: false });
    const terminal = undefined as never;
    const outcome = await command.run({ context: quiet, terminal, silent: true, verbose: false });
    return outcome.text?.(100);
  });
}
