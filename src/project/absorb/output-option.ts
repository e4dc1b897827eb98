import type { Project } from '../open/open.ts';

/**
 * The text of a configuration with an option of `output`, whose value is written as YAML; what else stands there is as
 * it was. `undefined`: the text is not the one that was read, or has no place for it.
 */
export function withOutput(
  text: string,
  name: 'heading' | 'sectionOrder',
  value: string,
  { config, spanOf }: Project['loaded'],
): string | undefined {
  const old = config.output?.[name] && spanOf(['output', name], 'value');
  const output = config.output && spanOf(['output'], 'value');
  if ([old, output].some(span => span && span.source.text !== text)) return undefined;
  if (old) return text.slice(0, old.start) + value + text.slice(old.end);
  if (!output) return `${text.replace(/\n*$/, '\n')}output:\n  ${name}: ${value}\n`;
  const { start } = output;
  if (text[start] === '{') return `${text.slice(0, start + 1)} ${name}: ${value},${text.slice(start + 1)}`;
  const indent = /[^\n]*$/.exec(text.slice(0, start))![0];
  return indent.trim() === ''
    ? `${text.slice(0, start)}${name}: ${value}\n${indent}${text.slice(start)}`
    : undefined;
}
