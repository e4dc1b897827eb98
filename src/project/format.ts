import { join } from 'node:path';
import { formatterFailed } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import { cacheDirectory } from '../host/home.ts';
import { ignoreHostErrors } from '../host/host.ts';
import { recordExternalInput } from '../host/outside.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import type { OutputFile } from '../kinds/output.ts';
import { findFrontMatter } from '../text/front-matter.ts';
import { type MarkdownOptions, readFormatOptions } from './format-options.ts';
import type { Project } from './open/open.ts';
import type { WithDisk, WithEnvironment, WithIsolation, WithReport } from './session/world.ts';

/**
 * Formats generated Markdown by the `formatting` settings. A file that cannot be formatted is reported and stays as it
 * is. The bundled formatter reads no files and loads no modules.
 */
export async function formatFiles(
  files: readonly OutputFile[],
  project: Project,
  context: WithDisk & WithReport & WithIsolation & WithEnvironment,
): Promise<readonly OutputFile[]> {
  recordExternalInput('formatter');
  const options = await readFormatOptions(project, context);
  const formatted: OutputFile[] = [];
  // Targets share most texts, and most runs have the texts of the last one.
  const known = context.isolated
    ? memoryTexts()
    : openFormatted(project.root, [process.env.INSTR_VERSION ?? 'development', options], context);
  for (const file of files) {
    if (file.kind !== 'whole' || file.format !== 'markdown' || typeof file.content !== 'string') {
      formatted.push(file);
      continue;
    }
    try {
      const found = known.get(file.content);
      const content = found ?? (await formatBody(file.content, options));
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
 * Formats the text below the front matter. Some tools read front matter line by line, so it stays as it is, like code
 * in fenced blocks. No path is given, because overrides for paths could make targets disagree about a shared text.
 */
async function formatBody(text: string, options: MarkdownOptions): Promise<string> {
  const [{ format }, markdown] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/markdown'),
  ]);
  const front = findFrontMatter(text)?.bodyStart;
  const start = front === undefined ? 0 : front + /^\n*/.exec(text.slice(front))![0].length;
  const fixed = {
    parser: 'markdown',
    plugins: [markdown],
    embeddedLanguageFormatting: 'off' as const,
    endOfLine: 'lf' as const,
  };
  return text.slice(0, start) + (await format(text.slice(start), { ...options, ...fixed }));
}

/** A cache of formatted texts. Formatting takes longer than the rest of a compile. */
interface FormattedTexts {
  readonly get: (text: string) => string | undefined;
  readonly set: (text: string, formatted: string) => void;
  /** Writes new texts to the cache. A failure is ignored. */
  readonly keep: () => void;
}

/** A cache in memory, for isolated runs. */
function memoryTexts(): FormattedTexts {
  const known = new Map<string, string>();
  return {
    get: text => known.get(text),
    set: (text, formatted) => void known.set(text, formatted),
    keep: () => {},
  };
}

/** The number of texts of earlier runs that stay in the cache, because other builds of the project use them. */
const mostKept = 1000;

const hashOf = (text: string): string => sha256(Buffer.from(text));

/** Opens the cache of a project. `settings` contains everything that affects the result. */
function openFormatted(root: string, settings: unknown, { environment }: WithEnvironment): FormattedTexts {
  const name = hashOf(JSON.stringify([root, settings]));
  const path = join(cacheDirectory(environment), 'formatted', name);
  const kept = new Map(Object.entries(readRecord<Record<string, string>>(path)?.header ?? {}));
  const used = new Map<string, string>();
  let isNew = false;
  return {
    get: text => {
      const hash = hashOf(text);
      const found = used.get(hash) ?? kept.get(hash);
      if (found !== undefined) used.set(hash, found);
      return found;
    },
    set: (text, formatted) => {
      used.set(hashOf(text), formatted);
      isNew = true;
    },
    keep: () => {
      if (!isNew) return;
      const others = [...kept].filter(([hash]) => !used.has(hash)).slice(0, mostKept);
      ignoreHostErrors(() => writeRecord(path, Object.fromEntries([...used, ...others]), []));
    },
  };
}
