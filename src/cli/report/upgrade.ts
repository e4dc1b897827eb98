import { sha256 } from '../../host/hash.ts';
import type { UpgradeOutcome } from '../../project/move-in/upgrade.ts';
import { plural } from './files.ts';

/** The members of the JSON object for upgrade. */
export const upgradeData = ({ files }: UpgradeOutcome): Record<string, unknown> => ({
  files: changedSources(files),
});

/** Sources that changed or would change, as `--json` lists files. */
export function changedSources(files: readonly { readonly path: string; readonly text: string }[]): object[] {
  const encoder = new TextEncoder();
  return files.map(({ path, text }) => {
    const bytes = encoder.encode(text);
    return {
      path,
      targets: [],
      state: 'changed',
      mode: '0644',
      bytes: bytes.length,
      sha256: sha256(bytes),
    };
  });
}

/** What changed in each file. */
export function upgradeText({ files, checked }: UpgradeOutcome, dryRun: boolean): string {
  const lines = files.flatMap(({ path, from, to, changes }) => [
    `  ${dryRun ? 'would change' : 'changed'} ${path}${from === undefined ? '' : ` (${from} -> ${to})`}\n`,
    ...changes.map(change => `    ${change}\n`),
  ]);
  return `${lines.join('')}${plural(checked, 'source file')} checked, ${files.length} ${dryRun ? 'to change' : 'changed'}.\n`;
}
