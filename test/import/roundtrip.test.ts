/** Round trip of emit and import: everything that a target has a place for is imported from its files. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toolsAsPermissions } from '../../src/emit/server-tools.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { selectForTarget, variantsFor } from '../../src/kinds/audience.ts';
import { Omissions } from '../../src/kinds/omissions.ts';
import type { Omission } from '../../src/kinds/output.ts';
import { activeFiles, type Place } from '../../src/kinds/places.ts';
import type { TargetRequest } from '../../src/kinds/request.ts';
import { nativeHooks } from '../../src/kinds/write/hooks.ts';
import { printParts } from '../../src/migrate/import/document.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { mergeParts } from '../../src/migrate/merge.ts';
import { collections } from '../../src/model/collections.ts';
import { strings } from '../../src/model/data.ts';
import type { Collection, Data, Item, Model } from '../../src/model/model.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import { isObject } from '../../src/text/data.ts';
import { allVersions, type Compiled, compileModel, openKitchenSink, requestFor, resolveText, textOf } from '../support/compile.ts';
import { sample } from '../support/depth.ts';
import { translationsOf } from '../support/texts.ts';

const tests = suite('import: emit read backwards');
const { model } = await openKitchenSink();
const specs = builtinIds().map(id => builtinSpec(id)!.spec);

type Imported = { readonly imported: Awaited<ReturnType<typeof importFile>>; readonly found: readonly string[] };
const known = new Map<string, Promise<Imported>>();

/** Versions of a tool have most files in common. Each file is read once. */
function importOnce(path: string, bytes: Uint8Array, order: readonly TargetSpec[]): Promise<Imported> {
  const key = [order[0]!.id, path, Buffer.from(bytes).toString('latin1')].join('\n');
  const before = known.get(key);
  if (before) return before;
  const found: string[] = [];
  const imported = importFile({ path, bytes, specs: order, bundled: true }, ({ code, severity, message }) => {
    if (severity !== 'info') found.push(`${code} ${message}`);
  });
  const made = imported.then(read => ({ imported: read, found }));
  known.set(key, made);
  return made;
}

/** The model imported from the files of a target, and the source in between. */
async function readBack({ spec }: LoadedSpec, { files }: Compiled): Promise<{ model: Model; text: string }> {
  const order = [spec, ...specs.filter(other => other !== spec)];
  const sources = [];
  for (const { path, bytes, format } of files) {
    // Files of a skill are imported with its folder.
    if (format === 'other') continue;
    const { imported, found } = await importOnce(path, bytes, order);
    // Files that contain only settings have no content for sources.
    const onlySettings = Object.values(spec.files).every(file => file.path !== path || file.kind === 'settings');
    if (!imported && onlySettings) continue;
    assert.ok(imported, `${path} is read: ${found.join('\n')}`);
    sources.push({ path, text: '', parts: imported.parts });
  }
  const text = printParts('back', mergeParts(sources).parts.map(({ part }) => part));
  return { model: resolveText(text).model, text };
}

/** The items of a target. Enabled tools of a server are permissions if a file for permissions contains them. */
function itemsFor(collection: Collection, { spec, version, options }: TargetRequest): readonly Item[] {
  const of = (name: Collection) => variantsFor(selectForTarget(model.items[name], spec), spec);
  const places = activeFiles(spec, version, options);
  const placesOf = (part: string) => places.filter(({ file }) => 'of' in file && file.of === part);
  const paths = (part: string) => placesOf(part).map(({ file }) => file.path);
  const isApart = !paths('mcpServers').some(path => paths('permissions').includes(path));
  if (!isApart || (collection !== 'mcpServers' && collection !== 'permissions')) return of(collection);
  const told = toolsAsPermissions({ mcpServers: of('mcpServers'), permissions: of('permissions') }, placesOf);
  return told[collection];
}

/** The items that the target was expected to write: hooks in its own form, everything else unchanged. */
function wanted(collection: Collection, request: TargetRequest, places: readonly Place[]): readonly Item[] {
  const items = itemsFor(collection, request);
  // Together with other permissions, read denials are imported as permissions.
  const hasPermissions = Object.values(request.spec.files).some(file => 'of' in file && file.of === 'permissions');
  if (collection === 'ignore' && hasPermissions && places.every(({ file }) => 'permissions' in file && file.permissions)) return [];
  if (collection !== 'hooks') return items;
  const facts = places.map(({ file }) => ('hooks' in file ? file.hooks : undefined)).find(hooks => hooks !== undefined);
  if (!facts) return [];
  const ignored = new Omissions(request);
  const native = nativeHooks(items, facts, request, ignored).map(({ item }) => item);
  // A portable event can correspond to several events of the tool.
  return native.filter(({ path }, index) => native.findIndex(other => other.path === path) === index);
}

const omitted = (omissions: readonly Omission[], path: string): boolean =>
  omissions.some(({ source }) => source === path || path.startsWith(`${source}.`) || source.startsWith(`${path}.`) || source.startsWith(`${path}[`));

