import { basename } from 'node:path';
import type { Project } from '../open/open.ts';
import { textCandidate } from './line-candidates.ts';
import type { Candidate, Surroundings } from './workspace.ts';

/** The candidate that sets an option of `output` in the configuration to a YAML value; the rest of the file is kept. */
export function withOutputOption(
  name: 'heading' | 'sectionOrder',
  value: string,
  around: Surroundings,
  { loaded }: Project,
): Candidate[] {
  const file = basename(loaded.path);
  const text = around.sourceLines(file)?.join('\n');
  const next = text === undefined ? undefined : setOption(text, name, value, loaded);
  return next === undefined ? [] : [textCandidate([[file, next]], around)];
}

function setOption(
  text: string,
  name: 'heading' | 'sectionOrder',
  value: string,
  { config, spanOf }: Project['loaded'],
): string | undefined {
  const old = config.output?.[name] && spanOf(['output', name], 'value');
  const output = config.output && spanOf(['output'], 'value');
  // Another file of the chain of configurations has the option.
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
