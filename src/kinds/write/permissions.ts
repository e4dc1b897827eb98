import type { EntriesFile, PermissionFacts, PermissionForm } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import { adviceOf } from '../../spec/vocabulary.ts';
import { templateExpression } from '../../text/escape-regex.ts';
import { dialectFor } from '../../text/permissions/dialects.ts';
import { overlap } from '../../text/permissions/patterns.ts';
import {
  type Kind,
  kinds,
  parseKnownSubject,
  type Subject,
  serverAndTool,
} from '../../text/permissions/subject.ts';
import { withFields } from '../native/shapes.ts';
import type { Omissions } from '../omissions.ts';
import type { TargetRequest } from '../request.ts';

export type Decision = 'allow' | 'ask' | 'deny';

/** The weakest first. */
export const decisions: readonly Decision[] = ['allow', 'ask', 'deny'];

/** A place of permissions in a file of a tool. */
export type PermissionPlace = EntriesFile & { readonly permissions: PermissionFacts };

export const hasPermissions = (file: EntriesFile): file is PermissionPlace => file.permissions !== undefined;

export interface NativePermission {
  readonly item: Item;
  /** The keys that lead to it. */
  readonly at: readonly string[];
  /** Its text, which is the key in a map. */
  readonly key: string;
  readonly equivalents: readonly string[];
}

/** A subject with its decision in a form of the tool. */
interface ToolPermission {
  readonly at: readonly string[];
  readonly texts: readonly string[];
  readonly equivalents: readonly string[];
  /** Whether the texts cover more than the subject. */
  readonly wider: boolean;
}

interface TranslatedPermission {
  readonly item: Item;
  readonly decision: Decision;
  readonly subject: Subject & { readonly kind: Kind };
  readonly translation: ToolPermission | undefined;
}

/**
 * Converts the permissions for one target. A denial or a question may become wider, never narrower. An
 * allowance is converted exactly or not at all: it is left out when the tool would allow more, and when the
 * tool cannot express a stricter permission for the same subject.
 */
export function nativePermissions(
  items: readonly Item[],
  file: PermissionPlace,
  request: TargetRequest,
  omissions: Omissions,
): NativePermission[] {
  const { permissions: facts } = file;
  const translated = items.flatMap(item => translate(item, file, omissions));
  const written = translated.filter(one => {
    const why = obstacle(one, translated, facts, request.spec.title);
    if (why === undefined) return true;
    const own = why.tooWide ? undefined : adviceOf(request.spec, `permissions.${one.subject.kind}`);
    omissions.item(one.item, 'permissions', own ?? why.reason, why.isImplied);
    if (why.tooWide) omissions.tooWide.add(one.item.path);
    return false;
  });
  const natives = inOrderOf(written, file).flatMap(({ item, decision, subject, translation }) => {
    const { at, texts, equivalents } = translation!;
    const native = { decision: facts.decisions[decision]!, kind: subject.kind };
    return texts.map(text => ({ item: withFields(item, { ...native, text }), at, key: text, equivalents }));
  });
  return file.collect === 'map' ? strictest(natives) : natives;
}

function translate(item: Item, file: PermissionPlace, omissions: Omissions): TranslatedPermission[] {
  const decision = decisions.find(one => one === item.fields.get('list'));
  const subject = parseKnownSubject(String(item.fields.get('text') ?? ''));
  if (decision && subject)
    return [{ item, decision, subject, translation: toolPermission(subject, decision, file) }];
  // An invalid subject is reported separately.
  omissions.item(item, 'permissions', 'It is no subject of a permission.', true);
  return [];
}

const words: Readonly<Record<Decision, string>> = { allow: 'allow', ask: 'ask about', deny: 'deny' };

/**
 * Why a permission is left out: the tool would allow more than the source (`tooWide`), does it by default
 * (`isImplied`), or has no form for it.
 */
