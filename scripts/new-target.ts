/**
 * Writes a minimal spec for a new tool that already compiles:
 * `npm run new:target -- --id my-tool --title "My Tool" --homepage https://… [--evidence https://…] [--file AGENTS.md]
 * [--skills .my-tool/skills] [--vendor "…"]`. On a terminal it prompts for missing values.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import type { TargetSpec } from '../src/generated/types/target.ts';
import { root } from './generate.ts';
import { readSharedParts, readSpecs } from './specs.ts';
import { nextLabel } from './targets/together.ts';

/** The facts about a tool that a new spec starts from. */
export interface NewTarget {
  readonly id: string;
  readonly title: string;
  readonly homepage: string;
  /** Page that documents which files the tool reads. */
  readonly evidence: string;
  readonly vendor?: string;
  /** Path of the main document. */
  readonly file: string;
  /** Skills folder, if the tool reads skills. */
  readonly skills?: string;
  /** The day the evidence was read, `2026-01-31`. */
  readonly today: string;
}

/** The text of the spec, without what the stanzas of `conventions/files.yaml` already define. */
export function newSpec(
  { id, title, vendor, homepage, evidence, file, skills, today }: NewTarget,
  others: readonly TargetSpec[],
): string {
  const places: Places = skills === undefined ? {} : placesFor(id, skills.replace(/\/+$/, ''));
  const spec = {
    label: nextLabel(others.map(spec => ({ spec }))),
    title,
    vendor,
    homepage,
    evidence: [{ url: evidence, checked: today, of: ['instructions'] }],
    folder: places.folder,
    files: {
      instructions: documentFor(file, others),
      skills: places.skills,
    },
    reads: { all: [file] },
    detect: [file === 'AGENTS.md' ? (skills ?? `.${id}`) : file],
  };
  const yaml = stringify(JSON.parse(JSON.stringify(spec)), { lineWidth: 0 });
  return `# yaml-language-server: $schema=../schema/target.schema.json\n${yaml}`;
}

interface Places {
  readonly folder?: string;
  readonly skills?: object;
}

/** The entry for the skills, and the folder of the tool if it is not the default one and holds the skills in `skills`. */
function placesFor(id: string, dir: string): Places {
  const stanza = Object.entries(readSharedParts(root).files).find(([, entry]) => entry.dir === dir);
  if (stanza) return { skills: { use: stanza[0] } };
  const [, folder] = /^(.+)\/skills$/.exec(dir) ?? [];
  if (folder === undefined) return { skills: { dir } };
  return { ...(folder !== `.${id}` && { folder }), skills: {} };
}

/**
 * The entry of the main document. If an existing spec writes the same file, its layout is copied, because targets that
 * share a file must lay it out alike.
 */
function documentFor(path: string, others: readonly TargetSpec[]): object {
  const stanza = Object.entries(readSharedParts(root).files).find(([, entry]) => entry.path === path);
  if (stanza) return { use: stanza[0] };
  const model = others
    .flatMap(({ files }) => Object.values(files))
    .find(file => file.kind === 'document' && file.of === 'instructions' && file.path === path);
  const { heading, frontmatter, sections } = (model ?? {}) as Record<string, unknown>;
  return { path, heading, frontmatter, sections };
}

interface Question {
  readonly name: 'id' | 'title' | 'homepage' | 'evidence' | 'file' | 'skills';
  readonly message: string;
  readonly initial?: (answers: Answers) => string;
  readonly optional?: boolean;
  readonly wrong?: (answer: string) => string | undefined;
}

type Answers = Partial<Record<Question['name'] | 'vendor', string>>;

const url = (answer: string) =>
  /^https:\/\/\S+$/.test(answer) ? undefined : 'Enter a URL that starts with https://.';
const path = (answer: string) =>
  /^[^/\\]/.test(answer) && !answer.split('/').includes('..')
    ? undefined
    : 'Enter a path relative to the project root.';

const questions: readonly Question[] = [
  {
    name: 'id',
    message: 'Id, as written under `targets:`',
    wrong: answer => {
      if (!/^[a-z][a-z0-9-]*$/.test(answer)) return 'Use lower-case letters, digits and hyphens.';
      return existsSync(join(root, `targets/${answer}.yaml`))
        ? `targets/${answer}.yaml is there already.`
        : undefined;
    },
  },
  { name: 'title', message: 'Name, as the vendor writes it', initial: ({ id }) => id! },
  { name: 'homepage', message: "Address of the product's page", wrong: url },
  {
    name: 'evidence',
    message: 'URL of the page that documents which files it reads',
    initial: ({ homepage }) => homepage!,
    wrong: url,
  },
  { name: 'file', message: 'Main instructions file', initial: () => 'AGENTS.md', wrong: path },
  { name: 'skills', message: 'Skills folder, if any', optional: true, wrong: path },
];

/** Fills in missing answers by prompting or from the defaults, or returns the first problem. */
async function complete(given: Answers, ask: boolean): Promise<Answers | { fault: string }> {
  const answers: Answers = { ...given };
  for (const { name, message, initial, optional, wrong } of questions) {
    const known = answers[name];
    if (known === undefined && ask) {
      const { isCancel, text } = await import('@clack/prompts');
      const answer = await text({
        message,
        initialValue: initial?.(answers) ?? '',
        validate: (value = '') =>
          value === '' && optional ? undefined : value === '' ? 'A value is required.' : wrong?.(value),
      });
      if (isCancel(answer)) return { fault: 'Nothing was written.' };
      if (answer !== '') answers[name] = answer;
      continue;
    }
    if (known === undefined && initial) answers[name] = initial(answers);
    else if (known === undefined && !optional) return { fault: `--${name} is missing. ${message}.` };
    const problem = answers[name] === undefined ? undefined : wrong?.(answers[name]);
    if (problem) return { fault: `--${name} ${answers[name]}: ${problem}` };
  }
  return answers;
}

const usage = `Writes a minimal spec for a new tool that already compiles. On a terminal it prompts for missing values.

  npm run new:target -- --id my-tool --title "My Tool" --homepage https://example.com

${questions.map(({ name, message, optional, initial }) => `  --${name.padEnd(10)} ${message}${optional || initial ? '' : ' (needed)'}`).join('\n')}
  --vendor     Name of the vendor
  --today      Date on which the page was read, such as 2026-01-31`;

/** The options of the command line, or an error message. */
function readArguments(names: readonly string[]): Record<string, string | boolean | undefined> | string {
  try {
    const texts = Object.fromEntries(names.map(name => [name, { type: 'string' as const }]));
    return parseArgs({ options: { ...texts, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
}

async function main(): Promise<void> {
  const names = ['id', 'title', 'vendor', 'homepage', 'evidence', 'file', 'skills', 'today'] as const;
  const parsed = readArguments(names);
  if (typeof parsed === 'string') {
    console.error(`${parsed}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { help, ...values } = parsed;
  if (help) {
    console.log(usage);
    return;
  }
  const { today = new Date().toISOString().slice(0, 10), ...given } = values as Answers & { today?: string };
  const answers = await complete(given, process.stdin.isTTY === true && process.stdout.isTTY === true);
  if ('fault' in answers) {
    console.error(answers.fault);
    process.exitCode = 2;
    return;
  }
  const others = readSpecs(root);
  const file = `targets/${answers.id}.yaml`;
  writeFileSync(join(root, file), newSpec({ ...(answers as Required<Answers>), today }, others));
  console.log(`Wrote ${file}. Complete it, then run:`);
  console.log(`  npm run check:targets ${answers.id}\n  npm run golden ${answers.id}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
