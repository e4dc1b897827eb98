import { posixWord } from '../text/shell.ts';

/** A file that no output replaces, with the titles of the tools that still read it. */
export interface UnreplacedFile {
  readonly path: string;
  readonly tools: readonly string[];
  /** Whether a compile with `--force` removes it. */
  readonly removable?: boolean;
}

/** What a migration read, and how to continue. */
export interface Takeover {
  readonly paths: readonly string[];
  readonly targets: readonly string[];
  /** Files with hooks that stay with the user. */
  readonly withHooks: readonly string[];
  readonly stillRead: readonly UnreplacedFile[];
  /** Files that were not read because they belong to a subfolder. */
  readonly inner: readonly string[];
  /** Files that no output can replace. */
  readonly keptFiles: readonly string[];
}

/** The steps after a migration, in an order that loses nothing. */
export function takeoverSteps({ paths, targets, withHooks, stillRead, inner, keptFiles }: Takeover): string {
  const listed = paths.slice(0, 8).map(posixWord).join(' ');
  const more = paths.length > 8 ? ` … (${paths.length} files)` : '';
  return [
    'Next steps. Nothing below happened yet, and your instruction files are as they were.',
    '',
    `1. Look through .instr/migrated/ and search for REVIEW.`,
    `2. Make sure that what will be replaced can be restored: git status -- ${listed}${more}`,
    '   Files that are not under version control are copied to .instr/.state/backups/ when they are taken over.',
    `3. prs compile --dry-run              what would be written${targets.length > 0 ? ` for ${targets.join(', ')}` : ''}, every conflict and omission`,
    '4. prs diff --all --full              compare with the files you have',
    '5. prs validate --strict',
    '6. prs compile --force                take the files over',
    `7. git diff -- ${listed}${more}`,
    '8. prs diff --all --full              must show no difference now',
    ...(withHooks.length > 0
      ? [
          `9. Hooks are in .instr/migrated/hooks.prs now. Remove the former ones from ${withHooks.map(posixWord).join(' ')},`,
          '   or they run twice: what you wrote there yourself is never touched.',
        ]
      : []),
    '',
    ...[true, false].flatMap(isRemovable =>
      list(
        `What these say is in .instr/migrated/ now, and nothing replaces them: ${isRemovable ? 'step 6 removes them' : 'remove them after step 6'}, or it is read twice.`,
        stillRead
          .filter(({ removable = false }) => removable === isRemovable)
          .map(({ path, tools }) => `${posixWord(path)}: ${tools.join(', ')}`),
      ),
    ),
    ...list(
      'Not taken: no output can take the place of these, which are read as before.',
      keptFiles.map(posixWord),
    ),
    ...list('Not taken: these are for their folders alone, and stay as they are.', inner.map(posixWord)),
    'Do not delete an instruction file to get rid of a conflict: --force takes it over and keeps a copy.',
  ].join('\n');
}

const list = (head: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [head, ...lines.map(line => `   ${line}`), ''] : [];
