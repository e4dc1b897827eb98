import { hiddenCharacter } from '../../generated/diagnostics.ts';
import { replacementFix } from '../../text/diagnostics/fixes.ts';
import { findHidden, type HiddenKind } from '../../text/hidden.ts';
import { sourceUnits, stringsOf } from '../documents.ts';
import type { Rule } from '../rule.ts';

/** The maximum number of findings per file. */
const maxPerFile = 20;

const effects: Readonly<Record<HiddenKind, string>> = {
  bidi: 'it changes the order in which text is shown',
  'zero-width': 'it is not shown',
  tag: 'it spells text that is not shown',
  control: 'it is a control code',
  filler: 'it looks like nothing',
  surrogate: 'it is no character without its other half',
};

/** Whether a text may contain an escape sequence; string search is much faster than a regular expression. */
const hasEscape = (text: string): boolean => text.includes('\\u') || text.includes('\\U');

/** Reports characters that are invisible to people but read by assistants. */
export const hiddenUnicode: Rule = {
  name: 'hidden-unicode',
  severity: 'error',
  help: 'No bidirectional controls, zero-width or tag characters; joiners where emoji and scripts need them are fine.',
  check: ({ program, texts, report }) => {
    for (const { source } of texts) {
      for (const { name, kind, start, end } of findHidden(source.text).slice(0, maxPerFile)) {
        const span = { source, start, end };
        const fixes = [replacementFix('Remove it', span, '')];
        report(hiddenCharacter({ name, effect: effects[kind] }, { span, fixes }));
      }
    }
    // An escape sequence such as \u202e puts the character into the value although the file does not contain
    // it.
    for (const { document } of sourceUnits(program)) {
      if (!hasEscape(document.source.text)) continue;
      for (const declaration of document.declarations) {
        for (const { value, quote, span } of stringsOf(declaration)) {
          if (
            quote === 'text' ||
            quote === 'bare' ||
            !hasEscape(document.source.text.slice(span.start, span.end))
          )
            continue;
          for (const { name, kind } of findHidden(value)) {
            report(hiddenCharacter({ name, effect: effects[kind] }, { span }));
          }
        }
      }
    }
  },
};
