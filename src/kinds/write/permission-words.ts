import type { PermissionFacts, PermissionForm } from '../../generated/types/target.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import type { Subject } from '../../text/permissions/subject.ts';

/** A template with the word for a decision. */
export const worded = (
  template: string,
  decision: keyof PermissionFacts['decisions'],
  facts: PermissionFacts,
): string => template.replaceAll('{decision}', String(facts.decisions[decision]));

/** The parts of a text that a template has placeholders for. */
export function matchWords(template: string, text: string): Readonly<Record<string, string>> | undefined {
  const pattern = template
    .split(/(\{(?:pattern|server|tool)\})/)
    .map(part => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return escapeRegex(part);
      return name === 'server' ? '(?<server>[^_]+(?:_[^_]+)*?)' : `(?<${name}>.+)`;
    })
    .join('');
  return new RegExp(`^${pattern}$`, 's').exec(text)?.groups;
}

/** What else a tool has for a subject, beside the text that is written for it, where the part left open can be said by itself. */
export const otherWords = (
  { pattern }: Subject,
  { alsoRead = {} }: PermissionForm,
  isSaid: (part: string) => boolean = () => true,
): readonly string[] =>
  Object.entries(alsoRead).flatMap(([template, meaning]) => {
    const parts = matchWords(meaning, pattern);
    return parts === undefined || !isSaid(`${parts.pattern ?? ''} *`)
      ? []
      : [template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')];
  });
