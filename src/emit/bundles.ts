import type { FileSpec, ItemFiles } from '../generated/types/target.ts';
import { selectForTarget, variantsFor } from '../kinds/audience.ts';
import type { Draft } from '../kinds/draft.ts';
import type { PlaceContext } from '../kinds/kind.ts';
import { Omissions } from '../kinds/omissions.ts';
import type { Place } from '../kinds/places.ts';
import { planPlace } from '../kinds/table.ts';
import { collections, keyOfItem } from '../model/collections.ts';
import { strings } from '../model/data.ts';
import type { Collection, Item, Model } from '../model/model.ts';
import { bundleFolder, pathInBundle } from '../spec/item-places.ts';
import { partOf } from '../spec/spec.ts';
import { isObject } from '../text/data.ts';

/** Whether a place is for bundles: folders with a manifest and copies of the items that it names. */
export const isBundle = (place: Place): place is Place<ItemFiles> =>
  place.file.kind === 'items' && place.file.of === 'plugins';

/** Plans the manifest of each bundle and copies of the items that it names; the others are omissions. */
export function planBundles(place: Place<ItemFiles>, planning: PlaceContext, model: Model): Draft[] {
  const { omissions } = planning;
  return planning.items.flatMap(bundle => {
    if (bundle.fields.get('origin') !== 'own') {
      omissions.item(bundle, 'plugins', omissions.adviceFor('plugins', 'marketplace'));
      return [];
    }
    const members = membersOf(bundle, place.file, planning, model);
    const manifest = { ...bundle, fields: withoutMembers(bundle, members) };
    return [
      ...planPlace(place, { ...planning, items: [manifest] }),
      ...members.flatMap(member => planMember(member, bundle, place, planning)),
    ];
  });
}

/** The items of a collection that a bundle names, and the part for them. */
interface Members {
  readonly collection: Collection;
  readonly part: FileSpec;
  readonly items: readonly Item[];
}

/** The members of a bundle by the parts of a place. Fields without a part remain and become omissions. */
function membersOf(
  bundle: Item,
  { parts = {} }: ItemFiles,
  { request, omissions }: PlaceContext,
  model: Model,
): Members[] {
  const { includeSkills: included } = request;
  return Object.values(parts).flatMap(part => {
    const collection = collections.find(name => name === partOf(part));
    if (!collection || !bundle.fields.has(collection)) return [];
    const items = strings(bundle.fields.get(collection)).flatMap((name, index) => {
      const path = `${bundle.path}.${collection}[${index}]`;
      const called = (item: Item) => item.name === name || keyOfItem(collection, item.name) === name;
      const found = model.items[collection].filter(called);
      if (found.length === 0)
        omissions.add(path, name, 'Nothing is called so: declare it, or remove the name.');
      const isChosen = collection !== 'skills' || included === true || included.has(name);
      if (!isChosen) omissions.add(path, name, '`includeSkills` leaves it out.');
      const meant = isChosen ? selectForTarget(found, request.spec) : [];
      return variantsFor(meant, request.spec).map(item => memberOf(item, path));
    });
    return [{ collection, part, items }];
  });
}

/** The copy of an item in a bundle; its own `into` does not apply. */
const memberOf = ({ into: _, origin: __, keptAt: ___, ...item }: Item, path: string): Item => ({
  ...item,
  path,
});

const withoutMembers = ({ fields }: Item, members: readonly Members[]): Item['fields'] =>
  new Map([...fields].filter(([name]) => !members.some(({ collection }) => collection === name)));

/** Plans the members of a bundle one by one, so that one that cannot be copied does not affect the others. */
function planMember(
  { part, items }: Members,
  bundle: Item,
  { name, file }: Place<ItemFiles>,
  { request, context, document, omissions }: PlaceContext,
): Draft[] {
  const place = { name, file: inFolder(part, folderOf(file, bundle)) };
  return items.flatMap(item => {
    const own = new Omissions(request);
    const drafts = needsProject(item)
      ? undefined
      : planPlace(place, { request, context, document, omissions: own, items: [item] });
    const [unwritten] = own.unwritten;
    if (!drafts || unwritten) {
      omissions.add(item.path, item.name, unwritten ? (unwritten.advice ?? unwritten.problem) : notCarried);
      return [];
    }
    for (const { source, text } of own.found) omissions.add(source, text, notInBundle);
    return drafts;
  });
}

const folderOf = (file: ItemFiles, { name, written }: Item): string =>
  `${bundleFolder(file).replace('{name}', written?.file ?? name)}/`;

function inFolder(part: FileSpec, folder: string): FileSpec {
  const path = folder + pathInBundle(part);
  if (part.kind !== 'items') return { ...part, path };
  const { dir: _, ...rest } = part;
  return { ...rest, path };
}

const notInBundle = 'Bundles have no place for it; the copy in the project has it where the tool takes it.';

const notCarried =
  'It runs something of this project, which a bundle does not carry: publish the program, and start it by its name.';

/** Whether a hook or server runs a file of the project, or has to run in the project. */
function needsProject({ fields }: Item): boolean {
  const cwd = fields.get('cwd');
  if (isObject(fields.get('script'))) return true;
  if (typeof cwd === 'string' && cwd !== 'project' && !/^[/\\~$]|^[A-Za-z]:/.test(cwd)) return true;
  return strings(fields.get('argv')).some(isOwnFile);
}

/** Whether a word of a command is a project file: a relative path, or a script file name. */
const isOwnFile = (word: string): boolean =>
  /^\.{1,2}[/\\]/.test(word) ||
  (/^[^/\\~$@-].*\.(?:[cm]?[jt]s|py|rb|pl|php|sh|ps1)$/.test(word) && !word.includes('://'));
