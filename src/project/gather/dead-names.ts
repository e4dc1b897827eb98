import { conventions } from '../../generated/conventions.ts';
import {
  aliasUnused,
  conventionUnused,
  sectionUnknown,
  skillTargetUnmatched,
  sourceUnread,
} from '../../generated/diagnostics.ts';
import { canonicalBlock } from '../../resolve/catalogue.ts';
import type { Unit } from '../../resolve/program.ts';
import { referencesOf, writtenForm } from '../../resolve/written-at.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { removingField, renameFix } from '../../text/diagnostics/fixes.ts';
import { entryPath, localPath, markdownEntryPath, markdownNotesPath } from '../../text/places.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import { targetEntries } from '../config/targets.ts';
import type { Project } from '../open/open.ts';

/**
 * Reports names in the configuration that nothing uses: keys of `skillTargets`, registry aliases, conventions.
 * Aliases and conventions of an inherited configuration are not reported, because they may be for other projects.
 */
export function reportDeadNames(
  { loaded }: Project,
  entry: string,
  units: readonly Unit[],
  report: Report,
): void {
  const { config, spanOf } = loaded;
  const { skillTargets = {}, registries = {}, customConventions = {}, builds = {}, input } = config;
  const own = (path: readonly string[]): Span | undefined => {
    const span = spanOf(path, 'key');
    return span?.source === spanOf([])?.source ? span : undefined;
  };
  /** A section without other names is removed as a whole. */
  const removal = (section: 'registries' | 'customConventions', name: string) => {
    const path = Object.keys(config[section] ?? {}).length > 1 ? [section, name] : [section];
    return removingField(part => spanOf(path, part), name);
  };
  const holders = [targetEntries(config), ...Object.values(builds).map(build => targetEntries(build))];
  const chosen = new Set(holders.flat().map(target => target.config.convention));
  for (const name of Object.keys(customConventions)) {
    const span = own(['customConventions', name]);
    if (span && !chosen.has(name) && entry === input.entry)
      report(conventionUnused({ name }, { span, fixes: removal('customConventions', name) }));
  }
  // The remaining names are for all builds; a single entry does not show what other entries use.
  const entries = entriesOf(config);
  if (entries.size > 1 || entry !== input.entry) return;
  reportSections(loaded, units, report);
  const written = writtenReferences(units);
  for (const reference of Object.keys(skillTargets)) {
    if (written.has(reference)) continue;
    const hint = didYouMean(reference, written).trim() || undefined;
    const span = spanOf(['skillTargets', reference], 'key');
    report(skillTargetUnmatched({ reference }, { span, hint, fixes: renameFix(span, reference, written) }));
  }
  if (config.inherit !== undefined) written.add(config.inherit);
  for (const { reference } of loaded.shared) written.add(reference);
  for (const alias of Object.keys(registries)) {
    const span = own(['registries', alias]);
    if (!span || [...written].some(reference => uses(reference, alias))) continue;
    report(aliasUnused({ alias }, { span, fixes: removal('registries', alias) }));
  }
}

/** The entry files of all builds. */
const entriesOf = ({ input, builds = {} }: Project['loaded']['config']): ReadonlySet<string> =>
  new Set([input.entry, ...Object.values(builds).map(build => build.entry ?? input.entry)]);

/**
 * Names in the section order that belong to no section: neither to a block of the language nor to one of the sources.
 */
function reportSections({ config, spanOf }: Project['loaded'], units: readonly Unit[], report: Report): void {
  const { sectionOrder = [] } = config.output ?? {};
  if (sectionOrder.length === 0) return;
  const known = new Set(Object.keys(conventions.catalogue.sections));
  for (const unit of units)
    if (unit.kind === 'source')
      for (const declaration of unit.document.declarations)
        if (declaration.kind === 'block') known.add(canonicalBlock(declaration.name));
  for (const [at, name] of sectionOrder.entries()) {
    if (known.has(name)) continue;
    const span = spanOf(['output', 'sectionOrder', at]);
    const hint = didYouMean(name, known).trim() || undefined;
    report(sectionUnknown({ name }, { span, hint, fixes: renameFix(span, name, known) }));
  }
}

/**
 * Reports files that look like sources but are not read: the other entry, private notes in the wrong place, and
 * `.prs` files in `.instr` without an import. `beside` are the names of the files in `.instr`. In a project with
 * several entries, such files may be for another entry.
 */
export function reportUnread(
  { loaded: { config } }: Project,
  entry: string,
  units: readonly Unit[],
  beside: readonly string[],
  report: Report,
): void {
  const isFile = (path: string) => beside.includes(path.slice('.instr/'.length));
  const isUnread = (path: string) => isFile(path) && !units.some(({ id }) => id === path);
  const other = entry === entryPath ? markdownEntryPath : entryPath;
  if ((entry === entryPath || entry === markdownEntryPath) && isUnread(other))
    report(sourceUnread({ path: other, why: `\`${entry}\` is the entry` }, { file: other }));
  if (entry === config.input.entry && entriesOf(config).size === 1)
    reportUnimported(
      entry,
      units,
      beside.filter(name => isUnread(`.instr/${name}`)),
      report,
    );
  if (!isUnread(markdownNotesPath)) return;
  const why = `private notes are read from \`${localPath}\``;
  const hint = 'Write them there: `@local { "…" }`.';
  report(sourceUnread({ path: markdownNotesPath, why }, { file: markdownNotesPath, hint }));
}

/** Reports `.prs` files of `.instr` that no source imports; `unread` are the names of files there that are not read. */
function reportUnimported(
  entry: string,
  units: readonly Unit[],
  unread: readonly string[],
  report: Report,
): void {
  // A missing import is an error of its own, often about the name of a file that is there.
  const isResolved = units.every(
    unit =>
      unit.kind !== 'source' ||
      unit.document.declarations.every(one => one.kind !== 'use' || unit.references.has(one.reference.path)),
  );
  if (!isResolved) return;
  for (const name of unread) {
    const path = `.instr/${name}`;
    if (!name.endsWith('.prs') || path === entryPath || path === localPath) continue;
    const hint = `Add \`@use ./${name}\` to \`${entry}\`, or remove the file.`;
    report(sourceUnread({ path, why: 'no source imports it' }, { file: path, hint }));
  }
}

const uses = (reference: string, alias: string): boolean =>
  reference === alias || reference.startsWith(`${alias}/`) || reference.startsWith(`${alias}@`);

function writtenReferences(units: readonly Unit[]): Set<string> {
  const written = new Set<string>();
  for (const unit of units) {
    if (unit.kind !== 'source') continue;
    for (const reference of unit.document.declarations.flatMap(referencesOf))
      written.add(writtenForm(reference)).add(reference.path);
  }
  return written;
}