/** Normalizes texts, and treats a single value like a list with one item. */
function plain(data: Data | undefined): string {
  if (isObject(data)) return JSON.stringify(Object.entries(data).map(([key, value]) => [key, plain(value)]));
  if (Array.isArray(data) && data.some(isObject)) return JSON.stringify(data.map(plain));
  return strings(data)
    .map(text => text.trim())
    .join('\n');
}

/** Fields that the model or the compiler derives from others. */
const made: ReadonlySet<string> = new Set([
  'name', 'id', 'title', 'program', 'arguments', 'commandLine', 'nativeEvent', 'shell', 'powershell', 'directory', 'timeout',
  'wrapped', 'eventShape', 'script', 'command', 'args', 'enabled', 'targets', 'prompt', 'references', 'sealed', 'argv',
]);

interface Comparison {
  readonly loaded: LoadedSpec;
  readonly collection: Collection;
  readonly omissions: readonly Omission[];
  readonly seconds: boolean;
}

/** The differences between an item before and after the round trip. */
function differences(before: Item, after: Item, { loaded, collection, omissions, seconds }: Comparison): string[] {
  const translated = translationsOf(loaded.spec);
  const native = (text: string) =>
    [...new Set(text.split('\n').map(word => translated.get(word) ?? word))].sort().join('\n');
  const wrong: string[] = [];
  const extra = new Map([...(before.extra ?? []), ...before.fields]);
  const compare = (field: string, same: (a: Data | undefined, b: Data | undefined) => boolean) => {
    const [a, b] = [extra.get(field), after.fields.get(field)];
    if (same(a, b) || omitted(omissions, `${before.path}.${field}`)) return;
    wrong.push(`${before.path}.${field}\n    - ${plain(a)}\n    + ${plain(b)}`);
  };
  for (const field of new Set([...before.fields.keys(), ...after.fields.keys()])) {
    if (made.has(field) || before.computed.has(field)) continue;
    if (field === 'transport' && alike(loaded, before, after)) continue;
    if (field === 'timeoutMs')
      compare(field, (a, b) => a === b || (seconds && Math.ceil(Number(a) / 1000) * 1000 === b));
    else compare(field, (a, b) => plain(a) === plain(b) || native(plain(a)) === native(plain(b)));
  }
  if (collection === 'hooks' || collection === 'mcpServers')
    compare('argv', (a, b) => JSON.stringify(strings(a)) === JSON.stringify(strings(b)));
  return wrong;
}

/** Whether the tool writes both transports in the same way. */
function alike({ spec }: LoadedSpec, a: Item, b: Item): boolean {
  const shapes = Object.values(spec.files).flatMap(file => (file.kind === 'entries' && file.variants ? [file.variants] : []));
  return shapes.some(variants => {
    const [one, other] = [a, b].map(item => JSON.stringify(variants[String(item.fields.get('transport'))]));
    return one !== undefined && one === other;
  });
}

