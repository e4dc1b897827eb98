import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import { missingArgument, nothingToExplain, unexpectedArgument } from '../../generated/diagnostics.ts';
import type { Explained } from '../../project/explain/explain.ts';
import type { ExplainedLines } from '../../project/explain/explain-line.ts';
import type { CompileContext } from '../../project/session/world.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { flag, type Outcome, PrsCommand, refuse } from '../command.ts';
import { table } from '../report/table.ts';

/** Findings elsewhere in the project are not relevant, but errors may explain an unexpected answer. */
const onlyErrors =
  (report: Report): Report =>
  diagnostic => {
    if (diagnostic.severity === 'error' || diagnostic.code.startsWith('PRS97')) report(diagnostic);
  };

export default class ExplainCommand extends PrsCommand {
  static override paths = [['explain']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'Explain a finding, a block, a field, a value, a generated file or a line of one.',
    examples: [
      ['Explain a finding', 'prs explain PRS1001'],
      ['Show every declaration that shaped a value', "prs explain 'standards.code[0]'"],
      [
        'Show the sources of a generated file, or of a line as in docs/RULES.md:12',
        'prs explain docs/RULES.md',
      ],
    ],
  });

  rules = flag('--rules', 'List the built-in rules with their defaults.');
  subject = Option.String({ name: 'code-file-or-value', required: false });

  field = Option.String({ name: 'field', required: false });

  async run(context: CompileContext): Promise<Outcome> {
    const { subject, field } = this;
    const { findPage, pageText, rules, topicOf, topicText } = await import('../rest.ts');
    const topic = subject === undefined ? undefined : topicOf(subject, field);
    if (topic) return { data: { topic: { title: topic.title } }, text: width => topicText(topic, width) };
    if (field !== undefined) {
      const hint = /^instr\.ya?ml$/.test(subject ?? '')
        ? 'The configuration has no such field: `prs explain instr.yaml` lists them.'
        : undefined;
      return refuse(context, unexpectedArgument({ command: 'explain', argument: field }, { hint }));
    }
    const chosen = this.rules ? rules : rules.filter(({ name }) => name === subject);
    if (chosen.length > 0) {
      const data = chosen.map(({ name, severity, help }) => ({ name, severity, description: help }));
      const rows = data.map(one => [one.name, one.severity, one.description]);
      const head = ['rule', 'default', 'what it looks for'];
      return { data: { rules: data }, text: width => table([head, ...rows], width) };
    }
    if (subject === undefined)
      return refuse(context, missingArgument({ command: 'explain', argument: '<code-file-or-value>' }));
    const explained = findPage(subject);
    if (!explained) return explainInProject(subject, context);
    const { page: text, ...page } = explained;
    return { data: { page: { ...page, text } }, text: width => pageText(explained, width) };
  }
}

/** Explains a value, a generated file or a line of one. */
async function explainInProject(subject: string, context: CompileContext): Promise<Outcome> {
  const rest = await import('../rest.ts');
  // No file has a longer name.
  const mayBeFile = subject.length <= 200;
  const notFound = (meant: string | undefined) => {
    const isFile = mayBeFile && context.disk.stat(resolve(context.cwd, subject))?.kind === 'file';
    const hint = isFile
      ? `No target generates this file. \`prs view --as <target> --file ${subject}\` shows what a tool loads with it.`
      : meant && `Did you mean \`${meant}\`?`;
    context.report(nothingToExplain({ name: subject }, { hint }));
  };
  const ruleNames = rest.rules.map(({ name }) => name);
  // A diagnostic code cannot be anything else, so the project need not be loaded to report an unknown one.
  const project = /^PRS\d*$/i.test(subject) ? undefined : await rest.openProject(context);
  if (!project) {
    notFound(rest.suggestSubject(subject, ruleNames));
    return 'wrong-request';
  }
  const quiet = { ...context, report: onlyErrors(context.report) };
  const address = rest.lineAddress(subject);
  if (address) {
    const entries = await rest.explainLine(address, project, quiet);
    return entries && { data: { entries }, text: width => linesText(subject, entries, width) };
  }
  const lines = mayBeFile && /[./]/.test(subject) && (await rest.explainFile(subject, project, quiet));
  if (lines) {
    const entries = lines.map(({ entry }) => entry);
    return { data: { entries }, text: width => fileText(subject, lines, width) };
  }
  const registries = rest.projectRegistries(project, {}, quiet);
  const { program } = await rest.loadProgram(project, project.loaded.config.input.entry, registries, quiet);
  const entries = rest.explainValue(subject, program);
  if (!entries) notFound(rest.suggestPath(subject, program) ?? rest.suggestSubject(subject, ruleNames));
  return entries && { data: { entries }, text: width => entriesText(entries, width) };
}

/** A value and the declarations that contributed to it, the oldest first. */
function entriesText(entries: readonly Explained[], width: number): string {
  const [first] = entries;
  if (!first) return '';
  const value = typeof first.value === 'string' ? first.value : JSON.stringify(first.value, null, 2);
  const rows = entries.map(entry => [`  ${entry.operation}`, placeText(entry), registryText(entry)]);
  return `${first.path}\n${value.replace(/^/gm, '  | ')}\n${table(rows, width)}`;
}

/** A line of a generated file and the source lines it came from. */
function linesText(line: string, entries: readonly Explained[], width: number): string {
  const [first] = entries;
  if (!first)
    return `${line}\n  from no line of the sources: blank, or yours in a file that is shared with you\n`;
  if (first.operation === 'layout')
    return `${line}\n  from no line of the sources: laid out by ${first.path}\n`;
  const rows = entries.map(entry => [
    `  ${placeText(entry)}`,
    entry.operation,
    entry.path,
    registryText(entry),
    shorten(String(entry.value)),
  ]);
  return `${line}\n${table(rows, width)}`;
}

/** A generated file: which of its lines come from which declaration. */
function fileText(file: string, ranges: readonly ExplainedLines[], width: number): string {
  if (ranges.length === 0) return `${file}\n  from no line of the sources\n`;
  const rows = ranges.map(({ from, to, entry }) => [
    from === to ? `  line ${from}` : `  lines ${from} to ${to}`,
    entry.path,
    placeText(entry),
    registryText(entry),
  ]);
  return `${file}\n${table(rows, width)}\nOne line: prs explain ${file}:${ranges[0]!.from}\n`;
}

const placeText = ({ file, line, column }: Explained): string =>
  file === undefined ? '' : `${file}:${line}:${column}`;

const registryText = ({ registry, version }: Explained): string =>
  [registry, version].filter(Boolean).join(' @ ');

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
