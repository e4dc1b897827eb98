import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class FilesCommand extends PrsCommand {
  static override paths = [['files']];
  static override usage = Command.Usage({
    description: 'List the files that a compile reads and writes.',
    details:
      'For build tools that keep what did not change: paths start at the project. Without an option, both.',
    examples: [
      ['List all', 'prs files'],
      ['What a cache has to look at', 'prs files --inputs'],
      ['What a cache has to keep', 'prs files --outputs --json'],
    ],
  });

  inputs = Option.Boolean('--inputs', false, { description: 'Configurations, the lock, specs and sources.' });
  outputs = Option.Boolean('--outputs', false, { description: 'Generated files and the manifest.' });

  async run({ context }: Invocation): Promise<Outcome> {
    const { compileProject } = await import('../../project/compile.ts');
    const compiled = await compileProject({ mode: 'plan', force: true }, context);
    if (typeof compiled === 'string') return { exitCode: 2 };
    const both = this.inputs === this.outputs;
    const written = compiled.entries.filter(
      ({ state, private: isPrivate }) => state !== 'removed' && state !== 'source' && !isPrivate,
    );
    const inputs = both || this.inputs ? compiled.inputs : undefined;
    const outputs =
      both || this.outputs ? [...written.map(({ path }) => path), '.instr/manifest.json'].sort() : undefined;
    return {
      root: compiled.root,
      data: { ...(inputs && { inputs }), ...(outputs && { outputs }) },
      content: true,
      text: () => [...(inputs ?? []), ...(outputs ?? [])].map(path => `${path}\n`).join(''),
    };
  }
}
