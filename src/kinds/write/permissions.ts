import type { EntriesFile, PermissionFacts, PermissionForm } from '../../generated/types/target.ts';
import type { Data, Item } from '../../model/model.ts';
import { adviceOf } from '../../spec/vocabulary.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { dialectFor } from '../../text/permissions/dialects.ts';
import { overlap } from '../../text/permissions/overlap.ts';
import {
  isKind,
  type Kind,
  kinds,
  type Subject,
  serverAndTool,
  understood,
} from '../../text/permissions/subject.ts';
import type { Omissions } from '../omissions.ts';
import type { TargetRequest } from '../request.ts';

/** What a source says of a subject. */
export type Decision = 'allow' | 'ask' | 'deny';

export const decisions: readonly Decision[] = ['allow', 'ask', 'deny'];

/** A permission in the words of one tool. */
export interface NativePermission {
  readonly item: Item;
  /** Keys that lead to it. */
  readonly at: readonly string[];
  /** The subject in the form of the tool. */
  readonly text: string;
  /** The same in other words of the tool. */
  readonly alike: readonly string[];
}

/** A subject in a form of the tool. */
interface FormedSubject {
  readonly form: PermissionForm;
  readonly texts: readonly string[];
  readonly wider: boolean;
}

/** A permission of the source with what the tool makes of it. */
interface TranslatedPermission {
  readonly item: Item;
  readonly decision: Decision;
  readonly subject: Subject;
  readonly formed?: FormedSubject;
}

/**
 * Translates the permissions for one target. What is denied or asked about may come out wider, never narrower; what is allowed
 * comes out as it is or not at all: not where the tool would allow more, and not beside something stricter about the same that
 * the tool cannot be told.
 */
export function nativePermissions(
  items: readonly Item[],
  file: EntriesFile,
  facts: PermissionFacts,
  request: TargetRequest,
  omissions: Omissions,
): NativePermission[] {
  const judged = items.flatMap(item => translatePermission(item, facts, omissions));
  const { title } = request.spec;
  const written = judged.filter(one => {
    const why = obstacle(one, judged, facts, title);
    if (why === undefined) return true;
    const own = adviceOf(request.spec, `permissions.${one.subject.kind}`);
    omissions.item(one.item, 'permissions', why.tooWide ? why.reason : (own ?? why.reason), why.unsaid);
    if (why.tooWide) omissions.tooWide.add(one.item.path);
    return false;
  });
  const order = facts.wins === 'first' ? [...decisions].reverse() : decisions;
  // What is said of the rest counts for what nothing else is about.
  const last = facts.wins === 'first' ? Number.POSITIVE_INFINITY : -1;
  const rank = ({ item, decision, subject }: TranslatedPermission) =>
    item.fields.get('rest') === true
      ? last
      : order.indexOf(decision) * kinds.length + kinds.indexOf(subject.kind as Kind);
  const byKind = ({ subject }: TranslatedPermission) => kinds.indexOf(subject.kind as Kind);
  // Where each kind has a place of its own, these stand in one order, whatever the order of the source.
  const apart = file.at?.some(key => key.includes('{in}')) ?? false;
  const isOrdered = facts.wins !== undefined && facts.wins !== 'deny';
  const place = isOrdered ? rank : apart ? byKind : () => 0;
  const sorted = [...written].sort((a, b) => (place(a) < place(b) ? -1 : Number(place(a) > place(b))));
  const natives = sorted.flatMap(one => one.formed!.texts.map(text => nativeOf(one, text, file, facts)));
  return file.collect === 'map' ? strictest(natives) : natives;
}

/** A map has one decision for a text: the strictest of those that there are. */
function strictest(natives: readonly NativePermission[]): NativePermission[] {
  const keyOf = ({ at, text }: NativePermission) => JSON.stringify([at, text]);
  const rank = ({ item }: NativePermission) => decisions.indexOf(item.fields.get('list') as Decision);
  const best = new Map<string, NativePermission>();
  for (const one of natives) {
    const known = best.get(keyOf(one));
    if (!known || rank(one) > rank(known)) best.set(keyOf(one), one);
  }
  const kept = new Set(best.values());
  return natives.filter(one => kept.has(one));
}

