/** The projects for the proof of absorbing edits: projects of this repository with each target, and random programs. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseDocument } from 'yaml';
import { adoptProject } from '../../../src/project/adopt/adopt.ts';
import { migrateProject } from '../../../src/project/move-in/migrate.ts';
import type { CompileContext } from '../../../src/project/session/world.ts';
import { root } from '../compile.ts';
import fc from '../property.ts';
import { randomProgram } from '../random-program.ts';
import { type Laboratory, openLaboratory, readFolder } from './laboratory.ts';
import { pick, type Random, randomFrom } from './random.ts';

export const targets: readonly string[] = readdirSync(join(root, 'targets'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => basename(file, '.yaml'))
  .sort();

const cases = join(root, 'test/compile/cases');
const folders: Readonly<Record<string, string>> = {
  'kitchen-sink': join(root, 'test/projects/kitchen-sink'),
  ...Object.fromEntries(
    ['markdown-folders', 'markdown-source', 'markdown-extend', 'markdown-own-keys', 'guards-as-skills', 'for-whom'].map(
      name => [name, join(cases, name, 'in')],
    ),
  ),
};

/** Kinds of projects. */
export const origins = ['kitchen-sink', 'cases', 'random', 'corpus', 'corpus-blocks'] as const;
export type Origin = (typeof origins)[number];

export const originOf = (name: string): Origin =>
  origins.findLast(origin => name.split(/[/ ]|-\d/, 1)[0] === origin) ?? 'cases';

/**
 * Names of projects: origin and targets. Projects of the `corpus` are migrated either by keeping their files or into
 * blocks (`corpus-blocks`), and compiled for the tools whose files they have and for one more.
 */
export function projectName(random: Random, corpus?: string): string {
  if (corpus !== undefined && random() < 0.35) {
    const how = random() < 0.5 ? 'corpus' : 'corpus-blocks';
    return `${how}/${pick(readdirSync(corpus).sort(), random)} ${pick(targets, random)}`;
  }
  const own = pick(targets, random);
  const others = random() < 0.5 ? [] : [pick(targets, random)];
  const names = [...new Set([own, ...others])].join('+');
  const place = random();
  if (place < 0.45) return `kitchen-sink ${names}`;
  if (place < 0.75) return `${pick(Object.keys(folders).slice(1), random)} ${names}`;
  return `random-${Math.floor(random() * 200)} ${names}`;
}

export async function openProject(name: string, corpus = ''): Promise<Laboratory> {
  const [from, names] = name.split(' ') as [string, string];
  const [how, project] = from.split('/');
  if (project !== undefined)
    return openLaboratory(name, readFolder(join(corpus, project)), world => moveIn(how!, names, world));
  return openLaboratory(name, withTargets(filesOf(from), names.split('+')));
}

async function moveIn(how: string, target: string, world: CompileContext): Promise<void> {
  const options = { dryRun: false, files: [] };
  await (how === 'corpus' ? adoptProject(options, world) : migrateProject(options, world));
  const config = join(world.cwd, 'instr.yaml');
  const document = parseDocument(new TextDecoder().decode(world.disk.readBytes(config)));
  document.set('targets', [...new Set([...(document.toJS().targets as string[]), target])]);
  // The text of the bundled skill does not come from the project.
  document.set('includeInstrSkill', false);
  world.disk.writeBytes(config, new TextEncoder().encode(String(document)));
}

function filesOf(from: string): Map<string, string> {
  if (!from.startsWith('random-')) return readFolder(folders[from]!);
  const seed = Number(from.slice('random-'.length));
  const [{ files }] = fc.sample(randomProgram, { seed, numRuns: 1 }) as [{ files: Record<string, string> }];
  const config = 'id: random\nsyntax: "1.6.0"\nincludeInstrSkill: false\ninput:\n  entry: .instr/entry.prs\n';
  return new Map([
    ['instr.yaml', config],
    ...Object.entries(files).map(([path, text]) => [`.instr/${path}`, text] as const),
  ]);
}

function withTargets(files: Map<string, string>, names: readonly string[]): Map<string, string> {
  const config = parseDocument(files.get('instr.yaml')!);
  config.set('targets', names);
  return files.set('instr.yaml', String(config));
}

/** The random numbers of one edit. They depend only on the seed and the number of the edit. */
export const randomOf = (seed: number, edit: number): Random => randomFrom(Math.imul(seed, 1_000_003) + edit);
