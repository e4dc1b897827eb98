import { styled } from '../../text/diagnostics/palette.ts';

const paints = { '+': styled.added, '-': styled.error, '@': styled.help } as const;

/** Colours a line of a hunk. */
export const hunkLine = (line: string): string => paints[line[0] as keyof typeof paints]?.(line) ?? line;

/** Colours a patch of one or several files as Git does. */
export const patchText = (patch: string): string =>
  patch
    .trimEnd()
    .split('\n')
    .map(line => (/^(?:---|\+\+\+) /.test(line) ? styled.strong(line) : hunkLine(line)))
    .join('\n');
