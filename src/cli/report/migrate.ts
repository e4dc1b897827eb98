import type { Compiled } from '../../project/compile.ts';
import type { MigrateOutcome } from '../../project/move-in/migrate.ts';
import { plural } from './files.ts';
import { blockData } from './import.ts';
import { createdData, createdFilesText } from './made.ts';

/** The JSON members of `migrate`. */
export function migrateData({ found, files }: MigrateOutcome): Record<string, unknown> {
  return {
    files: files.map(createdData),
    imports: found.map(({ path, imported }) => ({
      file: path,
      blocks: blockData(imported.blocks),
      source: imported.text,
    })),
  };
}

/** What was found and written, and the steps that follow. */
export function migrateText(
  { found, files, migration, steps }: MigrateOutcome,
  dryRun: boolean,
  planned?: Compiled,
): string {
  const reviews = migration.files.reduce((sum, { text }) => sum + places(text), 0);
  const read = found.map(
    ({ path, imported }) => `  read ${path}: ${plural(imported.blocks.length, 'part')}\n`,
  );
  const review = reviews > 0 ? `${plural(reviews, 'place')} to review: search for # REVIEW:\n` : '';
  return `${read.join('')}${createdFilesText(files, dryRun, planned)}${review}\n${steps}\n`;
}

/** Consecutive comments on one part count once. */
const places = (text: string): number => text.match(/^\s*# REVIEW:.*(?:\n\s*# REVIEW:.*)*/gm)?.length ?? 0;
