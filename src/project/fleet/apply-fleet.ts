import { join, resolve } from 'node:path';
import { badOptionValue, importOutputExists } from '../../generated/diagnostics.ts';
import { remoteOf } from '../../host/git.ts';
import { readTextAt } from '../../host/host.ts';
import { parseAddress } from '../../registry/address.ts';
import type { OpenFailure } from '../open/open.ts';
import type { CompileContext } from '../session/world.ts';
import { isFolder, namedVersion, splitChange } from './change.ts';
import { type FleetPlan, type FleetRequest, planFleet } from './plan-fleet.ts';
import { mark, multiGitterConfig, octoherdScript, scriptName, updateScript } from './recipe.ts';

/** A recipe that was written, with the plan that it carries out. */
export interface Recipe {
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly plan: FleetPlan;
  /** Repositories that it is for, as servers call them: `owner/name`. */
  readonly repositories: readonly string[];
  /** Repositories that change and whose clones know no server. */
  readonly withoutServer: readonly string[];
}

/**
 * Plans a change and writes what carries it out with multi-gitter or octoherd, for the repositories that it changes.
 * Other files are never replaced; what is wrong has been reported, and gives no recipe.
 */
export async function writeRecipe(
  request: FleetRequest & { readonly output: string; readonly force: boolean },
  context: CompileContext,
): Promise<Recipe | OpenFailure | undefined> {
  const { report, disk, cwd } = context;
  const { change: text = '' } = request;
  const { version } = splitChange(text);
  const isReleased =
    text !== '' && (version === undefined || (!isFolder(version) && namedVersion(version).kind === 'named'));
  if (!isReleased) {
    const hint =
      text === ''
        ? 'Say which source moves: `--change @lumen@v1.3.0`.'
        : 'Repositories pin releases: tag the change, push the tag, and name it.';
    report(badOptionValue({ option: '--change', value: text, allowed: '<source>@<tag>' }, { hint }));
    return 'wrong-request';
  }
  const plan = await planFleet(request, context);
  if (typeof plan === 'string') return plan;
  if (!plan.change || plan.sources.length === 0) return undefined;
  const changed = plan.repositories.filter(({ files }) => files.length > 0);
  const named = changed.map(({ root, repository }) => ({ repository, name: serverName(root) }));
  const repositories = named.flatMap(({ name }) => name ?? []);
  const files: readonly (readonly [path: string, text: string, mode?: number])[] = [
    [scriptName, updateScript(plan.change, plan.sources), 0o755],
    ['multi-gitter.yaml', multiGitterConfig(repositories, plan.change)],
    ['octoherd.mjs', octoherdScript(plan.change)],
    ['repositories.txt', `# ${mark}\n${repositories.map(name => `${name}\n`).join('')}`],
  ];
  const folder = resolve(cwd, request.output);
  for (const [name] of files) {
    const present = readTextAt(disk, join(folder, name));
    if (present === undefined || request.force || present.includes(mark)) continue;
    report(importOutputExists({ path: join(request.output, name) }));
    return undefined;
  }
  disk.makeDirectory(folder);
  for (const [name, content, mode] of files) {
    disk.writeBytes(join(folder, name), new TextEncoder().encode(content));
    if (mode !== undefined) disk.setMode(join(folder, name), mode);
  }
  const withoutServer = named.filter(({ name }) => name === undefined).map(({ repository }) => repository);
  return { folder, files: files.map(([name]) => name), plan, repositories, withoutServer };
}

/** `owner/name` of a clone, from where it was cloned from; `undefined` for one that no server has. */
function serverName(root: string): string | undefined {
  const url = remoteOf(root);
  const address = url === undefined ? undefined : parseAddress(url, root);
  if (!address || 'refused' in address || address.protocol === 'file') return undefined;
  const { shown, host = '' } = address;
  const path = /^[a-z+]+:\/\//.test(shown)
    ? new URL(shown).pathname
    : shown.slice(shown.indexOf(`${host}:`) + host.length + 1);
  return path.replace(/^\/+|(?:\.git)?\/*$/g, '');
}