function translatePermission(
  item: Item,
  facts: PermissionFacts,
  omissions: Omissions,
): TranslatedPermission[] {
  const decision = decisions.find(one => one === item.fields.get('list'));
  const subject = understood(String(item.fields.get('text') ?? ''));
  if (!decision || !subject) {
    // A subject that makes no sense is an error of its own.
    omissions.item(item, 'permissions', 'It is no subject of a permission.', true);
    return [];
  }
  const formed = formOf(subject, decision, facts);
  return [{ item, decision, subject, ...(formed && { formed }) }];
}

interface Obstacle {
  readonly reason: string;
  /** The tool would allow more than the source does. */
  readonly tooWide?: boolean;
  /** It need not be said. */
  readonly unsaid?: boolean;
}

/** Why a permission is not written. */
function obstacle(
  { decision, subject, formed }: TranslatedPermission,
  all: readonly TranslatedPermission[],
  facts: PermissionFacts,
  title: string,
): Obstacle | undefined {
  if (facts.decisions[decision] === undefined) {
    if (decision === 'ask' && facts.unsaid === 'ask')
      return { reason: `${title} asks about whatever nothing allows; that need not be said.`, unsaid: true };
    return { reason: `${title} cannot be told to ${words[decision]}.` };
  }
  if (!formed) return { reason: `${title} has no form for it.` };
  if (decision !== 'allow') return undefined;
  if (formed.wider) {
    const texts = formed.texts.map(
      text => `\`${text.replaceAll('{decision}', String(facts.decisions.allow))}\``,
    );
    return { reason: `It would have to be ${texts.join(' and ')}, which is more.`, tooWide: true };
  }
  const stricter = all.find(
    other => other.decision !== 'allow' && overlap(other.subject, subject) && !isWritten(other, facts),
  );
  if (!stricter) return undefined;
  const what = `\`${stricter.item.fields.get('text')}\``;
  return {
    reason: `It reaches into ${what}, which ${title} cannot be told to ${words[stricter.decision]}: that would be allowed, too.`,
    tooWide: true,
  };
}

const words: Readonly<Record<Decision, string>> = {
  allow: 'allow',
  ask: 'ask about',
  deny: 'deny',
};

/** Whether what is stricter is written: it counts where both are about the same. */
const isWritten = ({ decision, formed }: TranslatedPermission, facts: PermissionFacts): boolean =>
  formed !== undefined && facts.decisions[decision] !== undefined;

/** Whether the tool can be told a permission as it is, or, where it forbids something, wider. */
export function exactly(text: string, decision: Decision, facts: PermissionFacts): boolean {
  const subject = understood(text);
  const formed = subject && facts.decisions[decision] !== undefined && formOf(subject, decision, facts);
  return formed ? decision !== 'allow' || !formed.wider : false;
}

/** The first form that says all of a subject; for what is stricter one that says more, too. */
export function formOf(
  subject: Subject,
  decision: Decision,
  facts: PermissionFacts,
): FormedSubject | undefined {
  const forms = isKind(subject.kind) ? (facts[subject.kind] ?? []) : [];
  let wide: FormedSubject | undefined;
  for (const form of forms) {
    if (form.only && !form.only.includes(decision)) continue;
    const formed = inForm(subject, form);
    if (formed && !formed.wider) return formed;
    wide ??= formed;
  }
  return wide;
}

