import { sha256 } from '../../host/hash.ts';
import type { InitAnswers, InitFile } from '../../project/init.ts';

/** The files of a new project as members of the JSON object. */
export function initData(files: readonly InitFile[]): { files: readonly object[] } {
  const encoder = new TextEncoder();
  return {
    files: files.map(({ path, state, content }) => {
      const bytes = encoder.encode(content);
      return { path, targets: [], state, mode: '0644', bytes: bytes.length, sha256: sha256(bytes) };
    }),
  };
}

/** What was done, for people, and what to do next. */
export function initNotes(files: readonly InitFile[], answers: InitAnswers, dryRun: boolean): string {
  const lines = files
    .filter(({ state }) => state !== 'unchanged')
    .map(({ path, state, backup }) => {
      const verb = dryRun
        ? `would ${state === 'new' ? 'write' : 'change'}`
        : state === 'new'
          ? 'wrote'
          : 'changed';
      return `  ${verb} ${path}${backup === undefined ? '' : ` (the former one is kept as ${backup})`}`;
    });
  const targets = `Project ${answers.name} for ${answers.targets.join(', ')}.`;
  const next = dryRun
    ? 'Nothing was written.'
    : 'Next: edit .instr/project.prs, then run `prs compile`. Files that exist already are never overwritten;\n`prs migrate --static` takes their content over.';
  return `${[targets, ...lines, next].join('\n')}\n`;
}
