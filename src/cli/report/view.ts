import type { OriginRange, View } from '../../project/view/view.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { plural } from './files.ts';
import { patchText } from './patch.ts';
import { table } from './table.ts';

/** The JSON member `view`. */
export function viewData(
  { spec, version, parts, onDemand, limit, cut }: View,
  origins?: ReadonlyMap<string, readonly OriginRange[]>,
): Record<string, unknown> {
  return {
    target: spec.id,
    version,
    parts: parts.map(({ path, startLine, endLine, bytes, tokens, text, importedBy, onReadOf }) => ({
      path,
      startLine,
      endLine,
      bytes,
      tokens,
      text,
      ...(importedBy !== undefined && { importedBy }),
      ...(onReadOf !== undefined && { onReadOf }),
      ...(origins?.has(path) && { origins: origins.get(path) }),
    })),
    onDemand,
    ...(limit && { limit: { [limit.unit]: limit.max } }),
    ...(cut && { cut }),
  };
}

/** The text that the tool loads, with file boundaries, content loaded on demand, sizes, and the cut. */
export function viewText({ spec, parts, onDemand, limit, cut }: View, width: number): string {
  const lines: string[] = [];
  for (const { path, text, startLine, endLine, tokens, importedBy, onReadOf } of parts) {
    const notes = [
      startLine === 1 ? plural(endLine, 'line') : `lines ${startLine} to ${endLine}`,
      `~${plural(tokens, 'token')}`,
      ...(importedBy === undefined ? [] : [`imported by ${importedBy}`]),
      ...(onReadOf === undefined ? [] : [`after a file of ${onReadOf}/ was read`]),
    ];
    const title = `── ${path} (${notes.join(', ')}) `;
    lines.push(styled.strong(title.padEnd(Math.max(title.length, Math.min(width, 80)), '─')));
    lines.push(text.endsWith('\n') ? text.slice(0, -1) : text);
    if (cut?.path !== path || startLine > 1) continue;
    const next = parts.find(part => part.path === path && part.startLine > 1);
    const lost = next === undefined ? 'the rest' : `what follows up to line ${next.startLine}`;
    lines.push(styled.warning(`── cut here, at line ${cut.line}: ${lost} is not given to ${spec.title}`));
  }
  if (parts.length === 0) lines.push(`${spec.title} is given no text here.`);
  if (onDemand.length > 0) {
    lines.push('', styled.strong('On demand'));
    lines.push(
      table(
        onDemand.map(({ kind, name, path }) => [`  ${kind}`, name, path]),
        width,
      ).trimEnd(),
    );
  }
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const most = limit ? ` of at most ${limit.max} ${limit.unit}` : '';
  lines.push(
    '',
    `${spec.title}: ${plural(parts.length, 'file')}, ${plural(bytes, 'byte')}${most}, ~${plural(tokens, 'token')}`,
  );
  return `${lines.join('\n')}\n`;
}

/** The changes of the text that the tool loads. */
export function diffText(patch: string): string {
  const lines = patch.split('\n').slice(1);
  if (!lines.some(line => line.startsWith('@@'))) return 'The tool is given the same text.\n';
  return `${patchText(lines.join('\n'))}\n`;
}
