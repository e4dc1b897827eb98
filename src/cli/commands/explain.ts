import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import type { Rule } from '../../check/rule.ts';
import { missingArgument, nothingToExplain, unexpectedArgument } from '../../generated/diagnostics.ts';
import type { Page } from '../../generated/pages.ts';
import type { Explained } from '../../project/explain/explain.ts';
import type { ExplainedLines } from '../../project/explain/explain-line.ts';
import type { CompileContext } from '../../project/session/world.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { type Outcome, PrsCommand, refuse } from '../command.ts';
import type { TopicContent } from '../manual.ts';
import { table } from '../report/table.ts';

/** Findings elsewhere in the project are not relevant, but errors may explain an unexpected answer. */
const onlyErrors =
  (report: Report): Report =>
  diagnostic => {
    if (diagnostic.severity === 'error' || diagnostic.code.startsWith('PRS97')) report(diagnostic);
  };

/** The manual topic of a block, `@guards`, of one of its fields, or of a field of `instr.yaml`. */
async function topicOf(subject: string, field: string | undefined): Promise<TopicContent | undefined> {
  const isBlock = subject.startsWith('@') && field === undefined;
  if (!isBlock && !/^instr\.ya?ml$/.test(subject)) return undefined;
  const { findBlockTopic, findConfigurationTopic, readTopics } = await import('../rest.ts');
  return isBlock ? findBlockTopic(subject, readTopics()) : findConfigurationTopic(field ?? '', readTopics());
}

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

  rules = Option.Boolean('--rules', false, { description: 'List the built-in rules with their defaults.' });
  subject = Option.String({ name: 'code-file-or-value', required: false });

  field = Option.String({ name: 'field', required: false });

  async run(context: CompileContext): Promise<Outcome> {
    const topic = this.subject === undefined ? undefined : await topicOf(this.subject, this.field);
    if (topic) {
      const { topicText } = await import('../rest.ts');
      return { data: { topic: { title: topic.title } }, text: width => topicText(topic, width) };
    }
    if (this.field !== undefined) {
      const argument = this.field;
      const hint = /^instr\.ya?ml$/.test(this.subject ?? '')
        ? 'The configuration has no such field: `prs explain instr.yaml` lists them.'
        : undefined;
      return refuse(context, unexpectedArgument({ command: 'explain', argument }, { hint }));
    }
    const {
      explainFile,
      explainLine,
      explainValue,
      findPage,
      lineAddress,
      loadProgram,
      openProject,
      pageText,
      projectRegistries,
      rules,
      suggestPath,
      suggestSubject,
    } = await import('../rest.ts');
    const chosen = this.rules ? rules : rules.filter(({ name }) => name === this.subject);
    if (chosen.length > 0) {
      const data = chosen.map(({ name, severity, help }) => ({ name, severity, description: help }));
      return { data: { rules: data }, text: width => ruleTable(chosen, width) };
    }
    if (this.subject === undefined) {
      return refuse(context, missingArgument({ command: 'explain', argument: '<code-file-or-value>' }));
    }
    const { subject } = this;
    const page = findPage(subject);
    if (page) return { data: { page: pageData(page) }, text: width => pageText(page, width) };
    // No file has a longer name.
    const mayBeFile = subject.length <= 200;
    const notFound = (path?: string) => {
      const meant =
        path ??
        suggestSubject(
          subject,
          rules.map(({ name }) => name),
        );
      const isFile = mayBeFile && context.disk.stat(resolve(context.cwd, subject))?.kind === 'file';
      const hint = isFile
        ? `No target generates this file. \`prs view --as <target> --file ${subject}\` shows what a tool loads with it.`
        : meant && `Did you mean \`${meant}\`?`;
      context.report(nothingToExplain({ name: subject }, { hint }));
    };
    // A diagnostic code cannot be anything else, so the project need not be loaded to report an unknown one.
    const project = /^PRS\d*$/i.test(subject) ? undefined : await openProject(context);
    if (!project) {
      notFound();
      return 'wrong-request';
    }
    const quiet = { ...context, report: onlyErrors(context.report) };
    const address = lineAddress(subject);
    if (address) {
      const entries = await explainLine(address, project, quiet);
      if (!entries) return undefined;
      return { data: { entries }, text: width => linesText(address, entries, width) };
    }
    const lines = mayBeFile && /[./]/.test(subject) ? await explainFile(subject, project, quiet) : undefined;
    if (lines) {
      const entries = lines.map(({ entry }) => entry);
      return { data: { entries }, text: width => fileText(subject, lines, width) };
    }
    const registries = projectRegistries(project, {}, quiet);
    const { program } = await loadProgram(project, project.loaded.config.input.entry, registries, quiet);
    const entries = explainValue(subject, program);
    if (!entries) {
      notFound(suggestPath(subject, program));
      return undefined;
    }
    return { data: { entries }, text: width => entriesText(entries, width) };
  }
}

/** The JSON members of a catalogue page. */
const pageData = ({ page, code, name, severity, message, hint }: Page): Record<string, unknown> => ({
  code,
  name,
  severity,
  message,
  hint,
  text: page,
});

/** A table of the built-in rules with their defaults. */
function ruleTable(rules: readonly Rule[], width: number): string {
  return table(
    [
      ['rule', 'default', 'what it looks for'],
      ...rules.map(({ name, severity, help }) => [name, severity, help]),
    ],
    width,
  );
}

/** A value and the declarations that contributed to it, the oldest first. */
function entriesText(entries: readonly Explained[], width: number): string {
  const [first] = entries;
  if (!first) return '';
  const value = typeof first.value === 'string' ? first.value : JSON.stringify(first.value, null, 2);
  const rows = entries.map(({ operation, registry, version, ...place }) => [
    `  ${operation}`,
    placeText(place),
    [registry, version].filter(Boolean).join(' @ '),
  ]);
  return `${first.path}\n${value.replace(/^/gm, '  | ')}\n${table(rows, width)}`;
}

/** A line of a generated file and the source lines it came from. */
function linesText(
  { file, line }: { readonly file: string; readonly line: number },
  entries: readonly Explained[],
  width: number,
): string {
  if (entries.length === 0) {
    return `${file}:${line}\n  from no line of the sources: blank, or yours in a file that is shared with you\n`;
  }
  const [first] = entries;
  if (first!.operation === 'layout')
    return `${file}:${line}\n  from no line of the sources: laid out by ${first!.path}\n`;
  const rows = entries.map(({ path, value, operation, registry, version, ...place }) => [
    `  ${placeText(place)}`,
    operation,
    path,
    [registry, version].filter(Boolean).join(' @ '),
    shorten(String(value)),
  ]);
  return `${file}:${line}\n${table(rows, width)}`;
}

/** A generated file: which of its lines come from which declaration. */
function fileText(file: string, found: readonly ExplainedLines[], width: number): string {
  if (found.length === 0) return `${file}\n  from no line of the sources\n`;
  const rows = found.map(({ from, to, entry: { path, registry, version, ...place } }) => [
    from === to ? `  line ${from}` : `  lines ${from} to ${to}`,
    path,
    placeText(place),
    [registry, version].filter(Boolean).join(' @ '),
  ]);
  return `${file}\n${table(rows, width)}\nOne line: prs explain ${file}:${found[0]!.from}\n`;
}

const placeText = ({ file, line, column }: Pick<Explained, 'file' | 'line' | 'column'>): string =>
  file === undefined ? '' : `${file}:${line}:${column}`;

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
