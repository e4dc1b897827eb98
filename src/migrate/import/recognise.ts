import type { FileSpec, TargetSpec } from '../../generated/types/target.ts';
import { allUniversalFiles, isAmongSkills, pathsOf } from '../../spec/item-places.ts';
import { readablePaths } from '../../spec/reads.ts';
import { partOf } from '../../spec/spec.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { baseName } from '../../text/paths.ts';
import { sharedFolder } from '../../text/places.ts';

export interface Recognised {
  /** Absent when no spec has the path. */
  readonly spec?: TargetSpec;
  /** The entry of `files` with the format of the file; absent for places that are only read. */
  readonly place?: string;
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
  let best: Match | undefined;
  const owners = new Set<TargetSpec>();
  const offer = (match: Match | undefined) => {
    if (!match) return;
    if (best && match.weight < best.weight) return;
    if (!best || match.weight > best.weight) {
      best = match;
      owners.clear();
    }
    owners.add(match.spec!);
  };
  for (const spec of specs) {
    for (const [place, file] of Object.entries(spec.files)) {
      if (file.kind === 'settings' || (file.kind === 'items' && file.of === 'plugins')) continue;
      const others = file.kind === 'entries' && file.others !== undefined ? [file.others] : [];
      for (const template of [...pathsOf(file, spec, universalDir), ...others]) {
        const deep = file.kind === 'items' && !isAmongSkills(template, file, spec, universalDir);
        const match = matchTemplate(template, path, deep);
        // A tool that writes the file in its default version takes precedence over one that needs another
        // version.
        const usual = file.versions?.includes(spec.defaultVersion) ?? true;
        // When a tool stores commands among its skills, other tools read the file as a skill.
        const skill = partOf(file) === 'skills';
        const bonus = (usual ? 0.25 : 0) + (skill ? 0.125 : 0);
        if (match) offer({ ...match, spec, place, file, weight: match.weight + bonus });
      }
    }
    for (const legacy of spec.legacy ?? []) {
      const match = matchTemplate(legacy.path, path, true);
      const file = legacy.as === undefined ? undefined : spec.files[legacy.as];
      if (match) offer({ ...match, spec, ...(file && { place: legacy.as!, file }) });
    }
    for (const read of [...(spec.reads ? readablePaths(spec.reads) : []), ...(spec.detect ?? [])]) {
      if (!/\.(?:md|mdc|markdown|txt)$|\/\.?[a-z]+rules$|^\.[a-z]+rules$/.test(read)) continue;
      const match = matchTemplate(read, path, true);
      // A place that is only read has lower precedence than one with a known format.
      if (match) offer({ ...match, spec, weight: match.weight - 0.5 });
    }
  }
  if (!best) return inUniversalDir(path, universalDir);
  const { weight: _, ...found } = best;
  return { ...found, shared: owners.size > 1 };
}

/** Recognises files in the universal directory, which belongs to no tool. */
function inUniversalDir(path: string, universalDir: string): Recognised | undefined {
  for (const file of allUniversalFiles()) {
    const match = matchTemplate(
      `${file.dir}/${file.path}`.replaceAll('{universal}', universalDir),
      path,
      true,
    );
    if (match) return { name: match.name, scope: match.scope, shared: true, place: file.of, file };
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
