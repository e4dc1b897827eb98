import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';

/**
 * Completion scripts by shell. On each press of the tab key a script calls `prs complete`, which prints a
 * line for each completion: the word and its description, separated by a tab.
 */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `# bash completion of prs
_prs() {
  local word current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case "$word" in
      :files) COMPREPLY=($(compgen -f -- "$current")) ;;
      :directories) COMPREPLY=($(compgen -d -- "$current")) ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(prs complete --current="$current" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -o filenames -F _prs prs
`,
  zsh: `#compdef prs
_prs() {
  local line
  local -a offers
  for line in "\${(@f)$(prs complete --current="$words[CURRENT]" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    case "$line" in
      :files) _files; return ;;
      :directories) _files -/; return ;;
      ?*) offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe 'prs' offers
}
if [ "$funcstack[1]" = "_prs" ]; then _prs "$@"; else compdef _prs prs; fi
`,
  fish: `# fish completion of prs
function __prs_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l offers (prs complete --current="$current" -- $words[2..-1] 2>/dev/null)
  switch "$offers[1]"
    case ':files'
      __fish_complete_path $current
    case ':directories'
      __fish_complete_directories $current
    case '*'
      printf '%s\\n' $offers
  end
end
complete -c prs -f -a '(__prs_complete)'
`,
  powershell: `# PowerShell completion of prs
Register-ArgumentCompleter -Native -CommandName prs -ScriptBlock {
  param($current, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  foreach ($offer in @(prs complete "--current=$current" '--' @words 2>$null)) {
    $word, $description = $offer -split "\`t", 2
    if ($word -in ':files', ':directories') {
      foreach ($one in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current)) {
        if ($word -eq ':files' -or $one.ResultType -eq 'ProviderContainer') { $one }
      }
    } else {
      $tip = if ($description) { $description } else { $word }
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $tip)
    }
  }
}
`,
};

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

  override choices = { shell: Object.keys(completionScripts) };

  async run(): Promise<Outcome> {
    return { content: true, text: () => completionScripts[this.shell]! };
  }
}
