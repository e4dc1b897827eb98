/** Checks for one spec of this repository that the schema and the spec reader do not make. */

import {
  specEvidenceMissing,
  specEvidenceOld,
  specProofChanged,
  specProofOld,
} from '../../src/generated/diagnostics.ts';
import { sharedParts } from '../../src/generated/shared-parts.ts';
import { type Confidence, capabilitiesOf, confidenceOf } from '../../src/spec/confidence.ts';
import { expandSpec } from '../../src/spec/expand.ts';
import { asDataObject, rowsOf } from '../../src/spec/shared-parts.ts';
import type { Report } from '../../src/text/diagnostics/diagnostic.ts';
import type { Checked } from './checked.ts';
import { misplacedFields } from './field-order.ts';

/** Age from which evidence and proofs count as stale, in months. */
const longest = 6;

/** Every capability needs recent evidence. For the most used tools, the evidence must come from the vendor. */
export function checkStandings(
  { spec, yaml }: Checked,
  today: string,
  isMostUsed: boolean,
  report: Report,
): void {
  const span = yaml.spanOf(['evidence']);
  const confidences = confidenceOf(spec);
  const names = (some: readonly Confidence[]) => some.map(({ of }) => of).join(', ');
  const bare = confidences.filter(one =>
    isMostUsed ? one.confidence === 'assumed' : one.checked === undefined,
  );
  if (bare.length > 0) {
    const holes = { target: spec.id, capabilities: names(bare) };
    report(specEvidenceMissing(holes, { span, target: spec.id }));
  }
  const old = confidences.filter(
    ({ confidence, checked }) =>
      confidence !== 'proved' && checked !== undefined && wholeMonths(checked, today) >= longest,
  );
  const [checked] = old.map(one => one.checked!).sort();
  if (checked === undefined) return;
  const holes = { target: spec.id, capabilities: names(old), checked, months: wholeMonths(checked, today) };
  report(specEvidenceOld(holes, { span, target: spec.id }));
}

/** Evidence may only name capabilities that the spec has. */
export function checkEvidence({ spec, fault }: Checked): void {
  const known = capabilitiesOf(spec);
  for (const [index, { of = [] }] of spec.evidence.entries())
    for (const [at, part] of of.entries())
      if (!known.includes(part))
        fault(
          ['evidence', index, 'of', at],
          `the spec has no entry for ${part}`,
          'Remove it, or add the entry.',
        );
}

/** A proof must cover the files that the spec writes now, and must not be stale. */
export async function checkProof(
  { loaded, spec, yaml }: Checked,
  today: string,
  report: Report,
): Promise<void> {
  const { proof } = spec;
  if (!proof) return;
  const holes = { target: spec.id, client: proof.client, date: proof.date };
  const months = wholeMonths(proof.date, today);
  if (months >= longest) {
    const span = yaml.spanOf(['proof', 'date']);
    report(specProofOld({ ...holes, months }, { span, target: spec.id }));
  }
  const { hashOfFiles } = await import('../prove/given.ts');
  if (proof.files !== (await hashOfFiles(loaded))) {
    const span = yaml.spanOf(['proof', 'files']);
    report(specProofChanged(holes, { span, target: spec.id }));
  }
}

function wholeMonths(from: string, to: string): number {
  const [y1, m1, d1] = from.split('-').map(Number) as [number, number, number];
  const [y2, m2, d2] = to.split('-').map(Number) as [number, number, number];
  return (y2 - y1) * 12 + (m2 - m1) - (d2 < d1 ? 1 : 0);
}

/** Fields follow the order of the schema. */
export function checkOrder({ yaml, fault }: Checked): void {
  for (const { at, field, wanted, sorted } of misplacedFields(yaml.data))
    fault(
      [...at, field],
      `\`${wanted}\` stands behind \`${field}\``,
      `The order is ${sorted.join(', ')}. \`npm run check:targets -- --fix\` sorts the fields.`,
      'key',
    );
}

/** A spec has no duplicate list entries and does not repeat a default from `conventions/`. */
export function checkRepeats({ spec, yaml, fault }: Checked): void {
  for (const [at, list] of [
    [['reads', spec.reads?.mode ?? ''], spec.reads?.files.flat()],
    [['detect'], spec.detect],
  ] as const) {
    const repeated = list?.findIndex((path, index) => list.indexOf(path) !== index) ?? -1;
    if (repeated !== -1)
      fault([...at, repeated], `"${list![repeated]}" is listed twice`, 'Remove one of them.');
  }
  const written = yaml.data as Record<string, unknown>;
  const hint = 'Remove it: it repeats a default that applies to all specs.';
  if (written.defaultVersion === sharedParts.versions.default)
    fault(['defaultVersion'], `\`${written.defaultVersion}\` is the default`, hint, 'key');
  const defaultFolder = `.${spec.id}`;
  if (written.folder === defaultFolder) fault(['folder'], `\`${defaultFolder}\` is the default`, hint, 'key');
  for (const [name, entry] of Object.entries(asDataObject(written.files) ?? {}))
    checkEntry(name, asDataObject(entry) ?? {}, written.folder ?? defaultFolder, fault, hint);
  checkUserFiles(written, fault);
}

/** A user-level file with the same path as in a project is listed under `same` instead of with a path. */
function checkUserFiles(written: Readonly<Record<string, unknown>>, fault: Checked['fault']): void {
  const user = asDataObject(written.user);
  const places = Object.entries(asDataObject(user?.files) ?? {}).filter(
    ([, place]) => typeof place === 'string',
  );
  for (const [name, place] of places) {
    const same = { ...written, user: { ...user, same: [name], files: undefined } };
    const expanded = asDataObject(expandSpec(same, sharedParts, () => {}));
    if (asDataObject(asDataObject(expanded?.user)?.files)?.[name] === place)
      fault(['user', 'files', name], `this is also its path in a project`, 'List it under `same`.');
  }
}

const rowNames = new Map(Object.entries(sharedParts.rows).map(([name, row]) => [JSON.stringify(row), name]));

function checkEntry(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  folder: unknown,
  fault: Checked['fault'],
  hint: string,
): void {
  for (const [index, row] of [entry.frontmatter ?? []].flat().entries()) {
    const [expanded] = rowsOf([row], sharedParts) as readonly unknown[];
    const known = rowNames.get(JSON.stringify(expanded));
    if (known !== undefined && row !== known)
      fault(['files', name, 'frontmatter', index], `the row is \`${known}\``, `Write \`${known}\`.`);
  }
  if (entry.kind !== undefined) return;
  const stanza = sharedParts.files[typeof entry.use === 'string' ? entry.use : name] ?? {};
  for (const [key, value] of Object.entries(entry)) {
    const [same, own] = [stanza[key], value].map(one =>
      key === 'frontmatter'
        ? rowsOf(one, sharedParts)
        : typeof one === 'string'
          ? one.replace('{folder}', String(folder))
          : one,
    );
    if (same !== undefined && JSON.stringify(same) === JSON.stringify(own))
      fault(['files', name, key], `the stanza says \`${key}\` already`, hint, 'key');
  }
}

/** The note of a status is the complete text of a warning, so it must be a sentence that names the product. */
export function checkStatus({ spec, fault }: Checked): void {
  const name = spec.title.replace(/ \(.*\)$/, '');
  if (spec.status && !(spec.status.note.includes(name) && spec.status.note.endsWith('.'))) {
    fault(
      ['status', 'note'],
      'the note is no sentence about the product',
      `Write a sentence that names ${name}, says what happened to it and ends with a full stop.`,
    );
  }
}
