import { join } from 'node:path';
import { formatterConfigIsCode, formatterFailed, formatterPluginsIgnored } from '../generated/diagnostics.ts';
import type { FormatterOptions } from '../generated/types/config.ts';
import { sha256 } from '../host/hash.ts';
import { cacheDirectory } from '../host/home.ts';
import { ignoreHostErrors } from '../host/host.ts';
import { recordExternalInput } from '../host/outside.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import { pathBelow } from '../host/relative-path.ts';
import type { OutputFile } from '../kinds/output.ts';
import { type DataFormat, parseData } from '../kinds/read/parse-data.ts';
import { decodeSource } from '../syntax/decode.ts';
import { isObject, ownValue } from '../text/data.ts';
import { findFrontMatter } from '../text/front-matter.ts';
import { compileGlobs } from '../text/globs.ts';
import { sourceLimit } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
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
  const path = context.isolated ? undefined : cachePath(project.root, options, context);
  // Formatting takes longer than the rest of a compile; targets share most texts, and most runs have those of the last.
  const record = path === undefined ? undefined : readRecord<Record<string, string>>(path);
  const kept = new Map(Object.entries(record?.header ?? {}));
  const used = new Map<string, string>();
  const formatted: OutputFile[] = [];
  for (const file of files) {
    if (file.kind !== 'whole' || file.format !== 'markdown' || typeof file.content !== 'string') {
      formatted.push(file);
      continue;
    }
    try {
      const hash = hashOf(file.content);
      const content = used.get(hash) ?? kept.get(hash) ?? (await formatBody(file.content, options));
      used.set(hash, content);
      formatted.push({ ...file, content });
    } catch (error) {
      const problem = (error as Error).message.split('\n')[0]!;
      context.report(formatterFailed({ path: file.path, problem }, { file: file.path }));
      formatted.push(file);
    }
  }
  if (path !== undefined && [...used.keys()].some(hash => !kept.has(hash))) {
    const others = [...kept].filter(([hash]) => !used.has(hash)).slice(0, mostKept);
    ignoreHostErrors(() => writeRecord(path, Object.fromEntries([...used, ...others]), []));
  }
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

/** The number of texts of earlier runs that stay in the cache, because other builds of the project use them. */
const mostKept = 1000;

const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));

/** The cache file of a project. Its name depends on everything that affects the result. */
const cachePath = (root: string, options: MarkdownOptions, { environment }: WithEnvironment): string => {
  const version = process.env.INSTR_VERSION ?? 'development';
  const name = hashOf(JSON.stringify([root, [version, options]]));
  return join(cacheDirectory(environment), 'formatted', name);
};

/*
 * The options of the formatter that a project declares. Projects are untrusted, so only data files are read.
 * Configurations that are code, and plug-ins, are reported and not used.
 */

/** The options for Markdown that a project can set. */
interface MarkdownOptions extends FormatterOptions {
  readonly useTabs?: boolean;
}

/** Configuration files of Prettier that are data, in the order of Prettier. */
const dataFiles = [
  'package.json',
  'package.yaml',
  '.prettierrc',
  '.prettierrc.json',
  '.prettierrc.yaml',
  '.prettierrc.yml',
  '.prettierrc.json5',
  '.prettierrc.toml',
];

const codeFiles = ['.prettierrc', 'prettier.config'].flatMap(name =>
  ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map(extension => `${name}.${extension}`),
);

/** All configuration files of the formatter in the root of a project, except package manifests. */
export const formatterFiles = [...dataFiles.filter(name => !name.startsWith('package.')), ...codeFiles];

const isCode = (path: string): boolean => /\.[cm]?[jt]sx?$/i.test(path);

/** The file name for overrides. All outputs use the same name, so that targets agree about shared texts. */
const formattedName = 'document.md';

/** The maximum width; a larger one would only consume memory. */
const largestWidth = 10_000;

