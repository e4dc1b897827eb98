import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { compareCodeUnits } from '../text/order.ts';
import { pathKey } from '../text/portable-path.ts';
import { textHash } from './canonical.ts';
import { type CollectedOutputs, collectOutputs, contentReader } from './collect.ts';
import { checkOutputPath, type OwnedFile, sorted } from './manifest.ts';
import {
  ownerOf,
  type PlanContext,
  type PlanEntry,
  type PlanInput,
  type Planned,
  type WritePlan,
} from './plan.ts';
import { planRemovedShared, planShared } from './plan-shared.ts';
import { planAlias, planOriginals, planSource } from './plan-source.ts';
import { planRemovedLink, planRemovedWhole, planWholeFile } from './plan-whole.ts';

/**
 * Compares outputs with existing files and decides what happens to every file. Nothing is written. Everything
 * that blocks the plan is reported: errors in outputs, conflicts, drift, and places that cannot be written.
 */
export async function planWrites(input: PlanInput, report: Report): Promise<WritePlan> {
  const { collected, context } = prepare(input, report);
  if (!collected.ok) return { entries: [], blocked: true, manifest: input.manifest };
  const { outputs, aliases } = collected;
  const entries: PlanEntry[] = [];
  const files = new Map<string, OwnedFile>();
  const add = (path: string, planned: Planned | undefined) => {
    if (!planned) return;
    entries.push(planned.entry);
    if (planned.owned) files.set(path, planned.owned);
    if (planned.entry.action === 'delete') context.deletedPaths.add(pathKey(path));
  };

  const paths = new Set([...outputs.values()].map(({ path }) => path));
  for (const [path, file] of [...input.manifest.files, ...unlistedFiles(input)]) {
    if (paths.has(path) || context.isSource(context.followLinks(path).end)) continue;
    if (input.keep?.(path, file)) {
      files.set(path, file);
      continue;
    }
    const removed = await (file.keys ? planRemovedShared : planRemovedWhole)(path, file, context);
    add(path, removed);
    if (removed?.entry.action !== 'delete') continue;
    for (const link of file.links ?? []) add(link, planRemovedLink(link, path, file, context));
  }
  for (const output of outputs.values()) {
    const plan = output.kind === 'whole' ? planWholeFile(output, context) : planShared(output, context);
    add(output.path, await plan);
  }
  for (const source of collected.sources) entries.push(planSource(source, context));
  for (const alias of aliases) entries.push(planAlias(alias, context));
  const aliasesOf = groupBy(aliases, ({ place }) => place);
  for (const [path, file] of files) {
    const links = linksTo(path, aliasesOf.get(path) ?? [], context);
    if (links.length > 0) files.set(path, { ...file, links });
  }
  const originals = await planOriginals(input, files, entries, context);
  entries.push(...originals.entries);
  entries.sort((a, b) => compareCodeUnits(a.path, b.path));
  const manifest = { files: sorted(files), originals: originals.record };
  return { entries, blocked: entries.some(isBlocking), manifest, originals: originals.remaining };
}

/**
 * Checks outputs without comparing existing files: reports errors, and text that sources in their place lack.
 */
export function checkOutputs(input: PlanInput, report: Report): void {
  const { collected, context } = prepare(input, report);
  if (!collected.ok) return;
  // A resource that cannot be read is reported when it is read.
  for (const output of collected.outputs.values()) if (output.kind === 'whole') context.contentOf(output);
  for (const source of collected.sources) planSource(source, context);
  for (const alias of collected.aliases) planAlias(alias, context);
}

function prepare(
  input: PlanInput,
  report: Report,
): { readonly collected: CollectedOutputs; readonly context: PlanContext } {
  const { followLinks = path => ({ path, end: path }) } = input;
  const sources = new Set([...(input.sources ?? [])].map(path => pathKey(followLinks(path).end)));
  const owned = new Map([...input.manifest.files].map(([path, file]) => [pathKey(path), file]));
  const context = {
    ...input,
    report,
    followLinks,
    owned,
    contentOf: contentReader(),
    deletedPaths: new Set<string>(),
    isSource: (place: string) => sources.has(pathKey(place)),
    isBehindLink: (path: string) => followLinks(path).path !== path,
  };
  const collected = collectOutputs(input.files, context, report);
  return { collected, context: { ...context, outputs: collected.outputs } };
}

/**
 * Symlinks of the user that make an output the same file as another, or let a tool read it; from this run or
 * an earlier one.
 */
function linksTo(
  place: string,
  aliases: CollectedOutputs['aliases'],
  { owned, alsoReadAt, present }: PlanContext,
): readonly string[] {
  const known = owned.get(pathKey(place))?.links ?? [];
  const read = alsoReadAt?.(place) ?? [];
  return [...new Set([...aliases.map(({ file }) => file.path), ...known, ...read])]
    .filter(link => present(link)?.real === place && present(link)?.kind === 'link')
    .sort(compareCodeUnits);
}

/** Files that this machine wrote and the manifest does not list. Unedited ones are still owned. */
function* unlistedFiles({ written, manifest, present, hash }: PlanInput): Iterable<[string, OwnedFile]> {
  for (const [path, file] of written ?? []) {
    if (manifest.files.has(path) || checkOutputPath(path) !== undefined) continue;
    const now = present(path);
    const found = now?.kind === 'file' ? textHash(now.read(), hash) : undefined;
    if (found !== undefined && file.sha256.includes(found)) yield [path, { ...ownerOf(file), sha256: found }];
  }
}

const isBlocking = (entry: PlanEntry): boolean =>
  (entry.state === 'conflict' || entry.state === 'drifted') && entry.action === 'keep';
