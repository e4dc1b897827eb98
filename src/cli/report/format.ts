import type { FormatOutcome } from '../../project/format-sources.ts';
import { plural } from './files.ts';
import { changedSources } from './upgrade.ts';

/** The members of the JSON object for format. */
export const formatData = ({ files }: FormatOutcome): Record<string, unknown> => ({
  files: changedSources(files),
});

/** The files whose layout changed or would change. */
export function formatText({ files, checked }: FormatOutcome, check: boolean): string {
  const lines = files.map(({ path }) => `  ${check ? 'would change' : 'changed'} ${path}\n`);
  return `${lines.join('')}${plural(checked, 'source file')} checked, ${files.length} ${check ? 'to change' : 'changed'}.\n`;
}