/** A configuration that cannot be used, with the reason. */
class Unusable extends Error {
  constructor(
    readonly path: string,
    problem: string,
  ) {
    super(problem);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The project, and the span of the setting that asks for the configuration. */
interface Reading {
  readonly root: string;
  readonly span: Span | undefined;
  readonly context: WithDisk & WithReport;
}

/**
 * Reads the options for the Markdown of a project. Shorthands of `formatting` take precedence over explicit options,
 * and these over a configuration file. Unusable ones are reported.
 */
async function readFormatOptions(
  { loaded, root }: Project,
  context: WithDisk & WithReport,
): Promise<MarkdownOptions> {
  const { formatter, ...shorthands } = loaded.config.formatting!;
  const reading = { root, span: loaded.spanOf(['formatting', 'formatter']), context };
  let options: MarkdownOptions = {};
  if (typeof formatter === 'object') options = formatter;
  else if (formatter) {
    try {
      options = await (typeof formatter === 'string' ? readNamed(formatter, reading) : readFound(reading));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      const { path, message: problem } = error;
      context.report(formatterFailed({ path, problem }, { span: reading.span }));
    }
  }
  return { proseWrap: 'preserve', ...options, ...defined(shorthands) };
}

/** The options in a named file. */
async function readNamed(path: string, reading: Reading): Promise<MarkdownOptions> {
  if (isCode(path)) throw new Unusable(path, 'it is code, and no code of a project is run');
  const text = readText(path, reading);
  if (text === undefined) throw new Unusable(path, 'there is no such file');
  if (path.endsWith('.editorconfig')) return fromEditorConfig(text);
  return checked(path, (await readConfig(path, text, reading)) ?? {}, reading);
}

/** The options in the first configuration file at the root, with those of `.editorconfig` as defaults. */
async function readFound(reading: Reading): Promise<MarkdownOptions> {
  const { root, span, context } = reading;
  const editor = fromEditorConfig(readText('.editorconfig', reading) ?? '');
  for (const path of dataFiles) {
    const text = readText(path, reading);
    const config = text === undefined ? undefined : await readConfig(path, text, reading);
    if (config) return { ...editor, ...checked(path, config, reading) };
  }
  const code = codeFiles.find(path => context.disk.stat(join(root, path))?.kind === 'file');
  if (code) context.report(formatterConfigIsCode({ path: code }, { span }));
  return editor;
}

/** The text of a file in the project. Links that lead out of the project are not followed. */
function readText(path: string, { root, context: { disk, report } }: Reading): string | undefined {
  const at = join(root, path);
  const stat = disk.stat(at);
  if (stat?.kind !== 'file') return undefined;
  if (pathBelow(disk.realpath(root) ?? root, disk.realpath(at) ?? at) === undefined)
    throw new Unusable(path, 'it is outside of the project');
  if (stat.size > sourceLimit) throw new Unusable(path, 'it is too large');
  const bytes = disk.readBytes(at);
  return bytes && decodeSource(path, bytes, report)?.text;
}

/** The configuration in a file; `undefined` if the file does not configure the formatter. */
async function readConfig(
  path: string,
  text: string,
  { span, context }: Reading,
): Promise<Fields | undefined> {
  const name = path.split('/').at(-1)!;
  const data = await readData(path, text);
  const isManifest = name === 'package.json' || name === 'package.yaml';
  const config = isManifest ? ownValue(data, 'prettier') : data;
  if (config === undefined) return undefined;
  if (typeof config === 'string') {
    // The name of a package with a configuration.
    context.report(formatterConfigIsCode({ path: `${config} (named in ${path})` }, { span }));
    return {};
  }
  if (!isObject(config)) throw new Unusable(path, 'it is no object with options');
  return config as Fields;
}

async function readData(path: string, text: string): Promise<unknown> {
  // YAML contains what JSON5 adds to JSON, except comments.
  const extension = /\.(json|toml)$/i.exec(path)?.[1]?.toLowerCase() ?? 'yaml';
  const parsed = await parseData(text, extension as DataFormat);
  if ('data' in parsed) return parsed.data;
  const { problem, line } = parsed;
  throw new Unusable(path, line === undefined ? problem : `line ${line}: ${problem}`);
}

/** The options for Markdown, with overrides applied. Throws `Unusable` for an invalid value. */
function checked(path: string, config: Fields, { span, context }: Reading): MarkdownOptions {
  const overrides = ownValue(config, 'overrides');
  const chosen = (Array.isArray(overrides) ? overrides : [])
    .filter(one => isChosen(listOf(ownValue(one, 'files')), listOf(ownValue(one, 'excludeFiles'))))
    .map(one => ownValue(one, 'options'));
  const layers = [config, ...chosen];
  if (layers.some(layer => listOf(ownValue(layer, 'plugins')).length > 0))
    context.report(formatterPluginsIgnored({ path }, { span }));
  const value = (name: string) =>
    layers.map(layer => ownValue(layer, name)).findLast(one => one !== undefined);
  const options: Record<string, unknown> = {};
  for (const [name, isUsable, wanted] of markdownOptions) {
    const given = value(name);
    if (given === undefined) continue;
    if (!isUsable(given)) throw new Unusable(path, `\`${name}\` must be ${wanted}`);
    options[name] = given;
  }
  return options;
}

const isWidth = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= largestWidth;
const width = `a whole number from 1 to ${largestWidth}`;

const markdownOptions: readonly (readonly [
  name: string,
  isUsable: (value: unknown) => boolean,
  wanted: string,
])[] = [
  [
    'proseWrap',
    value => ['always', 'never', 'preserve'].includes(value as string),
    '`always`, `never` or `preserve`',
  ],
  ['tabWidth', isWidth, width],
  ['printWidth', isWidth, width],
  ['useTabs', value => typeof value === 'boolean', '`true` or `false`'],
];

/** Whether an override applies. A pattern without a folder applies in every folder. */
const isChosen = (files: readonly string[], excluded: readonly string[]): boolean =>
  compileGlobs(files)(formattedName) && !compileGlobs(excluded)(formattedName);

/** The options for Markdown in an EditorConfig file. Invalid widths are ignored, as in editors. */
function fromEditorConfig(text: string): MarkdownOptions {
  const found: Record<string, string> = {};
  let counts = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const section = /^\s*\[(.+)\]\s*(?:[#;].*)?$/.exec(line)?.[1];
    const [, key, value] = /^\s*([\w-]+)\s*=\s*([^\s#;]*)/.exec(line) ?? [];
    if (section !== undefined) counts = isChosen([section], []);
    else if (counts && key !== undefined) found[key.toLowerCase()] = value!.toLowerCase();
  }
  const { indent_style: style, indent_size: size, tab_width: tab, max_line_length: longest } = found;
  const widthOf = (value: string | undefined) => (isWidth(Number(value)) ? Number(value) : undefined);
  return defined({
    useTabs: style === 'tab' ? true : style === 'space' ? false : undefined,
    tabWidth: widthOf(size === 'tab' || size === undefined ? tab : size),
    printWidth: widthOf(longest),
  });
}

const listOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string');

const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
