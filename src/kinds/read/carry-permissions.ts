import type { EntriesFile, PermissionFacts } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import { parseSubject } from '../../text/permissions/subject.ts';
import { otherWords, worded } from '../write/permission-words.ts';
import { formOf, placeOf } from '../write/permissions.ts';
import type { ListRead } from './parts.ts';
import { decisions, kindForms, placesOf, readPermissions, saidAt } from './permissions.ts';

/** The permissions of a tool's file that come out of a compile as they stand there, and how many texts stay there alone. */
export function carryPermissions(
  data: Data,
  file: EntriesFile,
  facts: PermissionFacts,
): { readonly lists: readonly ListRead[]; readonly taken: number; readonly left: readonly string[] } {
  const there = new Map<string, Set<string>>();
  for (const place of placesOf(kindForms(facts), file))
    for (const decision of decisions)
      for (const { text } of saidAt(data, place, file, facts, decision)) {
        const key = JSON.stringify([place.at, decision]);
        there.set(key, (there.get(key) ?? new Set()).add(text));
      }
  const covered = new Set<string>();
  const lists = readPermissions(data, file, facts).lists.map(list => {
    const decision = decisions.find(one => one === list.key)!;
    const texts = list.texts.filter(subject => {
      const about = parseSubject(subject)!;
      const formed = formOf(about, decision, facts);
      if (!formed) return false;
      const at = placeOf(formed.form, file).map(key => key.replaceAll('{in}', formed.form.in ?? ''));
      const place = JSON.stringify([at, decision]);
      const isThere = (text: string) => there.get(place)?.has(text) === true;
      const exact = formed.texts.map(text => worded(text, decision, facts));
      const other =
        exact.length === 1 && file.collect === 'list'
          ? otherWords(about, formed.form).find(isThere)
          : undefined;
      const written = exact.every(isThere) || other === undefined ? exact : [other];
      if (!written.every(isThere)) return false;
      for (const text of written) covered.add(`${place}\0${text}`);
      return true;
    });
    return { ...list, texts };
  });
  const left = [...there].flatMap(([place, texts]) =>
    [...texts].filter(text => !covered.has(`${place}\0${text}`)),
  );
  return {
    lists: lists.filter(({ texts }) => texts.length > 0),
    taken: covered.size,
    left: [...new Set(left)],
  };
}
