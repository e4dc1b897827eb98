import {
  encodedPayload,
  hiddenCharacter,
  injectionPhrase as phraseFinding,
  secretLiteral as secretFinding,
} from '../../generated/diagnostics.ts';
import { stringsOf } from '../../syntax/walk.ts';
import { replacementFix } from '../../text/diagnostics/fixes.ts';
import { findHidden, type HiddenKind } from '../../text/hidden.ts';
import { findSecrets } from '../../text/secrets.ts';
import { lineText, positionAt, type Source } from '../../text/source.ts';
import { sourceUnits } from '../documents.ts';
import type { Rule } from '../rule.ts';

/** Sources are committed, and their texts are sent to a model. */
export const secretLiteral: Rule = {
  name: 'secret-literal',
  severity: 'warning',
  help: 'No tokens, keys or passwords in source files.',
  check: ({ texts, report }) => {
    for (const { source } of texts) {
      for (const { title, start, end } of findSecrets(source.text)) {
        report(secretFinding({ what: title }, { span: { source, start, end } }));
      }
    }
  },
};

/** The maximum number of hidden characters that are reported of a file. */
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

/**
 * Sentences that address the assistant about its other instructions. Each needs an imperative and its object,
 * so that text about the subject does not match.
 */
const phrases: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|each|every|the|of|your|my|these|those|its|other)\s+){0,4}(?:previous|prior|above|preceding|earlier|foregoing|existing|original|system)\s+(?:(?:system|safety|user|developer)\s+)?(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?|constraints?|context)\b/gi,
  /\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|reveal|disclose|notify|alert)\s+(?:(?:this|it|anything|these|about|any|of|to)\s+){0,4}(?:the\s+)?user\b/gi,
  /\b(?:without|before)\s+(?:telling|informing|notifying|alerting|asking)\s+the\s+user\b/gi,
  /\byou\s+are\s+(?:now|no\s+longer)\s+(?:(?:in|an?|the|bound|subject|restricted|limited)\s+){1,3}(?:dan\b|jailbr\w*|unrestricted|unfiltered|developer\s+mode|god\s+mode|by\s+(?:any|your|the))/gi,
  /\b(?:reveal|print|repeat|output|show|leak|dump|exfiltrate)\s+(?:me\s+)?(?:your|the)\s+(?:full\s+|entire\s+|hidden\s+|initial\s+|original\s+)*system\s+prompt\b/gi,
  /\b(?:send|post|upload|exfiltrate|transmit|forward|leak)\s+(?:(?:all|any|the|their|your|its|user'?s?)\s+){0,3}(?:api\s+keys?|secrets?|credentials?|passwords?|tokens?|private\s+keys?|environment\s+variables?|\.env(?:\s+files?)?|ssh\s+keys?)\s+to\b/gi,
  /<\/?(?:system|im_start|im_end|\|im_start\||\|im_end\||\|system\|)>|\[\/?INST\]|<<\/?SYS>>|<\|(?:im_start|im_end|system|endoftext)\|>/g,
];

/** A long run of base64, or a command that decodes and runs one. */
const encoded = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{120,4000}={0,2}(?![A-Za-z0-9+/=])/g;
const unpacked =
  /\bbase64\s+(?:-d|-D|--decode)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:eval|exec)\s*\(\s*(?:atob|Buffer\.from|base64\.b64decode)\s*\(/g;

/**
 * Reports texts from registries that address the assistant about its other instructions. Texts of the project
 * are not checked.
 */
export const injectionPhrase: Rule = {
  name: 'injection-phrase',
  severity: 'warning',
  help: 'Sources from a registry should not tell the assistant to ignore its instructions, hide things or run encoded text.',
  check: ({ texts, report }) => {
    for (const { source, remote, isData } of texts) {
      if (!remote || isData) continue;
      for (const { kind, text, start, end } of findInjections(source)) {
        const make = kind === 'phrase' ? phraseFinding : encodedPayload;
        report(make({ text }, { span: { source, start, end } }));
      }
    }
  },
};

interface Injection {
  readonly kind: 'phrase' | 'payload';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Finds probable attempts at prompt injection, in order. Lines about the subject are skipped. */
export function findInjections(source: Source): Injection[] {
  const { text } = source;
  const sentences = phrases
    .flatMap(phrase => [...text.matchAll(phrase)])
    .filter(({ index }) => !isMentioned(source, index));
  const blobs = [...text.matchAll(encoded)].filter(
    ({ index, 0: blob }) => !isImage(text, index) && decodesToText(blob),
  );
  return [
    ...sentences.map(match => injectionAt('phrase', match)),
    ...[...text.matchAll(unpacked), ...blobs].map(match => injectionAt('payload', match)),
  ].sort((a, b) => a.start - b.start);
}

function injectionAt(kind: Injection['kind'], { index, 0: words }: RegExpExecArray): Injection {
  const text = words.replace(/\s+/g, ' ');
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return { kind, text: shown, start: index, end: index + words.length };
}

/** Whether the line of a phrase calls it an attack or an example, so that the text is about injections. */
const isMentioned = (source: Source, at: number): boolean =>
  /\b(?:inject|jailbreak|attack|malicious|adversar|untrusted|attempts?\s+to|such\s+as|e\.g\.|for\s+example|detect|red[- ]team)/i.test(
    lineText(source, positionAt(source, at).line),
  );

const isImage = (text: string, at: number): boolean =>
  /data:[\w/+.%-]{1,60};base64,$/.test(text.slice(Math.max(0, at - 80), at));

/**
 * Whether a payload decodes to text, as a hidden instruction does; hashes, keys and compressed data do not.
 */
function decodesToText(payload: string): boolean {
  const digits = payload.replace(/=+$/, '');
  const bytes = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
  const plain = bytes.replace(/[^\x09\x0a\x0d\x20-\x7e]/g, '').length;
  return plain / bytes.length > 0.95 && / /.test(bytes);
}
