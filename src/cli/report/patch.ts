import { styled } from '../../text/diagnostics/palette.ts';

const paints = { '+': styled.added, '-': styled.error, '@': styled.help } as const;

/** A line of a hunk in the colour of what it says. */
export const hunkLine = (line: string): string => paints[line[0] as keyof typeof paints]?.(line) ?? line;

/** A patch of one file or of many, as Git colours it. */
export const patchText = (patch: string): string =>
  patch
    .trimEnd()
    .split('\n')
    .map(line => (/^(?:---|\+\+\+) /.test(line) ? styled.strong(line) : hunkLine(line)))
    .join('\n');
