import { join, sep } from 'node:path';
import { formatterFailed, formatterMissing } from '../generated/diagnostics.ts';
import type { FormatterOptions } from '../generated/types/config.ts';
import { noteOutside } from '../host/outside.ts';
import type { OutputFile } from '../kinds/output.ts';
import type { WithDetachment, WithDisk, WithEnvironment, WithReport } from '../session/world.ts';
import { findFrontMatter } from '../text/front-matter-lines.ts';
import { openFormatted, passingTexts } from './formatted-texts.ts';
import type { Project } from './open/open.ts';

type Prettier = typeof import('prettier');

/**
 * Formats generated Markdown as `formatting` of the configuration says: the shorthands win over explicit options,
 * those over a configuration file of the formatter. A file that cannot be formatted is reported and stays as it is.
 */
export async function formatFiles(
  files: readonly OutputFile[],
  project: Project,
  context: WithDisk & WithReport & WithDetachment & WithEnvironment,
): Promise<readonly OutputFile[]> {
  noteOutside('formatter');
  const prettier = await loadPrettier(context);
  if (!prettier) return files;
  const options = await readOptions(prettier, project, context);
  const formatted: OutputFile[] = [];
  // Targets share most texts, and most runs have those of the last one.
  const known = context.detached
    ? passingTexts()
    : openFormatted(project.root, [prettier.version, options], context);
  for (const file of files) {
    if (file.kind !== 'whole' || file.format !== 'markdown' || typeof file.content !== 'string') {
      formatted.push(file);
      continue;
    }
    try {
      const found = known.get(file.content);
      const content = found ?? (await formatBody(prettier, file.content, options));
      if (found === undefined) known.set(file.content, content);
      formatted.push({ ...file, content });
    } catch (error) {
      const problem = (error as Error).message.split('\n')[0]!;
      context.report(formatterFailed({ path: file.path, problem }, { file: file.path }));
      formatted.push(file);
    }
  }
  known.keep();
  return formatted;
}

/**
 * Formats what follows the front matter. That is data for tools, some of which read it line by line or take values
 * that are no YAML, so it stays as it is; so does the code in fenced blocks. No path is given: an ignore file, or an
 * override for the path of a generated file, must not make two targets disagree about one text.
 */
async function formatBody(prettier: Prettier, text: string, options: object): Promise<string> {
  const front = findFrontMatter(text)?.bodyStart;
  const start = front === undefined ? 0 : front + /^\n*/.exec(text.slice(front))![0].length;
  const fixed = { parser: 'markdown', embeddedLanguageFormatting: 'off', endOfLine: 'lf' } as const;
  return text.slice(0, start) + (await prettier.format(text.slice(start), { ...options, ...fixed }));
}

async function loadPrettier({ report }: WithReport): Promise<Prettier | undefined> {
  try {
    return await import('prettier');
  } catch {
    report(formatterMissing());
    return undefined;
  }
}

async function readOptions(
  prettier: Prettier,
  { loaded, root }: Project,
  { disk, report, detached }: WithDisk & WithReport & WithDetachment,
): Promise<object> {
  const { formatter, proseWrap, tabWidth, printWidth } = loaded.config.formatting!;
  let options: FormatterOptions = {};
  const span = loaded.spanOf(['formatting', 'formatter']);
  if (typeof formatter === 'object') options = formatter;
  else if (detached && formatter) {
    const problem = 'where a project is compiled from values, no configuration of a formatter is looked for';
    report(formatterFailed({ path: subject(formatter), problem }, { span }));
  } else if (typeof formatter === 'string' && disk.stat(join(root, formatter))?.kind !== 'file') {
    report(formatterFailed({ path: formatter, problem: 'there is no such file' }, { span }));
  } else if (formatter !== undefined && formatter !== false) {
    try {
      const found = await prettier.resolveConfig(join(root, 'document.md'), {
        editorconfig: true,
        useCache: false,
        ...(typeof formatter === 'string' && { config: join(root, formatter) }),
      });
      // `plugins` of the project would be code that runs at compile time; Markdown needs none.
      const { proseWrap, tabWidth, printWidth, useTabs } = found ?? {};
      options = defined({ proseWrap, tabWidth, printWidth, useTabs });
    } catch (error) {
      const [first = '', second = ''] = (error as Error).message.replaceAll(root + sep, '').split('\n');
      const problem = first.endsWith(':') ? `${first} ${second}` : first;
      report(formatterFailed({ path: subject(formatter), problem }, { span }));
    }
  }
  return { proseWrap: 'preserve', ...options, ...defined({ proseWrap, tabWidth, printWidth }) };
}

/** The configuration of the formatter that is meant: a file, or the one that is found. */
const subject = (formatter: string | boolean): string =>
  typeof formatter === 'string' ? formatter : 'this project';

const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
