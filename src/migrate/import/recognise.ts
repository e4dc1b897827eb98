import type { FileSpec, TargetSpec } from '../../generated/types/target.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { collectionOf } from '../../model/collections.ts';
import {
  allUniversalFiles,
  bundleFolder,
  isAmongSkills,
  pathInBundle,
  pathsOf,
} from '../../spec/item-places.ts';
import { readablePaths } from '../../spec/reads.ts';
import { partOf } from '../../spec/spec.ts';
import { escapeRegex, templateExpression } from '../../text/escape-regex.ts';
import { baseName } from '../../text/paths.ts';
import { sharedFolder } from '../../text/places.ts';

export interface Recognised {
  /** Absent when no spec has the path. */
  readonly spec?: TargetSpec;
  /** The entry of `files` with the format of the file; absent for places that are only read. */
  readonly file?: FileSpec;
  /** The value of `{name}` in the path, else the file name without extensions. */
  readonly name: string;
  /** Whether other tools have the same file, so that it does not show which tool is in use. */
  readonly shared: boolean;
  /**
   * The folder that the tool's path is relative to: empty for the root, `packages/api` for a nested package.
   */
  readonly scope: string;
}

interface Match extends Omit<Recognised, 'shared'> {
  /** The number of literal characters in the template: more are more specific. */
  readonly weight: number;
}

/**
 * Finds the tool and entry of a path (relative to the project, `/`-separated). The most literal template of
 * all specs wins; among equals the first spec. `undefined` when no spec has a matching place.
 */
export function recognise(
  path: string,
  specs: readonly TargetSpec[],
  universalDir = sharedFolder,
): Recognised | undefined {
  const matches = specs.flatMap(spec => matchesOf(spec, path, universalDir));
  const most = Math.max(...matches.map(({ weight }) => weight));
  const [best, ...equal] = matches.filter(({ weight }) => weight === most);
  if (!best) return inUniversalDir(path, universalDir);
  const { weight: _, ...recognised } = best;
  return { ...recognised, shared: equal.some(({ spec }) => spec !== best.spec) };
}

/** The places of one tool that match a path. */
function matchesOf(spec: TargetSpec, path: string, universalDir: string): Match[] {
  const matches: Match[] = [];
  const offer = (template: string, deep: boolean, file: FileSpec | undefined, bonus: number) => {
    const match = matchTemplate(template, path, deep);
    if (match) matches.push({ ...match, spec, ...(file && { file }), weight: match.weight + bonus });
  };
  for (const file of Object.values(spec.files)) {
    if (file.kind === 'settings' || (file.kind === 'items' && file.of === 'plugins')) continue;
    const others = file.kind === 'entries' && file.others !== undefined ? [file.others] : [];
    // A tool that writes the file in its default version takes precedence over one that needs another version.
    const usual = file.versions?.includes(spec.defaultVersion) ?? true;
    // When a tool stores commands among its skills, other tools read the file as a skill.
    const bonus = (usual ? 0.25 : 0) + (partOf(file) === 'skills' ? 0.125 : 0);
    for (const template of [...pathsOf(file, spec, universalDir), ...others])
      offer(
        template,
        file.kind === 'items' && !isAmongSkills(template, file, spec, universalDir),
        file,
        bonus,
      );
  }
  for (const legacy of spec.legacy ?? [])
    offer(legacy.path, true, legacy.as === undefined ? undefined : spec.files[legacy.as], 0);
  // A place that is only read has lower precedence than one with a known format.
  for (const read of [...(spec.reads ? readablePaths(spec.reads) : []), ...(spec.detect ?? [])])
    if (/\.(?:md|mdc|markdown|txt)$|\/\.?[a-z]+rules$|^\.[a-z]+rules$/.test(read))
      offer(read, true, undefined, -0.5);
  return matches;
}

/** Recognises files in the universal directory, which belongs to no tool. */
function inUniversalDir(path: string, universalDir: string): Recognised | undefined {
  for (const file of allUniversalFiles()) {
    const match = matchTemplate(
      `${file.dir}/${file.path}`.replaceAll('{universal}', universalDir),
      path,
      true,
    );
    if (match) return { name: match.name, scope: match.scope, shared: true, file };
  }
  return undefined;
}

