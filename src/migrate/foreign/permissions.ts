import type { DataFile } from '../../generated/types/foreign.ts';
import { valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { templateExpression } from '../../text/escape-regex.ts';
import { parseSubject, patternProblem, printSubject } from '../../text/permissions/subject.ts';
import type { ForeignReader } from './reader.ts';
import { tablesOfTools } from './structured.ts';

const decisions = ['deny', 'ask', 'allow'] as const;
type Decision = (typeof decisions)[number];

/** A permission in the syntax of the other compiler. */
interface ForeignPermission {
  /** Its group: permissions for one tool replace those of the group for all tools. */
  readonly group: string;
  readonly text: string;
  readonly decision: Decision;
}

/** A portable subject, for all tools or some. */
export interface PortablePermission {
  readonly decision: Decision;
  readonly subject: string;
  readonly targets?: readonly string[];
  readonly except?: readonly string[];
}

/**
 * Reads permissions as lists by decision (`deny: ["Bash(rm:*)"]`) or as decisions by pattern (`bash: { "rm
 * *": "deny" }`), where a key is group and pattern. The permissions of a tool for a group replace those for
 * all tools. What cannot be converted is reported to the reader.
 */
export async function readPermissions(reader: ForeignReader): Promise<readonly PortablePermission[]> {
  const found = await reader.all(reader.source.permissions);
  return found.flatMap(({ file, data }) => permissionsOf(data, file, reader));
}

function permissionsOf(data: Data, file: DataFile, reader: ForeignReader): readonly PortablePermission[] {
  const shared = foreignPermissionsIn(valueAt(data, file.at ?? []));
  const own = tablesOfTools(data, file, reader).map(({ id, own: table }) => ({
    id,
    said: foreignPermissionsIn(table),
  }));
  const all = [
    ...shared.map(one => {
      const except = own.filter(({ said }) => said.some(({ group }) => group === one.group));
      return { one, audience: except.length > 0 ? { except: except.map(({ id }) => id) } : {} };
    }),
    ...own.flatMap(({ id, said }) => said.map(one => ({ one, audience: { targets: [id] } }))),
  ];
  return all.flatMap(({ one, audience }): PortablePermission[] => {
    const { decision, text, group } = one;
    const leave = (reason: string) => {
      reader.leave(`${file.path}: ${decision} ${text}`, reason);
      return [];
    };
    // Asking is the default of assistants for everything that is not allowed; an explicit rule would also
    // apply to allowed commands.
    const isRest = decision === 'ask' && /^\w+ \*$/.test(text);
    if (isRest && all.some(({ one: other }) => other.group === group && other.decision === 'allow'))
      return leave(
        'assistants ask about everything that is not allowed; as a rule, it would also cover what is allowed',
      );
    const found = subjectOf(text, file.subjects ?? {});
    return typeof found === 'string' ? [{ decision, subject: found, ...audience }] : leave(found.reason);
  });
}

function foreignPermissionsIn(data: Data | undefined): ForeignPermission[] {
  if (!isObject(data)) return [];
  return Object.entries(data).flatMap(([key, value]): ForeignPermission[] => {
    if (isDecision(key) && Array.isArray(value))
      return value.flatMap(text =>
        typeof text === 'string' ? [{ group: text.replace(/\W.*$/s, ''), text, decision: key }] : [],
      );
    const patterns = isObject(value) ? Object.entries(value) : [['*', value] as const];
    return patterns.flatMap(([pattern, decision]) =>
      isDecision(decision) ? [{ group: key, text: `${key} ${pattern}`, decision }] : [],
    );
  });
}

const isDecision = (word: Data | undefined): word is Decision => decisions.some(one => one === word);

/** Converts a text by the first matching template to portable subjects, or says why there are none. */
function subjectOf(
  text: string,
  templates: Readonly<Record<string, string>>,
): string | { readonly reason: string } {
  for (const [template, subject] of Object.entries(templates)) {
    const expression = templateExpression(template, name => `(?<${name}>.+?)`);
    const found = new RegExp(`^${expression}$`, 's').exec(text);
    if (!found) continue;
    const written = parseSubject(
      subject.replace(/\{(\w+)\}/g, (_, name: string) => found.groups?.[name] ?? ''),
    )!;
    const problem = patternProblem(written);
    return problem === undefined ? printSubject(written) : { reason: `its pattern ${problem}` };
  }
  return { reason: 'no permission of the language is about it' };
}

/** A permission without one of its tools. */
export function withoutTool(one: PortablePermission, id: string): PortablePermission {
  if (one.targets) return { ...one, targets: one.targets.filter(target => target !== id) };
  return { ...one, except: [...new Set([...(one.except ?? []), id])] };
}

/** The lists of a permission block: name and items, which are texts when they apply to everybody. */
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

/** The patterns of the first existing file in `.gitignore` format. */
export function readIgnored(reader: ForeignReader): readonly string[] {
  const path = reader.source.ignore?.find(one => reader.has(one));
  if (path === undefined) return [];
  reader.taken.add(path);
  const lines = (reader.text(path) ?? '').replace(/^\ufeff/, '').split(/\r\n?|\n/);
  return lines.map(line => line.trimEnd()).filter(line => line !== '' && !line.startsWith('#'));
}
