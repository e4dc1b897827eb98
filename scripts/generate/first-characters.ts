/** Which characters the text that a regular expression finds can begin with. */

/**
 * Whether an expression can find a text that begins with a character. It understands what src/syntax/lexicon.ts is
 * written with; nothing else is tried.
 */
export function beginsWith(expression: RegExp, character: string): boolean {
  const { source, flags } = expression;
  const isOne = (part: string) => new RegExp(`^${part}$`, flags).test(character);
  let at = 0;

  /** Alternatives up to a closing bracket: whether one begins with the character, and whether one may be empty. */
  function readAlternatives(): { begins: boolean; empty: boolean } {
    const found = { begins: false, empty: false };
    for (;;) {
      const { begins, empty } = readSequence();
      found.begins ||= begins;
      found.empty ||= empty;
      if (source[at] !== '|') return found;
      at++;
    }
  }

  function readSequence(): { begins: boolean; empty: boolean } {
    let begins = false;
    let empty = true;
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const atom = readAtom();
      const quantifier = /[*?+]|\{\d+(?:,\d*)?\}/y;
      quantifier.lastIndex = at;
      const [times = ''] = quantifier.exec(source) ?? [];
      at += times.length;
      if (empty) begins ||= atom.begins;
      empty &&= atom.empty || times === '*' || times === '?' || times.startsWith('{0');
    }
    return { begins, empty };
  }

  function readAtom(): { begins: boolean; empty: boolean } {
    if (source[at] === '(') {
      const opening = /\((?:\?(?::|<?[=!]))?/y;
      opening.lastIndex = at;
      const [bracket] = opening.exec(source)!;
      at += bracket.length;
      const inside = readAlternatives();
      at++;
      return /[=!]/.test(bracket) ? { begins: false, empty: true } : inside;
    }
    const one = /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|.)|[^\\[]/sy;
    one.lastIndex = at;
    const [part] = one.exec(source)!;
    at += part.length;
    // A place is no character.
    if (part === '^' || part === '$' || part === '\\b' || part === '\\B')
      return { begins: false, empty: true };
    return { begins: isOne(part), empty: false };
  }

  const { begins, empty } = readAlternatives();
  return begins || empty;
}