/**
 * Specs of projects are untrusted input: the time of a match grows with the length of the path to the power
 * of its wildcards.
 */
const mostWildcards = 3;

const isMatchable = (template: string): boolean => (template.match(/\{|\*+/g)?.length ?? 0) <= mostWildcards;

const compiled = new Map<string, { readonly expression: RegExp; readonly weight: number }>();

/** `deep` allows items in subfolders of the place. */
function matchTemplate(
  template: string,
  path: string,
  deep: boolean,
): Pick<Match, 'name' | 'scope' | 'weight'> | undefined {
  if (!isMatchable(template)) return undefined;
  const { expression, weight } = compile(template, deep);
  const match = expression.exec(path);
  if (!match) return undefined;
  const scope = match.groups?.scope?.replace(/\/$/, '') ?? '';
  const name = match.groups?.name ?? baseName(path);
  return { name: name.replace(/\/+$/, ''), scope, weight };
}

function compile(template: string, deep: boolean) {
  const key = `${deep}${template}`;
  const known = compiled.get(key);
  if (known) return known;
  let weight = 0;
  let named = false;
  const parts = template.split(/(\{[A-Za-z]+\}|\*\*\/|\*\*|\*)/).map(part => {
    if (part === '{name}' && !named) {
      named = true;
      return deep ? '(?<name>.+)' : '(?<name>[^/]+)';
    }
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*' || /^\{[A-Za-z]+\}$/.test(part)) return '[^/]+';
    weight += part.length;
    return escapeRegex(part);
  });
  const made = { expression: new RegExp(`^(?<scope>(?:[^/]+/)*?)${parts.join('')}$`, 'u'), weight };
  compiled.set(key, made);
  return made;
}

interface InBundle extends Recognised {
  readonly bundle: string;
  readonly file: FileSpec;
}

/** Finds the bundle of some tool that contains a file; `undefined` when there is none. */
export function recogniseInBundle(path: string, specs: readonly TargetSpec[]): InBundle | undefined {
  for (const spec of specs) {
    for (const file of Object.values(spec.files)) {
      if (file.kind !== 'items' || file.of !== 'plugins') continue;
      const folder = bundleFolder(file);
      const inFolder = Object.values(file.parts ?? {}).map(
        part => [part, `${folder}/${pathInBundle(part)}`] as const,
      );
      for (const [form, template] of [[file, file.path] as const, ...inFolder]) {
        const found = expressionOf(template).exec(path)?.groups;
        const { bundle, name } = found ?? {};
        if (bundle !== undefined)
          return { spec, file: form, bundle, name: name ?? bundle, scope: '', shared: false };
      }
    }
  }
  return undefined;
}

/** The first name in a path is that of the bundle, the second that of the item. */
function expressionOf(template: string): RegExp {
  let names = 0;
  const expression = templateExpression(template, placeholder => {
    if (placeholder !== 'name') return undefined;
    names++;
    return names === 1 ? '(?<bundle>[^/]+)' : '(?<name>[^/]+)';
  });
  return new RegExp(`^${expression}$`, 'u');
}

/** The items that a file of a bundle contributes to it. */
export function bundleItems(parts: readonly MappedBlock[], { bundle, file }: InBundle): MappedBlock[] {
  const collection = partOf(file);
  if (collection === undefined || collection === 'plugins') return [];
  const names = parts.flatMap(({ block, key }) =>
    key !== undefined && collectionOf(block) === collection ? [key] : [],
  );
  const [first] = parts;
  if (!first || names.length === 0) return [];
  const { startLine, endLine } = first;
  const fields = new Map([[collection, names]]);
  return [
    {
      block: 'plugins',
      key: bundle,
      content: { kind: 'fields', fields },
      startLine,
      endLine,
      confidence: 1,
      lists: 'joined',
    },
  ];
}
