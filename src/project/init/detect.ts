import { basename, join } from 'node:path';
import type { Disk } from '../../host/host.ts';
import { ownValue } from '../../text/data.ts';
import { formatterFiles } from '../format.ts';

export interface Detected {
  /** A valid id: the name in a package manifest, or that of the folder. */
  readonly name: string;
  readonly languages: readonly string[];
  readonly formatter: boolean;
}

/** A manifest of a package manager, with its language and a function that finds the project name. */
interface Manifest {
  readonly file: string;
  readonly language: string;
  readonly nameIn: (text: string) => unknown | Promise<unknown>;
}

const manifests: readonly Manifest[] = [
  { file: 'package.json', language: 'JavaScript', nameIn: text => ownValue(JSON.parse(text), 'name') },
  { file: 'pyproject.toml', language: 'Python', nameIn: text => tomlName(text, ['project', 'tool.poetry']) },
  { file: 'Cargo.toml', language: 'Rust', nameIn: text => tomlName(text, ['package']) },
  {
    file: 'go.mod',
    language: 'Go',
    nameIn: text => /^module\s+(\S+)/m.exec(text)?.[1]?.replace(/\/v\d+$/, ''),
  },
];

const traces: readonly (readonly [file: string, language: string])[] = [
  ['tsconfig.json', 'TypeScript'],
  ['setup.py', 'Python'],
  ['requirements.txt', 'Python'],
  ['pom.xml', 'Java'],
  ['build.gradle', 'Java'],
  ['build.gradle.kts', 'Kotlin'],
  ['Gemfile', 'Ruby'],
  ['composer.json', 'PHP'],
  ['Package.swift', 'Swift'],
  ['mix.exs', 'Elixir'],
  ['CMakeLists.txt', 'C++'],
];

const decoder = new TextDecoder();

/** Detects the facts from manifests and settings in a folder; damaged files are ignored. */
export async function detectProject(disk: Disk, directory: string): Promise<Detected> {
  const read = (file: string) => {
    const path = join(directory, file);
    return disk.stat(path)?.kind === 'file' ? disk.readBytes(path) : undefined;
  };
  const languages = new Set<string>();
  let name: string | undefined;
  let formatter = formatterFiles.some(file => disk.stat(join(directory, file)) !== undefined);
  for (const { file, language, nameIn } of manifests) {
    const bytes = read(file);
    if (!bytes) continue;
    languages.add(language);
    const text = decoder.decode(bytes);
    try {
      name ??= usableName(await nameIn(text));
      if (file === 'package.json') formatter ||= ownValue(JSON.parse(text), 'prettier') !== undefined;
    } catch {
      // A damaged manifest is skipped.
    }
  }
  for (const [file, language] of traces) {
    if (disk.stat(join(directory, file))) languages.add(language);
  }
  if (languages.has('TypeScript')) languages.delete('JavaScript');
  return {
    name: name ?? usableName(basename(directory)) ?? 'project',
    languages: [...languages].sort(),
    formatter,
  };
}

/** Whether a text is a valid id of a project. */
export const isProjectName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name);

/** The last part of a name with a scope or path; `undefined` if it is no valid id. */
export function usableName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const last = name.split('/').at(-1)!.replace(/\s+/g, '-');
  return isProjectName(last) ? last : undefined;
}

async function tomlName(text: string, tables: readonly string[]): Promise<unknown> {
  const { parse } = await import('smol-toml');
  const data = parse(text);
  for (const table of tables) {
    const name = ownValue(table.split('.').reduce<unknown>(ownValue, data), 'name');
    if (name !== undefined) return name;
  }
  return undefined;
}