function obstacle(
  { decision, subject, translation }: TranslatedPermission,
  all: readonly TranslatedPermission[],
  facts: PermissionFacts,
  title: string,
): { readonly reason: string; readonly tooWide?: boolean; readonly isImplied?: boolean } | undefined {
  if (facts.decisions[decision] === undefined) {
    const isImplied = decision === 'ask' && facts.unsaid === 'ask';
    const implied = `${title} asks about everything that is not allowed, so no entry is needed.`;
    return { reason: isImplied ? implied : `${title} cannot be told to ${words[decision]}.`, isImplied };
  }
  if (!translation) return { reason: `${title} has no form for it.` };
  if (decision !== 'allow') return undefined;
  if (translation.wider) {
    const texts = translation.texts.map(text => `\`${text}\``).join(' and ');
    return { reason: `It would have to be ${texts}, which is more.`, tooWide: true };
  }
  const stricter = all.find(
    other => other.decision !== 'allow' && !other.translation && overlap(other.subject, subject),
  );
  if (!stricter) return undefined;
  const what = `\`${stricter.item.fields.get('text')}\``;
  return {
    reason: `It reaches into ${what}, which ${title} cannot be told to ${words[stricter.decision]}: that would be allowed, too.`,
    tooWide: true,
  };
}

/** Sorts permissions by the order that the tool needs; source order when it does not matter. */
function inOrderOf(
  written: readonly TranslatedPermission[],
  { at, permissions: { wins } }: PermissionPlace,
): readonly TranslatedPermission[] {
  const kindOf = ({ subject }: TranslatedPermission) => kinds.indexOf(subject.kind);
  const strength = ({ decision }: TranslatedPermission) =>
    wins === 'first' ? decisions.length - decisions.indexOf(decision) : decisions.indexOf(decision);
  // A permission about everything applies where no other one does.
  const rest = wins === 'first' ? Number.MAX_VALUE : -1;
  const rank = (one: TranslatedPermission) =>
    one.item.fields.get('rest') === true ? rest : strength(one) * kinds.length + kindOf(one);
  if (wins !== undefined && wins !== 'deny') return [...written].sort((a, b) => rank(a) - rank(b));
  // Kinds with separate places have a fixed order, independent of the source.
  const isByKind = at?.some(key => key.includes('{in}'));
  return isByKind ? [...written].sort((a, b) => kindOf(a) - kindOf(b)) : written;
}

/** A map has one decision per text: the strictest of them. */
function strictest(natives: readonly NativePermission[]): NativePermission[] {
  const keyOf = ({ at, key }: NativePermission) => JSON.stringify([at, key]);
  const rank = ({ item }: NativePermission) => decisions.indexOf(item.fields.get('list') as Decision);
  const best = new Map<string, NativePermission>();
  for (const one of natives) {
    const known = best.get(keyOf(one));
    if (!known || rank(one) > rank(known)) best.set(keyOf(one), one);
  }
  return natives.filter(one => best.get(keyOf(one)) === one);
}

/** Whether the tool can express a permission exactly, or, for a denial, wider. */
export function isExpressible(text: string, decision: Decision, facts: PermissionFacts): boolean {
  const subject = parseKnownSubject(text);
  const native = subject && toolPermission(subject, decision, { permissions: facts });
  return native !== undefined && (decision !== 'allow' || !native.wider);
}

/** A form of a tool for permissions, in which decision and folder are filled in. */
export interface DecidedForm {
  readonly kind: Kind;
  /** The keys that lead to its texts. */
  readonly at: readonly string[];
  readonly form: PermissionForm;
  /** What says the decision: the keys, the text, or the entry around the text. */
  readonly decidedBy: 'place' | 'text' | 'entry';
}

type FormsPlace = Pick<PermissionPlace, 'at' | 'permissions'>;

/** The forms of a place for a decision, in the order of their kinds; none when the tool has no such decision. */
export function formsFor({ at = [], permissions: facts }: FormsPlace, decision: Decision): DecidedForm[] {
  const word = facts.decisions[decision];
  if (word === undefined) return [];
  const isAlone = decisions.every(one => one === decision || facts.decisions[one] === undefined);
  const isOpen = (text: string) => text.includes('{decision}');
  const fill = (text: string) => text.replaceAll('{decision}', String(word));
  return kinds.flatMap(kind =>
    (facts[kind] ?? []).map(form => {
      const [keys, templates] = [form.at ?? at, [form.text ?? []].flat()];
      const isByPlace = isAlone || keys.some(isOpen);
      return {
        kind,
        at: keys.map(key => fill(key).replaceAll('{in}', form.in ?? '')),
        form: templates.some(isOpen) ? { ...form, text: templates.map(fill) as [string] } : form,
        decidedBy: templates.some(isOpen) ? 'text' : isByPlace ? 'place' : 'entry',
      };
    }),
  );
}

