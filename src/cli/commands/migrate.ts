import { Command } from 'clipanion';
import type { MigrateOutcome } from '../../project/move-in/migrate.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { type Conflicts, flag, listOption, type Outcome, PrsCommand } from '../command.ts';
import { blockData, createdData, createdFilesText } from '../report/made.ts';
import { plural } from '../report/table.ts';

export default class MigrateCommand extends PrsCommand {
  static override paths = [['migrate']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Adopt the existing instruction files of a project.',
    details:
      'Copies every text into .instr/ unchanged. After the next compile each file that a tool reads has the same content as before. No existing file is changed.',
    examples: [
      ['Show what would be adopted', 'prs migrate --dry-run'],
      ['Migrate; texts do not change', 'prs migrate'],
      ['Sort the texts into blocks instead', 'prs migrate --static'],
    ],
  });

  static = flag('--static', 'Sort the texts of all instruction files into blocks.');
  llm = flag('--llm', 'Print a prompt for an assistant; write nothing.');
  dryRun = flag('--dry-run', 'Show what would be written; write nothing.');
  files = listOption('--files', 'Only files that match this glob; may be repeated.');

  override conflicts: Conflicts = { '--static': ['--llm'] };

  async run(context: CompileContext): Promise<Outcome> {
    const options = { dryRun: this.dryRun, files: this.files ?? [] };
    const { migrateProject, moveIn, promptForMigration } = await import('../rest.ts');
    if (this.llm) {
      const prompt = await promptForMigration(options, context);
      if (!prompt) return undefined;
      const notes = `A prompt of about ${prompt.tokens} tokens. Give it to an assistant that can write files.\n`;
      return { data: { prompt: prompt.text }, content: true, text: () => prompt.text, notes: () => notes };
    }
    if (!this.static) {
      const moved = await moveIn(options, context);
      return moved && { root: moved.root, data: moved.data, summary: () => moved.text };
    }
    const outcome = await migrateProject(options, context);
    if (!outcome) return undefined;
    const { root } = outcome;
    return { root, data: migrateData(outcome), summary: () => migrateText(outcome, this.dryRun) };
  }
}

/** The JSON members of `migrate`. */
const migrateData = ({ found, files }: MigrateOutcome): Record<string, unknown> => ({
  files: files.map(createdData),
  imports: found.map(({ path, imported: { blocks, text } }) => ({
    file: path,
    blocks: blockData(blocks),
    source: text,
  })),
});

/** What was found and written, and the steps that follow. */
export function migrateText({ found, files, migration, steps }: MigrateOutcome, dryRun: boolean): string {
  const reviews = migration.files.reduce((sum, { text }) => sum + places(text), 0);
  const read = found.map(
    ({ path, imported }) => `  read ${path}: ${plural(imported.blocks.length, 'part')}\n`,
  );
  const review = reviews > 0 ? `${plural(reviews, 'place')} to review: search for # REVIEW:\n` : '';
  return `${read.join('')}${createdFilesText(files, dryRun)}${review}\n${steps}\n`;
}

/** Consecutive comments on one part count once. */
const places = (text: string): number => text.match(/^\s*# REVIEW:.*(?:\n\s*# REVIEW:.*)*/gm)?.length ?? 0;
