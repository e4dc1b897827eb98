import type { DataFile } from '../../generated/types/foreign.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { parseSubject, printSubject, problemOf } from '../../text/permissions/subject.ts';
import { tablesOfTools, valueAt } from './structured.ts';
import type { ToolNames } from './tool-names.ts';

/** The lists of a source, in the order in which they are written. */
const decisions = ['deny', 'ask', 'allow'] as const;
type Decision = (typeof decisions)[number];

/** A permission of the other compiler, in its words. */
interface Said {
  /** What it belongs to: what a tool says of that stands in the place of what is said for all. */
  readonly group: string;
  readonly text: string;
  readonly decision: Decision;
}

/** A subject in the words of the language, for all tools or some. */
export interface PortablePermission {
  readonly decision: Decision;
  readonly subject: string;
  readonly targets?: readonly string[];
  readonly except?: readonly string[];
}

/** Permissions of another compiler in our words. */
export interface PortablePermissions {
  readonly permissions: readonly PortablePermission[];
  /** Those that are not taken, with the reason as a clause. */
  readonly left: readonly { readonly text: string; readonly reason: string }[];
}

/**
 * Permissions as lists by decision (`deny: ["Bash(rm:*)"]`) or as decisions by pattern (`bash: { "rm *": "deny" }`), where
 * a text is the group and the pattern. What a tool has of a group for itself it has in the place of what all have.
 */
export function permissionsOf(data: Data, file: DataFile, names: ToolNames): PortablePermissions {
  const shared = saidIn(valueAt(data, file.at ?? []));
  const own = tablesOfTools(data, file, names).map(({ id, own: table }) => ({ id, said: saidIn(table) }));
  const all = [
    ...shared.map(one => {
      const except = own.filter(({ said }) => said.some(({ group }) => group === one.group));
      return { one, audience: except.length > 0 ? { except: except.map(({ id }) => id) } : {} };
    }),
    ...own.flatMap(({ id, said }) => said.map(one => ({ one, audience: { targets: [id] } }))),
  ];
  const left: { text: string; reason: string }[] = [];
  const permissions = all.flatMap(({ one, audience }): PortablePermission[] => {
    // Beside what is allowed that is what assistants do by themselves, and said aloud it would be about that, too.
    const isRest = one.decision === 'ask' && /^\w+ \*$/.test(one.text);
    if (isRest && all.some(other => other.one.group === one.group && other.one.decision === 'allow')) {
      left.push({
        text: `${one.decision} ${one.text}`,
        reason:
          'assistants ask about whatever nothing allows; said aloud, it would be about what is allowed, too',
      });
      return [];
    }
    const found = subjectOf(one.text, file.subjects ?? {});
    if (typeof found === 'string') return [{ decision: one.decision, subject: found, ...audience }];
    left.push({ text: `${one.decision} ${one.text}`, reason: found.reason });
    return [];
  });
  return { permissions, left };
}

function saidIn(data: Data | undefined): Said[] {
  if (!isDataObject(data)) return [];
  return Object.entries(data).flatMap(([key, value]): Said[] => {
    if (isDecision(key) && Array.isArray(value))
      return value.flatMap(text =>
        typeof text === 'string' ? [{ group: text.replace(/\W.*$/s, ''), text, decision: key }] : [],
      );
    const patterns = isDataObject(value) ? Object.entries(value) : [['*', value] as const];
    return patterns.flatMap(([pattern, decision]) =>
      isDecision(decision) ? [{ group: key, text: `${key} ${pattern}`, decision }] : [],
    );
  });
}

const isDecision = (word: Data | undefined): word is Decision => decisions.some(one => one === word);

/** A text in the words of the language, by the first template that explains it; or why there are none. */
function subjectOf(
  text: string,
  templates: Readonly<Record<string, string>>,
): string | { readonly reason: string } {
  for (const [template, subject] of Object.entries(templates)) {
    const parts = partsOf(template, text);
    if (!parts) continue;
    const written = parseSubject(subject.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? ''))!;
    const problem = problemOf(written);
    return problem === undefined ? printSubject(written) : { reason: `its pattern ${problem}` };
  }
  return { reason: 'no permission of the language is about it' };
}

/** The parts of a text that a template has placeholders for. */
function partsOf(template: string, text: string): Readonly<Record<string, string>> | undefined {
  const pattern = template
    .split(/(\{\w+\})/)
    .map(part => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return escapeRegex(part);
      return `(?<${name}>.+?)`;
    })
    .join('');
  const found = new RegExp(`^${pattern}$`, 's').exec(text);
  return found ? (found.groups ?? {}) : undefined;
}

/** A permission that a tool is not told. */
export function withoutTool(one: PortablePermission, id: string): PortablePermission {
  if (one.targets) return { ...one, targets: one.targets.filter(target => target !== id) };
  return { ...one, except: [...new Set([...(one.except ?? []), id])] };
}

/** The lists of a block of permissions: name and items, texts where they are for everybody. */
export function permissionLists(
  permissions: readonly PortablePermission[],
): readonly (readonly [name: string, items: readonly Data[]])[] {
  return decisions.flatMap(decision => {
    const items = permissions
      .filter(one => one.decision === decision && one.targets?.length !== 0)
      .map(({ subject, targets, except }): Data => {
        if (!targets && !except) return subject;
        return { subject, ...(targets && { targets: [...targets] }), ...(except && { except: [...except] }) };
      });
    const seen = new Set<string>();
    const distinct = items.filter(one => !seen.has(JSON.stringify(one)) && seen.add(JSON.stringify(one)));
    return distinct.length > 0 ? [[decision, distinct] as const] : [];
  });
}

/** The patterns of a file like `.gitignore`. */
export const ignoredLines = (text: string): readonly string[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .map(line => line.trimEnd())
    .filter(line => line !== '' && !line.startsWith('#'));