/** The first form that expresses a subject exactly, else the first that is wider. */
export function toolPermission(
  subject: Subject,
  decision: Decision,
  place: FormsPlace,
): ToolPermission | undefined {
  let wide: ToolPermission | undefined;
  for (const { kind, at, form } of formsFor(place, decision)) {
    const isFor = kind === subject.kind && (form.only?.includes(decision) ?? true);
    const formed = isFor ? textsOf(subject, form) : undefined;
    if (!formed) continue;
    const others = formed.texts.length === 1 ? equivalentsOf(subject, form) : [];
    if (!formed.wider) return { at, ...formed, equivalents: others };
    wide ??= { at, ...formed, equivalents: others };
  }
  return wide;
}

/** A subject in one form; `undefined` when the form cannot express it. */
export function textsOf(
  { kind, pattern }: Subject,
  form: PermissionForm,
): { readonly texts: readonly string[]; readonly wider: boolean } | undefined {
  const wider = form.wider ?? false;
  if (pattern === wildcardOf(kind) || pattern === '**')
    return form.whole === undefined ? undefined : { texts: [form.whole], wider };
  const templates = [form.text ?? []].flat();
  if (templates.length === 0) return undefined;
  if (kind === 'mcp') {
    const { server, tool } = serverAndTool(pattern);
    const isAll = tool === '*';
    if (tool.includes('*') && !isAll) return undefined;
    if (form.tools !== undefined && (form.tools === 'all') !== isAll) return undefined;
    const [named, called] = [nameIn(form, server), nameIn(form, tool)];
    return {
      texts: templates.map(text => text.replaceAll('{server}', named).replaceAll('{tool}', called)),
      wider,
    };
  }
  const dialect = dialectFor(form.as ?? 'same', kind);
  const written = dialect?.write(pattern);
  if (!written) {
    // Texts that are read as this pattern are equivalent.
    const [text] = equivalentTexts({ kind, pattern }, form, part => dialect?.write(part) !== undefined);
    return text === undefined ? undefined : { texts: [text], wider };
  }
  const texts = templates.flatMap(template =>
    written.texts.map(text => template.replaceAll('{pattern}', () => text)),
  );
  return { texts, wider: wider || (written.wider ?? false) };
}

export const wildcardOf = (kind: string): string => (kind === 'read' || kind === 'write' ? '**' : '*');

/** The name of a server or of one of its tools as a form writes it. */
export const nameIn = ({ names }: PermissionForm, name: string): string =>
  names === 'plain' ? name.replace(/[^A-Za-z0-9_-]/g, '_') : name;

/** Matches a text against a template and returns the values of its placeholders. */
export function matchTemplate(template: string, text: string): Readonly<Record<string, string>> | undefined {
  const expression = templateExpression(template, name => {
    if (name === 'server') return '(?<server>[^_]+(?:_[^_]+)*?)';
    return name === 'pattern' || name === 'tool' ? `(?<${name}>.+)` : undefined;
  });
  return new RegExp(`^${expression}$`, 's').exec(text)?.groups;
}

export const fillTemplate = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');

/** The native texts for other spellings of a pattern, and for parts that have a form of their own. */
function equivalentsOf(subject: Subject, form: PermissionForm): readonly string[] {
  const { kind, pattern } = subject;
  const [template = '', ...more] = [form.text ?? []].flat();
  const hasSpellings = more.length === 0 && template.includes('{pattern}');
  const spellings = hasSpellings ? (dialectFor(form.as ?? 'same', kind)?.equivalents?.(pattern) ?? []) : [];
  return [
    ...equivalentTexts(subject, form),
    ...spellings.map(spelling => template.replaceAll('{pattern}', () => spelling)),
  ];
}

/** Equivalent native texts for a subject whose variable part can be expressed separately. */
const equivalentTexts = (
  { pattern }: Subject,
  { alsoRead = {} }: PermissionForm,
  isSaid: (part: string) => boolean = () => true,
): readonly string[] =>
  Object.entries(alsoRead).flatMap(([template, meaning]) => {
    const parts = matchTemplate(meaning, pattern);
    return parts && isSaid(`${parts.pattern ?? ''} *`) ? [fillTemplate(template, parts)] : [];
  });