/** A subject in one form; `undefined` where the form has no text for it. */
export function inForm({ kind, pattern }: Subject, form: PermissionForm): FormedSubject | undefined {
  const wider = form.wider ?? false;
  if (isWhole(kind, pattern))
    return form.whole === undefined ? undefined : { form, texts: [form.whole], wider };
  const templates = form.text === undefined ? [] : [form.text].flat();
  if (templates.length === 0) return undefined;
  if (kind === 'mcp') {
    const { server, tool } = serverAndTool(pattern);
    const isAll = tool === '*';
    if (tool.includes('*') && !isAll) return undefined;
    if (form.tools !== undefined && (form.tools === 'all') !== isAll) return undefined;
    const [named, called] = [nameIn(form, server), nameIn(form, tool)];
    const texts = templates.map(text => text.replaceAll('{server}', named).replaceAll('{tool}', called));
    return { form, texts, wider };
  }
  const dialect = dialectFor(form.as ?? 'same', kind);
  const written = dialect?.write(pattern);
  if (!written) {
    // Words that are read as this pattern say it as well.
    const texts = equivalentTexts({ kind, pattern }, form, part => dialect?.write(part) !== undefined);
    return texts.length === 0 ? undefined : { form, texts: texts.slice(0, 1), wider };
  }
  const texts = templates.flatMap(template =>
    written.texts.map(text => template.replaceAll('{pattern}', () => text)),
  );
  return { form, texts, wider: wider || (written.wider ?? false) };
}

/** The name of a server or of one of its tools as a form writes it. */
export const nameIn = ({ names }: PermissionForm, name: string): string =>
  names === 'plain' ? name.replace(/[^A-Za-z0-9_-]/g, '_') : name;

/** Whether a pattern stands for everything of its kind. */
const isWhole = (kind: string, pattern: string): boolean =>
  pattern === '*' ? kind !== 'read' && kind !== 'write' : pattern === '**';

function nativeOf(
  { item, decision, subject, formed }: TranslatedPermission,
  text: string,
  file: EntriesFile,
  facts: PermissionFacts,
): NativePermission {
  const { form } = formed!;
  const word = facts.decisions[decision]!;
  const at = placeOf(form, file).map(key =>
    key.replaceAll('{decision}', String(word)).replaceAll('{in}', form.in ?? ''),
  );
  const said = text.replaceAll('{decision}', String(word));
  const fields = new Map<string, Data>([
    ...item.fields,
    ['text', said],
    ['decision', word],
    ['kind', subject.kind],
  ]);
  const alike = formed!.texts.length === 1 ? equivalentTexts(subject, form) : [];
  return { item: { ...item, fields }, at, text: said, alike };
}

/** The keys of a form, with their placeholders. */
export const placeOf = (form: PermissionForm, file: EntriesFile): readonly string[] =>
  form.at ?? file.at ?? [];

/** A template with the word for a decision. */
export const withDecision = (
  template: string,
  decision: keyof PermissionFacts['decisions'],
  facts: PermissionFacts,
): string => template.replaceAll('{decision}', String(facts.decisions[decision]));

/** The parts of a text that a template has placeholders for. */
export function matchTemplate(template: string, text: string): Readonly<Record<string, string>> | undefined {
  const named = new Set<string>();
  const pattern = template
    .split(/(\{(?:pattern|server|tool)\})/)
    .map(part => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return escapeRegex(part);
      if (named.has(name)) return `\\k<${name}>`;
      named.add(name);
      return name === 'server' ? '(?<server>[^_]+(?:_[^_]+)*?)' : `(?<${name}>.+)`;
    })
    .join('');
  return new RegExp(`^${pattern}$`, 's').exec(text)?.groups;
}

/** What else a tool has for a subject, beside the text that is written for it, where the part left open can be said by itself. */
export const equivalentTexts = (
  { pattern }: Subject,
  { alsoRead = {} }: PermissionForm,
  isSaid: (part: string) => boolean = () => true,
): readonly string[] =>
  Object.entries(alsoRead).flatMap(([template, meaning]) => {
    const parts = matchTemplate(meaning, pattern);
    return parts === undefined || !isSaid(`${parts.pattern ?? ''} *`)
      ? []
      : [template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')];
  });
