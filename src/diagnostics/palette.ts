import type { Severity } from './diagnostic.ts';

type Paint = (text: string) => string;

/** What a rendered finding may be painted with. */
export interface Palette extends Readonly<Record<Severity, Paint>> {
  readonly strong: Paint;
  readonly dim: Paint;
  readonly help: Paint;
}

const same: Paint = text => text;

/** No colours. */
export const plain: Palette = { error: same, warning: same, info: same, strong: same, dim: same, help: same };

const ansi =
  (open: number, close: number): Paint =>
  text =>
    text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`;

/** The sixteen colours that every terminal theme adapts. */
export const colored: Palette = {
  error: ansi(31, 39),
  warning: ansi(33, 39),
  info: ansi(34, 39),
  strong: ansi(1, 22),
  dim: ansi(2, 22),
  help: ansi(36, 39),
};
