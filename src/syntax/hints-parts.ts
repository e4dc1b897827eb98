import { type Advice, closers, type FailureCase } from './failure.ts';
import { writeString } from './literals.ts';
import { insertAfter, insertBefore, quoteFrom, removeKey, removeToken, replaceToken } from './token-fixes.ts';

/* Syntax errors about the parts of declarations: misplaced parts, and incomplete keys, titles and values. */

/** A token at the top level that does not start a declaration. */
export function outsideDeclaration({ at, token }: FailureCase): Advice | undefined {
  if (at !== 0 || !token) return undefined;
  if (closers['{'] === token.text || token.text === ']' || token.text === ')') {
    return { hint: `Nothing is open here: remove this \`${token.text}\`.`, fixes: [removeToken(token)] };
  }
  if (token.type === 'header') {
    return {
      hint: '`@header` belongs into the block whose section it names: `@standards { @header "Title" … }`.',
    };
  }
  if (/^(?:use|inherit|extend|override)$/.test(token.text)) {
    const fixes = [insertBefore('Put `@` in front', token, '@')];
    return { hint: `Declarations start with \`@\`: write \`@${token.text}\`.`, fixes };
  }
  if (token.type === 'name' && /^\s*\{/.test(token.source.text.slice(token.end, token.end + 20))) {
    const fixes = [insertBefore('Put `@` in front', token, '@')];
    return { hint: `Declarations start with \`@\`: write \`@${token.text} {\`.`, fixes };
  }
  return {
    hint: 'Everything in a file belongs into a declaration. Put free text into one such as `@knowledge { """…""" }`.',
  };
}

/** A declaration without its body. */
export function noBody({ token, chunk, at, expected: { tokens, rules } }: FailureCase): Advice | undefined {
  const head = chunk.tokens[0];
  const wants = tokens.has('lbrace') || tokens.has('segment');
  if (!wants || !head || rules.has('value') || chunk.tokens.slice(0, at).some(one => one.type === 'lbrace')) {
    return undefined;
  }
  if (head.type === 'at' && token?.type === 'colon' && chunk.tokens[at + 1]?.type === 'lbrace')
    return {
      hint: `Put the content of \`${head.text}\` into braces: \`${head.text} { … }\`.`,
      fixes: [removeToken(token)],
    };
  // `@include ./file`: another language imports files like this.
  if (head.type === 'at' && at === 1 && token && /^["']?[\w@./-]*[./]/.test(token.text))
    return {
      hint: `\`${head.text}\` takes no file. To bring in a file, write \`@use ./file\`. Put the content of a block into braces: \`${head.text} { … }\`.`,
    };
  if (head.type === 'at')
    return { hint: `Put the content of \`${head.text}\` into braces: \`${head.text} { … }\`.` };
  return {
    hint: `Name what is changed, then the change in braces: \`${head.text} standards.testing { … }\`.`,
  };
}

/** A list item where none is allowed. */
export function strayListItem({ token, expected: { rules } }: FailureCase): Advice | undefined {
  if (token?.type !== 'dash') return undefined;
  if (rules.has('field') && !rules.has('item')) {
    return { hint: 'Inside an object a list belongs to a key: `rules: ["…", "…"]`.' };
  }
  if (!rules.has('value')) return undefined;
  return { hint: 'A list after a key is written in brackets, without `-`: `["…", "…"]`.' };
}

/** A declaration inside an object. */
export function directiveInObject({ token, inBody, expected: { rules } }: FailureCase): Advice | undefined {
  if (!rules.has('field') || !token?.text.startsWith('@')) return undefined;
  if (token.type !== 'header' && token.type !== 'use') {
    return {
      hint: `\`${token.text}\` starts a declaration, which cannot be inside another one. Move it out.`,
    };
  }
  if (inBody) return undefined;
  return {
    hint: `\`${token.text}\` belongs directly into a block, not into one of its objects. Move it out.`,
  };
}

/** `=` instead of `:`. */
export function equalsSign({ token, before, wantsColon }: FailureCase): Advice | undefined {
  if (token?.type !== 'equals' || !wantsColon || !before) return undefined;
  const hint = `Key and value are joined by \`:\`: write \`${before.text}: …\`.`;
  return { hint, fixes: [replaceToken('Use `:`', token, ':')] };
}

/** `/test: "…"` */
export function quotedKey({ token, chunk, at, expected: { rules } }: FailureCase): Advice | undefined {
  if (token?.type !== 'word' || !rules.has('field')) return undefined;
  const hint = `A key with such characters needs quotes: \`"${token.text}": …\`.`;
  const isKey = chunk.tokens[at + 1]?.type === 'colon';
  return {
    hint,
    fixes: isKey ? [replaceToken('Put the key in quotes', token, writeString(token.text))] : [],
  };
}

/** An import without a reference. */
export function noReference({ before, expected: { tokens } }: FailureCase): Advice | undefined {
  if (!tokens.has('reference') || !before) return undefined;
  return {
    hint: `Name the file on the same line: \`${before.text} ./file\` or \`${before.text} @alias/path\`.`,
  };
}

/** A `@header` without its title. */
export function noTitle({ token, before, chunk, at, expected: { tokens } }: FailureCase): Advice | undefined {
  if (before?.type === 'for')
    return { hint: 'Name the tools without quotes, with commas between them: `for <id>, <id>`.' };
  if (before?.type === 'as')
    return { hint: 'Give the alias a name of letters, digits, `_` and `-`: `as shared`.' };
  if (!tokens.has('string') || tokens.has('text')) return undefined;
  if (before?.type === 'into') {
    const fixes =
      token?.type === 'name' ? [replaceToken('Put it in quotes', token, writeString(token.text))] : [];
    return { hint: 'Put the folder in quotes: `into "shared/skills"`.', fixes };
  }
  if (before?.type !== 'header' && chunk.tokens[at - 2]?.type !== 'header') return undefined;
  const hint = 'A header needs a title in quotes: `@header "Title"` or `@header section "Title"`.';
  const first = chunk.tokens.slice(0, at).findLastIndex(one => one.type === 'header') + 1;
  return { hint, fixes: token && !chunk.tokens[first]!.newLine ? quoteFrom(chunk.tokens, first) : [] };
}

/** A key without its value. */
export function noValue({
  chunk,
  at,
  before,
  token,
  opener,
  expected: { rules },
}: FailureCase): Advice | undefined {
  if (!rules.has('value') || (opener && !token)) return undefined;
  if (before?.type === 'lparen') return { hint: 'List what is allowed: `enum("a", "b")`, or `range(1..5)`.' };
  if (before?.type === 'dash') return { hint: 'Write what the list item says: `- "…"`.' };
  const key = chunk.tokens[at - 2];
  if (before?.type !== 'colon' || !key) return undefined;
  if (token?.type === 'at' && !token.newLine)
    return {
      hint: `A value is text, a list or an object, not \`${token.text}\`. To bring in a file, write \`@use ./file\` at the top of this file; a text that begins with \`@\` needs quotes.`,
    };
  return {
    hint: `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.`,
    fixes: [removeKey(key, before)],
  };
}

/** A comma where none is allowed. */
export function strayComma({ token, wantsColon }: FailureCase): Advice | undefined {
  if (token?.type !== 'comma' || wantsColon) return undefined;
  return {
    hint: 'Remove this comma. A single comma may separate two values; commas are optional.',
    fixes: [removeToken(token)],
  };
}

/** Tokens that may follow a key when only its colon is missing. */
const valueStarts = new Set(['string', 'text', 'lbrace', 'lbracket']);

/** A key and a value without `:` between them. */
export function missingColon({
  token,
  before,
  inside,
  inBody,
  opener,
  wantsColon,
}: FailureCase): Advice | undefined {
  if (!wantsColon || !before || (!token && opener)) return undefined;
  if (inside?.text === '(') return { hint: `An argument has a name and a value: \`${before.text}: …\`.` };
  if (!token || /^[}\]),]$/.test(token.text)) {
    const text = before.text.replace(/^["']|["']$/g, '');
    return {
      hint: `\`${before.text}\` has no value: write \`${before.text}: "…"\`, or \`- "${text}"\` for a list item.`,
      fixes: inBody ? [replaceToken('Write it as a list item', before, `- ${writeString(text)}`)] : [],
    };
  }
  return {
    hint: `A colon is missing after the key: write \`${before.text}: …\`. Text without a key needs quotes.`,
    fixes: valueStarts.has(token.type) ? [insertAfter('Put a colon after the key', before, ':')] : [],
  };
}
