import { Command, Option } from 'clipanion';
import { badOptionValue } from '../../generated/diagnostics.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { didYouMean } from '../../text/similar.ts';
import { type Outcome, PrsCommand, refuse } from '../command.ts';

export default class CompletionCommand extends PrsCommand {
  static override paths = [['completion']];
  static override usage = Command.Usage({
    category: 'Integrate',
    description: 'Print a completion script for bash, zsh, fish or PowerShell.',
    examples: [
      ['bash, in ~/.bashrc; zsh in ~/.zshrc alike', 'source <(prs completion bash)'],
      ['fish', 'prs completion fish > ~/.config/fish/completions/prs.fish'],
      ['PowerShell, with `. ~/prs.ps1` in $PROFILE', 'prs completion powershell > ~/prs.ps1'],
    ],
  });

  shell = Option.String({ name: 'shell' });

  async run(context: CompileContext): Promise<Outcome> {
    const { completionScripts } = await import('../rest.ts');
    const script = Object.hasOwn(completionScripts, this.shell) ? completionScripts[this.shell] : undefined;
    if (script === undefined) {
      const shells = Object.keys(completionScripts);
      const allowed = shells.join(', ');
      const hint = `${didYouMean(this.shell, shells)}There are scripts for ${allowed}.`;
      return refuse(context, badOptionValue({ option: '<shell>', value: this.shell, allowed }, { hint }));
    }
    return { content: true, text: () => script };
  }
}
