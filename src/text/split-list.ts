/** Splits at commas outside braces, brackets and quotes: `**\/*.{ts,tsx}` is one part. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const letter of text) {
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '{' || letter === '[' || letter === '(') depth++;
    else if (letter === '}' || letter === ']' || letter === ')') depth = Math.max(0, depth - 1);
    if (letter === ',' && depth === 0 && quote === '') {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  return [...parts, part].map(text => text.trim()).filter(text => text !== '');
}
