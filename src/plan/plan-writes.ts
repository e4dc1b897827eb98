import type { Report } from '../diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { compareCode } from '../text/order.ts';
import { pieceByPiece } from '../text/pieces.ts';
import { pathKey } from '../text/portable-path.ts';
import { bytesMaker, type CollectedOutputs, collectInPieces } from './collect.ts';
import { textHash } from './line-ends.ts';
import { type Manifest, type OwnedFile, sorted } from './manifest.ts';
import type { FollowLinks, PlanEntry, WritePlan } from './plan.ts';
import type { PlanContext, PlanInput, Planned } from './plan-context.ts';
import { planOriginals } from './plan-originals.ts';
import { planRemovedShared, planShared } from './plan-shared.ts';
import { planAlias, planSource } from './plan-source.ts';
import { planRemovedLink, planRemovedWhole, planWhole } from './plan-whole.ts';
import { checkOutputPath } from './safe-path.ts';

/**
 * Compares outputs with what is present and decides what happens to every file. Nothing is written. Every reason
 * that blocks the plan has been reported: errors in the outputs, conflicts, drift, places that cannot be written.
 */
export async function planWrites(input: PlanInput, report: Report): Promise<WritePlan> {
  const { collected, followLinks, isSource, context } = await placeAll(input, () => input.manifest, report);
  const { outputs } = collected;
  if (!collected.ok) return { entries: [], blocked: true, manifest: input.manifest };

  const planned = new Set<string>();
  const hadFiles = input.manifest.files.size > 0 || (input.written?.size ?? 0) > 0;
  if (hadFiles) for (const { path } of outputs.values()) planned.add(path);
  const entries: PlanEntry[] = [];
  const files = new Map<string, OwnedFile>();

  const add = (path: string, result: Planned | undefined) => {
    if (!result) return;
    entries.push(result.entry);
    if (result.owned) files.set(path, result.owned);
    if (result.entry.action === 'delete') context.leaving.add(pathKey(path));
  };
  const settle = async (path: string, file: OwnedFile) => {
    if (isSource(followLinks(path).end)) return;
    if (input.keep?.(path, file)) {
      files.set(path, file);
      return;
    }
    const gone = await (file.keys
      ? planRemovedShared(path, file, context)
      : planRemovedWhole(path, file, context));
    add(path, gone);
    if (gone?.entry.action !== 'delete') return;
    for (const link of file.links ?? []) add(link, planRemovedLink(link, path, file, context));
  };
  for (const [path, file] of input.manifest.files) if (!planned.has(path)) await settle(path, file);
  for (const [path, file] of forgotten(input)) if (!planned.has(path)) await settle(path, file);
  for (const [key, output] of outputs) {
    const result =
      output.kind === 'whole'
        ? planWhole(context.inBytes(output), key, context)
        : planShared(output, context);
    // Most are decided at once, and waiting for nothing takes longer than deciding.
    add(output.path, result instanceof Promise ? await result : result);
  }

  for (const source of collected.sources) entries.push(await planSource(source, context));
  for (const alias of collected.aliases) entries.push(planAlias(alias, context));
  const aliases = groupBy(collected.aliases, ({ place }) => place);
  files.forEach((file, path) => {
    const links = linksTo(path, aliases.get(path) ?? noAliases, context);
    if (links.length > 0) files.set(path, { ...file, links });
  });

  const originals = await planOriginals(input, { files, planned: entries, followLinks, isSource });
  entries.push(...originals.entries);

  entries.sort((a, b) => compareCode(a.path, b.path));
  const blocked = entries.some(isBlocking);
  const manifest = { files: sorted(files), originals: originals.record };
  return { entries, blocked, manifest, beside: originals.beside };
}

/**
 * Checks outputs without looking at the files in their places: reports errors in the outputs themselves, and what
 * does not reach a tool because its file is a source. What is owned is asked for where links lead outputs elsewhere.
 */
export async function checkOutputs(
  input: Omit<PlanInput, 'manifest'>,
  readManifest: () => Manifest,
  report: Report,
): Promise<void> {
  const { collected, context } = await placeAll(input, readManifest, report);
  if (!collected.ok) return;
  // What cannot be read is told; texts need not be made bytes for that.
  for (const output of collected.outputs.values())
    if (output.kind === 'whole' && typeof output.content !== 'string') context.inBytes(output);
  for (const source of collected.sources) await planSource(source, context);
  for (const alias of collected.aliases) planAlias(alias, context);
}

/** Finds the real place of every output, and what is there. */
async function placeAll(
  input: Omit<PlanInput, 'manifest'>,
  readManifest: () => Manifest,
  report: Report,
): Promise<{
  readonly collected: CollectedOutputs;
  readonly followLinks: FollowLinks;
  readonly isSource: (place: string) => boolean;
  readonly context: PlanContext;
}> {
  const followLinks = input.followLinks ?? (path => ({ path, end: path }));
  const sourceKeys = new Set<string>();
  for (const path of input.sources ?? [])
    sourceKeys.add(pathKey(input.linked?.has(path) === false ? path : followLinks(path).end));
  let owned: Map<string, OwnedFile> | undefined;
  const ownedFiles = () => {
    if (!owned) {
      owned = new Map();
      for (const [path, file] of readManifest().files) owned.set(pathKey(path), file);
    }
    return owned;
  };
  const isSource = (key: string) => sourceKeys.has(key);
  const isOwned = (key: string) => ownedFiles().has(key);
  const pieces = collectInPieces(input.files, { followLinks, isSource, isOwned }, report);
  const collected = await pieceByPiece(pieces, input.pauses);
  const { outputs } = collected;
  const isElsewhere = (path: string) => followLinks(path).path !== path;
  const context = {
    ...input,
    report,
    outputs,
    inBytes: bytesMaker(),
    get owned() {
      return ownedFiles();
    },
    leaving: new Set<string>(),
    isElsewhere,
  };
  return { collected, followLinks, isSource: place => isSource(pathKey(place)), context };
}

/** The links of the user by which an output is another one, too, or a tool reads it: by this run, or by an earlier one. */
function linksTo(
  place: string,
  aliases: CollectedOutputs['aliases'],
  { owned, alsoReadAt, present }: PlanContext,
): readonly string[] {
  const known = owned.size === 0 ? none : (owned.get(pathKey(place))?.links ?? none);
  const read = alsoReadAt?.(place) ?? none;
  if (aliases.length + known.length + read.length === 0) return none;
  return [...new Set([...aliases.map(({ file }) => file.path), ...known, ...read])]
    .filter(link => present(link)?.real === place && present(link)?.kind === 'link')
    .sort(compareCode);
}

const none: readonly string[] = [];
const noAliases: CollectedOutputs['aliases'] = [];

/** Files that this machine wrote and the record does not list; unedited ones are still ours. */
function* forgotten({ written, manifest, present, hash }: PlanInput): Iterable<[string, OwnedFile]> {
  for (const [path, { targets, build, sha256 }] of written ?? []) {
    if (manifest.files.has(path) || checkOutputPath(path) !== undefined) continue;
    const now = present(path);
    const found = now?.kind === 'file' ? textHash(now.read(), hash) : undefined;
    if (found !== undefined && sha256.includes(found))
      yield [path, { targets, ...(build !== undefined && { build }), sha256: found }];
  }
}

/** Whether an entry is a conflict or drift that is not taken over. */
const isBlocking = (entry: PlanEntry): boolean =>
  (entry.state === 'conflict' || entry.state === 'drifted') && entry.action === 'keep';
