import type { Differences, FileDifference } from '../../project/diff.ts';
import { printable } from '../../text/display.ts';
import { fileData, modeText, plural } from './files.ts';

/** So many lines of a file are shown unless all are asked for. */
const lineLimit = 200;

export interface DiffView {
  readonly full: boolean;
  readonly colors: boolean;
  /** On a terminal, characters that could steer it are shown by name. */
  readonly terminal: boolean;
}

/** The members of the JSON object for diff: every planned file, those that differ with their hunks. */
export function diffData({ compiled, files }: Differences): Record<string, unknown> {
  const patches = new Map(files.map(({ entry, patch }) => [entry.path, patch]));
  return {
    files: compiled.entries.map(entry => {
      const hunks = patches.get(entry.path);
      return hunks ? { ...fileData(entry), hunks } : fileData(entry);
    }),
    omissions: compiled.omissions,
  };
}

/** Differences in unified format, and how many files there are. */
export function diffText({ files, compiled }: Differences, view: DiffView): string {
  if (files.length === 0) {
    return `No differences: ${plural(compiled.entries.length, 'file')} for ${compiled.targets.join(', ')}.\n`;
  }
  const parts = files.map(file => fileText(file, view));
  return `${parts.join('\n')}\n${plural(files.length, 'file')} of ${compiled.entries.length} would change for ${compiled.targets.join(', ')}.\n`;
}

const stateWords: Readonly<Record<string, string>> = {
  new: 'new file',
  changed: 'changed',
  adopted: 'equal, not ours yet',
  conflict: 'not ours: compile --force would replace it',
  drifted: 'edited since it was generated: compile --force would replace it',
  removed: 'no longer generated: would be deleted',
};

function fileText({ entry, patch, binary, modeBefore }: FileDifference, view: DiffView): string {
  const paint = painter(view.colors);
  const heading = `${entry.path} (${stateWords[entry.state] ?? entry.state}; ${entry.targets.join(', ')})`;
  const lines = [paint(1, heading)];
  if (modeBefore !== undefined) lines.push(`mode ${modeText(modeBefore)} -> ${modeText(entry.mode)}`);
  if (binary) lines.push('Binary content differs.');
  const body = patch
    .replace(/^=+\n/, '')
    .replace(/\n$/, '')
    .split('\n')
    .filter((line, at) => at > 0 || line !== '');
  const shown = view.full ? body : body.slice(0, lineLimit);
  if (patch) lines.push(...shown.map(line => colorLine(view.terminal ? printable(line) : line, paint)));
  if (patch && shown.length < body.length)
    lines.push(`… ${body.length - shown.length} more lines; --full shows them.`);
  return `${lines.join('\n')}\n`;
}

type Painter = (code: number, text: string) => string;

const painter =
  (colors: boolean): Painter =>
  (code, text) =>
    colors ? `\x1b[${code}m${text}\x1b[0m` : text;

function colorLine(line: string, paint: Painter): string {
  if (line.startsWith('+++') || line.startsWith('---')) return paint(1, line);
  if (line.startsWith('@@')) return paint(36, line);
  if (line.startsWith('+')) return paint(32, line);
  return line.startsWith('-') ? paint(31, line) : line;
}
