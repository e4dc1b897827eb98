import { lenientText } from '../../migrate/lenient.ts';
import { newestSyntax } from '../../text/version.ts';

/** A tool of the configuration, with the options that it needs here. */
export interface ConfiguredTool {
  readonly id: string;
  readonly options: Readonly<Record<string, string | boolean>>;
}

/** The configuration that a migration into blocks writes: each text once, and rules that the texts do not keep yet. */
export function sortedConfig(
  name: string,
  tools: readonly ConfiguredTool[],
  lenient: ReadonlySet<string>,
): string {
  return [
    '# What is compiled, and for which assistants. `prs targets` lists them.',
    `id: ${JSON.stringify(name)}`,
    `syntax: ${JSON.stringify(newestSyntax)}`,
    'targets:',
    ...tools.map(({ id, options }) => {
      const fields = Object.entries(options).map(([key, value]) => `${key}: ${value}`);
      return fields.length === 0 ? `  - ${id}` : `  - ${id}: { ${fields.join(', ')} }`;
    }),
    'output:',
    '  # One main file for all tools that read it.',
    '  layout: once',
    // Its own skill would go where the others cannot.
    ...(tools.some(({ options }) => options.includeSkills === false) ? ['includeInstrSkill: false'] : []),
    ...lenientText(lenient),
    '',
  ].join('\n');
}
