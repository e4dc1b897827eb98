import { frontMatterBroken, frontMatterOpen } from '../generated/diagnostics.ts';
import { isObject } from '../text/data.ts';
import { type FrontMatter, findFrontMatter, noFrontMatter, readFrontMatter } from '../text/front-matter.ts';
import type { Source, Span } from '../text/source.ts';
import { splitList } from '../text/split-list.ts';
import type { DataPath } from '../text/yaml.ts';
import { fieldOfKey, isTextField } from './catalogue.ts';
import { dataNode, scalar } from './draft.ts';
import type {
  DocumentUnit,
  ItemUnit,
  MarkdownBlock,
  Node,
  ProvenanceStep,
  ScalarNode,
  SkillUnit,
} from './program.ts';
import { type Run, reportOnce } from './run.ts';

/**
 * Reads the front matter of a source. `---` lines around text other than keys are thematic breaks and belong
 * to the text.
 */
export function readSourceHead(source: Source): FrontMatter {
  const front = readFrontMatter(source);
  const lines = source.text.slice(0, front.bodyStart).split('\n').slice(1, -1);
  return front.problem?.kind === 'syntax' && !isKeyed(lines.slice(0, front.lines - 2))
    ? noFrontMatter(source)
    : front;
}

/** Whether lines look like YAML, valid or not: keys, items, comments and indented lines. */
const isKeyed = (lines: readonly string[]): boolean =>
  lines.every(line => /^(?:\s*$|\s*#|\s+\S|-\s|[\w"'-]+[ \t]*:)/.test(line));

function keysIn(source: Source): string[] {
  const found = findFrontMatter(source.text);
  if (!found) return [];
  return [...source.text.slice(found.start, found.end).matchAll(/^([A-Za-z_][\w-]*)[ \t]*:/gm)].map(
    ([, key]) => key!,
  );
}

/**
 * `tools` with objects in it contains overlays, which every kind of entry may have; otherwise it is a list of
 * tools.
 */
const changesForTools =
  /^tools[ \t]*:[ \t]*(?:\{[^\n{}]*\{|(?:#[^\n]*)?\r?\n[ \t]+[^\s:-][^\n:]*:[ \t]*(?:\{|(?:#[^\n]*)?\r?\n))/m;

/** The kind of a Markdown file by the keys of its front matter; a document when it has none of them. */
export function markdownKind(source: Source): MarkdownBlock | 'skill' | 'document' {
  const keys = keysIn(source);
  const has = (block: string, field: string) => keys.some(key => fieldOfKey(block, key) === field);
  if (has('guards', 'applyTo') || has('guards', 'activation')) return 'guards';
  if (has('shortcuts', 'prompt')) return 'shortcuts';
  if (!keys.includes('name') && !keys.includes('description')) return 'document';
  const isAgent = keys.some(key =>
    key === 'tools'
      ? !changesForTools.test(source.text)
      : fieldOfKey('agents', key) && !fieldOfKey('skills', key),
  );
  return isAgent ? 'agents' : 'skill';
}

type MarkdownUnit = SkillUnit | ItemUnit | DocumentUnit;

/** Whether a value of `tools` contains overlays for single tools; otherwise it is a list of tools. */
export const hasOverlays = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some(isObject);

/** Reads the front matter of a unit; its first problem is reported, once. */
export function readHead(unit: MarkdownUnit, run: Run): FrontMatter {
  const head = readSourceHead(unit.source);
  if (head.problem && !head.isClear) {
    const { title, advice, span } = head.problem;
    const holes = { problem: title, advice };
    reportOnce(run, `front matter ${unit.id}`, () => run.report(frontMatterBroken(holes, { span })));
  }
  const open = /^\ufeff?---[ \t]*\r?\n(?=[A-Za-z_$][\w.$-]*[ \t]*:)/.exec(unit.source.text);
  if (open && head.lines === 0) {
    const span = { source: unit.source, start: open[0].indexOf('-'), end: open[0].trimEnd().length };
    reportOnce(run, `front matter ${unit.id}`, () => run.report(frontMatterOpen({}, { span })));
  }
  return head;
}

/** The span of the name of a unit: in its front matter, else the start of the file. */
export const nameSpan = ({ source }: MarkdownUnit, head: FrontMatter): Span =>
  head.fields.has('name') ? head.spanOf(['name']) : { source, start: 0, end: head.bodyStart };

/** The text below the front matter, without blank lines at either end. */
export function bodyNode(unit: MarkdownUnit, head: FrontMatter): ScalarNode {
  const raw = unit.source.text.slice(head.bodyStart);
  const text = withUnixLineEnds(raw)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return textNode(text, unit, head.bodyStart + leadingBlankLength(raw));
}

/** The length of the blank lines at the start of a text. */
export const leadingBlankLength = (text: string): number => /^(?:[ \t]*\r?\n)*/.exec(text)![0].length;

/** The node of a text that extends from `start` to the end of its file. */
export function textNode(value: string, unit: MarkdownUnit, start: number): ScalarNode {
  const span = { source: unit.source, start, end: unit.source.text.length };
  return scalar(value, true, [declaredAt(span, unit)], {
    literal: { kind: 'string', quote: 'markdown', value, span },
  });
}

export const declaredAt = (span: Span, { layer }: MarkdownUnit): ProvenanceStep => ({
  operation: 'declare',
  span,
  layer,
});

/** Converts CRLF to LF. */
export const withUnixLineEnds = (text: string): string => text.replace(/\r\n/g, '\n');

/**
 * The node of a front matter key that refers to `field`. With `hasCommas` a string is a comma-separated list.
 */
export function fieldNode(
  block: string,
  field: string,
  key: string,
  unit: MarkdownUnit,
  head: FrontMatter,
  hasCommas = false,
): Node {
  const value = head.fields.get(key);
  if (!hasCommas || typeof value !== 'string')
    return fromData(asField(block, field, value, key, head), [key], unit, head);
  const steps = [declaredAt(head.spanOf([key]), unit)];
  const names = splitList(value).map(part => part.replace(/^(["'])(.*)\1$/, '$2'));
  return { kind: 'list', items: names.map(name => scalar(name, false, steps)), steps };
}

/**
 * `argument-hint: [issue]` is a list in YAML, but means a text with brackets in a field that accepts only
 * text.
 */
function asField(block: string, field: string, value: unknown, key: string, head: FrontMatter): unknown {
  if (typeof value !== 'object' || !isTextField(block, field)) return value;
  const { source, start, end } = head.spanOf([key]);
  const written = source.text.slice(start, end).trim();
  return /^[[{][^\n]*$/.test(written) ? written : value;
}

const fromData = (value: unknown, path: DataPath, unit: MarkdownUnit, head: FrontMatter): Node =>
  dataNode(value, path, {
    stepsAt: at => [declaredAt(head.spanOf(at), unit)],
    scalarAt: (one, at, steps) => {
      if (typeof one === 'string')
        return scalar(one, one.includes('\n'), steps, {
          literal: { kind: 'string', quote: 'yaml', value: one, span: head.spanOf(at) },
        });
      const isKnown = typeof one === 'number' || typeof one === 'boolean' || one === null;
      return scalar(isKnown ? one : String(one), false, steps);
    },
  });
