import { frontMatterBroken } from '../generated/diagnostics.ts';
import type { FrontMatter } from '../text/front-matter.ts';
import type { Span } from '../text/source.ts';
import { splitList } from '../text/split-list.ts';
import type { DataPath } from '../text/yaml.ts';
import { isTextField } from './catalogue.ts';
import { type Draft, list, type NodeDraft, object, type ScalarDraft, scalar } from './draft.ts';
import { readSourceHead } from './front-matter.ts';
import type { DocumentUnit, ItemUnit, SkillUnit, Step } from './program.ts';
import { once, type Run } from './run.ts';

/** A file of Markdown that is part of the program. */
export type MarkdownUnit = SkillUnit | ItemUnit | DocumentUnit;

/** Whether a value of `tools` holds changes for single tools, and no list of tools. */
export const hasChanges = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some(inner => typeof inner === 'object' && inner !== null && !Array.isArray(inner));

/** The front matter of a unit; what is wrong with it is reported once. */
export function readHead(unit: MarkdownUnit, run: Run): FrontMatter {
  const head = readSourceHead(unit.source);
  if (head.problem && !head.isClear) {
    const { title, advice, span } = head.problem;
    const holes = { problem: title, advice };
    once(run, `front matter ${unit.id}`, () => run.report(frontMatterBroken(holes, { span })));
  }
  return head;
}

/** Where a unit says its name: in its front matter, else there is only the file. */
export const nameSpan = ({ source }: MarkdownUnit, head: FrontMatter): Span =>
  head.fields.has('name') ? head.spanOf(['name']) : { source, start: 0, end: head.bodyStart };

/** The text below the front matter, without blank lines at its ends. */
export function bodyNode(unit: MarkdownUnit, head: FrontMatter, draft: Draft): ScalarDraft {
  const { source } = unit;
  const raw = source.text.slice(head.bodyStart);
  const body = withPlainEnds(raw)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  const lead = /^(?:[ \t]*\r?\n)*/.exec(raw)?.[0].length ?? 0;
  const start = Math.min(head.bodyStart + lead, source.text.length);
  return textNode(body, unit, start, draft);
}

/** A text of a unit that begins at `start` and goes to the end of its file. */
export function textNode(text: string, unit: MarkdownUnit, start: number, draft: Draft): ScalarDraft {
  const span = { source: unit.source, start, end: unit.source.text.length };
  const node = scalar(text, true, [{ operation: 'declare', span, layer: unit.layer }], draft.owner);
  node.literal = { kind: 'string', quote: 'markdown', value: text, span };
  return node;
}

/** A text with the line ends of Unix. */
export const withPlainEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n/g, '\n') : text;

/** The value of a front matter key as its field wants it: `argument-hint: [issue]` is a text with brackets to those who write it, and a list to YAML. */
export function asField(
  block: string,
  field: string,
  value: unknown,
  key: string,
  head: FrontMatter,
): unknown {
  if (typeof value !== 'object' || !isTextField(block, field)) return value;
  const { source, start, end } = head.spanOf([key]);
  const written = source.text.slice(start, end).trim();
  return /^[[{][^\n]*$/.test(written) ? written : value;
}

/** Data of front matter as a node. Each value knows its own place. */
export function fromData(
  value: unknown,
  path: DataPath,
  unit: MarkdownUnit,
  head: FrontMatter,
  draft: Draft,
): NodeDraft {
  const steps: Step[] = [{ operation: 'declare', span: head.spanOf(path), layer: unit.layer }];
  if (Array.isArray(value)) {
    const items = value.map((item, index) => fromData(item, [...path, index], unit, head, draft));
    return list(items, steps, draft.owner);
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([key, inner]) => [key, fromData(inner, [...path, key], unit, head, draft)] as const,
    );
    return object(new Map(fields), steps, draft.owner);
  }
  const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = typeof value === 'string' && value.includes('\n');
  const node = scalar(known ? value : value === null ? null : String(value), text, steps, draft.owner);
  if (typeof value === 'string')
    node.literal = { kind: 'string', quote: 'yaml', value, span: head.spanOf(path) };
  return node;
}

/** Front matter that may be a list or one string with commas, as a list. */
export function listFromData(
  value: unknown,
  key: string,
  unit: MarkdownUnit,
  head: FrontMatter,
  draft: Draft,
): NodeDraft {
  if (typeof value !== 'string') return fromData(value, [key], unit, head, draft);
  const steps: Step[] = [{ operation: 'declare', span: head.spanOf([key]), layer: unit.layer }];
  const items = splitList(value).map(part =>
    scalar(part.replace(/^(["'])(.*)\1$/, '$2'), false, [...steps], draft.owner),
  );
  return list(items, steps, draft.owner);
}
