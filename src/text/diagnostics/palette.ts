import { type Paint, styleOf } from '../style.ts';
import type { Severity } from './diagnostic.ts';

/** The colours that rendered findings use. */
export interface Palette extends Readonly<Record<Severity, Paint>> {
  readonly strong: Paint;
  readonly dim: Paint;
  readonly help: Paint;
  readonly added: Paint;
}

const same: Paint = text => text;

/** No colours. */
export const noColors: Palette = {
  error: same,
  warning: same,
  info: same,
  strong: same,
  dim: same,
  help: same,
  added: same,
};

/**
 * The sixteen colours that every terminal theme adapts. They are turned into escape codes when the text is
 * printed.
 */
export const styled: Palette = {
  error: styleOf(31, 39),
  warning: styleOf(33, 39),
  info: styleOf(34, 39),
  strong: styleOf(1, 22),
  dim: styleOf(2, 22),
  help: styleOf(36, 39),
  added: styleOf(32, 39),
};