/** Whether two collections share a folder in which their files cannot be distinguished. */
function sharesFolder({ spec }: LoadedSpec, a: Collection, b: Collection): boolean {
  const pathsOf = (of: Collection) =>
    Object.values(spec.files).flatMap(file => (file.kind === 'items' && file.of === of ? [`${file.dir ?? ''}/${file.path}`.replace(/^\//, '')] : []));
  return pathsOf(a).some(path => pathsOf(b).includes(path));
}

/** Most tools have no names for hooks, so they are identified by their command. */
const sameItem = (collection: Collection, a: Item, b: Item): boolean =>
  a.fields.has('list')
    ? a.fields.get('list') === b.fields.get('list') && a.fields.get('text') === b.fields.get('text')
    : collection === 'hooks'
    ? plain(a.fields.get('argv')) === plain(b.fields.get('argv')) && plain(a.fields.get('event')) === plain(b.fields.get('event'))
    : a.name === b.name || (collection === 'guards' && `${a.name}-rules` === b.name);

/** The lines of a model's sections as a document of the model shows them, without list and heading markers. */
async function linesOf(sections: Model['sections'], loaded: LoadedSpec, version: string): Promise<string[]> {
  const items = Object.fromEntries(collections.map(name => [name, []])) as unknown as Model['items'];
  const compiled = await compileModel({ ...model, sections, items, local: [], unplaced: [] }, [{ loaded, config: { version } }]);
  return bare(compiled.files.map(textOf).join('\n'));
}

const bare = (text: string): string[] =>
  text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .split('\n')
    .map(line => line.replace(/^\s*(?:#{1,6}|[-*]|\d+\.)\s+/, '').trim())
    .filter(line => line !== '');

for (const { loaded, id, version } of sample(allVersions())) {
  tests(`${id} ${version}`, async () => {
    const request = requestFor(loaded, { version }, () => {})!;
    const compiled = await compileModel(model, [{ loaded, config: { version } }]);
    const back = await readBack(loaded, compiled);
    const places = activeFiles(loaded.spec, version, request.options);
    const wrong: string[] = [];
    const hasPlace = (collection: Collection) => places.some(({ file }) => 'of' in file && file.of === collection);
    const takenBySkills = places.flatMap(({ file }) => (file.kind === 'items' ? (file.takes ?? []) : [])).filter(name => !hasPlace(name));
    for (const name of takenBySkills)
      for (const item of model.items[name])
        if (!back.model.items.skills.some(skill => skill.name === item.name)) wrong.push(`${item.path} is no skill`);
    for (const collection of collections) {
      const own = places.filter(({ file }) => 'of' in file && file.of === collection);
      // Without rules, guards become skills. Such a skill says so in its description.
      if (own.length === 0 && (collection !== 'guards' || !places.some(({ file }) => 'of' in file && file.of === 'skills'))) continue;
      const seconds = true;
      const left = [...back.model.items[collection]];
      const others = collections.filter(other => other !== collection && sharesFolder(loaded, collection, other));
      for (const item of wanted(collection, request, own)) {
        if (compiled.omissions.some(({ source }) => source === `${item.path}.argv`)) continue;
        const at = left.findIndex(other => sameItem(collection, item, other));
        if (at === -1) {
          if (others.some(other => back.model.items[other].some(({ name }) => name === item.name))) continue;
          if (!isWholeOmission(item, compiled.omissions)) wrong.push(`${item.path} is gone`);
          continue;
        }
        const [found] = left.splice(at, 1);
        wrong.push(...differences(item, found!, { loaded, collection, omissions: compiled.omissions, seconds }));
      }
      const ignores = places.some(({ file }) => file.kind === 'entries' && file.of === 'ignore' && file.permissions);
      const isIgnored = ({ fields }: Item) => ignores && String(fields.get('text')).startsWith('read:**/') || String(fields.get('text')).startsWith('read:reports/');
      const strangers = left.filter(item => collection !== 'permissions' || !isIgnored(item)).filter(({ name }) => ![...others, ...(collection === 'skills' ? takenBySkills : [])].some(other => model.items[other].some(item => item.name === name)));
      for (const item of strangers) wrong.push(`${item.path} was not there`);
    }
    if (places.some(({ file }) => file.kind === 'document')) {
      for (const section of model.sections) {
        const before = await linesOf([section], loaded, version);
        const same = back.model.sections.find(({ key }) => key === section.key);
        // A custom block, and a list of commands among others, may be imported at another position.
        const anywhere = section.key === 'house-rules' || section.key === 'shortcuts';
        const after = anywhere ? await linesOf(back.model.sections, loaded, version) : same ? await linesOf([same], loaded, version) : [];
        const gone = missing(before, after);
        if (gone.length > 0) wrong.push(`section ${section.key}\n${gone.map(line => `    - ${line}`).join('\n')}`);
      }
    }
    if (places.some(({ file }) => file.kind === 'document' && file.of === 'local')) {
      const notes = (of: Model) => linesOf([{ key: 'local', path: 'local', content: of.local }], loaded, version);
      const gone = missing(await notes(model), await notes(back.model));
      if (gone.length > 0) wrong.push(`local\n${gone.join('\n')}`);
    }
    wrong.push(...(await changedFiles(back.model, { loaded, version }, compiled)));
    assert.is(wrong.join('\n'), '');
  });
}

function isWholeOmission(item: Item, omissions: readonly Omission[]): boolean {
  return omissions.some(({ source }) => source === item.path || source.startsWith(`${item.path}.content`) || source.startsWith(`${item.path}.url`) || source.startsWith(`${item.path}.marketplace`) || source.startsWith(`${item.path}.argv`));
}

/**
 * Files that change when the imported model is compiled again, or lost lines. In main files a custom block may have
 * moved. Skills may have unknown keys in another order.
 */
async function changedFiles(back: Model, { loaded, version }: { loaded: LoadedSpec; version: string }, first: Compiled): Promise<string[]> {
  const again = await compileModel(back, [{ loaded, config: { version } }]);
  const texts = new Map(again.files.map(file => [file.path, textOf(file)]));
  const lines = new Set([...texts.values()].flatMap(bare));
  const documents = new Set(Object.values(loaded.spec.files).flatMap(file => (file.kind === 'document' ? [file.path] : [])));
  return first.files.flatMap(file => {
    if (file.format === 'other' || texts.get(file.path) === textOf(file)) return [];
    const gone = bare(textOf(file)).filter(line => !lines.has(line));
    const mayMove = /\/SKILL\.md$/.test(file.path) || documents.has(file.path.replace('AGENTS.md', '{agentsFile}')) || documents.has(file.path);
    return gone.length > 0 || !mayMove ? [`${file.path} changed\n${gone.join('\n')}`] : [];
  });
}

/** Lines that are missing in the other text, or are in another order there. */
function missing(before: readonly string[], after: readonly string[]): string[] {
  let at = -1;
  return before.filter(line => {
    const next = after.indexOf(line, at + 1);
    if (next !== -1) at = next;
    return next === -1;
  });
}

tests.run();
