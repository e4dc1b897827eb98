import { commandTable } from '../generated/command-table.ts';
import { targetNames } from '../spec/load.ts';
import { findingFormats, reportFormats } from './command.ts';
import type { CommandInfo, OptionInfo } from './command-info.ts';

/** Shell to the function that prints its completion script, made from the definitions of the commands. */
export const completionScripts: ReadonlyMap<string, () => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
  ['powershell', powershell],
]);

const standing: readonly OptionInfo[] = [
  { names: ['-h', '--help'], takesValue: false, description: 'Show help.' },
  { names: ['-v', '--version'], takesValue: false, description: 'Show the version.' },
];

const optionsOf = (info: CommandInfo) => [...info.options, ...standing];

const commandNames = () => commandTable.map(({ name }) => name).join(' ');

/** What stands for a value: names to choose from, files, directories, or anything. */
type Choice = readonly string[] | 'files' | 'directories' | 'anything';

const targets = targetNames(new Map());

const choices: Readonly<Record<string, Choice>> = {
  '--cwd': 'directories',
  '--config': 'files',
  '--output': 'files',
  '--target': targets,
  '--as': targets,
  '--targets': targets,
  '--format': findingFormats,
  'import --format': targets,
  'validate --format': reportFormats,
  '<target>': targets,
  '<shell>': [...completionScripts.keys()].sort(),
};

/** What an option of a command takes; `--files` and the like take what only the user knows. */
const choiceOf = (command: string, option: string): Choice =>
  choices[`${command} ${option}`] ?? choices[option] ?? 'anything';

const argumentsOf = ({ positionals }: CommandInfo): Choice =>
  (positionals[0] && choices[`<${positionals[0].name}>`]) ?? 'files';

function bash(): string {
  const generated = (choice: Choice) =>
    choice === 'anything'
      ? '()'
      : `($(compgen ${choice === 'files' ? '-f' : choice === 'directories' ? '-d' : `-W "${choice.join(' ')}"`} -- "$current"))`;
  const cases = commandTable.map(info => {
    const words = optionsOf(info)
      .flatMap(({ names }) => names)
      .join(' ');
    return `    ${info.name}) words="${words}" ;;`;
  });
  const values = commandTable.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names }) =>
        names.map(
          option => `    "${name} ${option}") COMPREPLY=${generated(choiceOf(name, option))}; return ;;`,
        ),
      ),
  );
  const rest = commandTable.flatMap(info => {
    const choice = argumentsOf(info);
    return choice === 'files' ? [] : [`    ${info.name}) COMPREPLY=${generated(choice)}; return ;;`];
  });
  return `# bash completion of prs
_prs() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" word
  # "--target=x" arrives as three words.
  if [[ "$current" == "=" ]]; then
    current=""
  elif [[ "$previous" == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$previous" in
    --cwd) COMPREPLY=${generated('directories')}; return ;;
    --config) COMPREPLY=${generated('files')}; return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${commandNames()} " in *" $word "*) command="$word"; break ;; esac
  done
  case "$command $previous" in
${values.join('\n')}
  esac
  case "$command" in
    "") words="${commandNames()} --help --version" ;;
${cases.join('\n')}
  esac
  if [[ "$current" == -* || -z "$command" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command" in
${rest.join('\n')}
  esac
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _prs prs
`;
}

function zsh(): string {
  // Within single quotes, and within `[…]` and behind `:` of zsh's own descriptions: a quoted word of a shell is not enough.
  const quote = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]:]/g, '\\$&');
  const action = (choice: Choice) =>
    choice === 'files'
      ? '_files'
      : choice === 'directories'
        ? '_files -/'
        : choice === 'anything'
          ? ''
          : `(${choice.join(' ')})`;
  const cases = commandTable.map(info => {
    const specs = optionsOf(info).flatMap(({ names, takesValue, description }) =>
      names.map(name => {
        // The sign says that the value may stand in the same word.
        const value = takesValue ? `:value:${action(choiceOf(info.name, name))}` : '';
        return `'${name}${takesValue && name.startsWith('--') ? '=' : ''}[${quote(description)}]${value}'`;
      }),
    );
    return `    ${info.name})\n      _arguments ${specs.join(' ')} '*:argument:${action(argumentsOf(info))}' ;;`;
  });
  return `#compdef prs
_prs() {
  local -a commands
  commands=(
${commandTable.map(({ name, description }) => `    '${name}:${quote(description)}'`).join('\n')}
  )
  local command
  integer at
  for (( at = 2; at < CURRENT; at++ )); do
    case "$words[at]" in
      --cwd|--config) (( at++ )) ;;
      -*) ;;
      *) command="$words[at]"; break ;;
    esac
  done
  if [[ -z "$command" ]]; then
    _describe 'command' commands
    return
  fi
  words=("\${(@)words[at,-1]}")
  (( CURRENT -= at - 1 ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_prs" ]; then _prs "$@"; else compdef _prs prs; fi
`;
}

function fish(): string {
  // Unlike POSIX shells, fish takes backslashes within single quotes.
  const quote = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
  const offered = (choice: Choice) =>
    choice === 'files'
      ? ' -r'
      : choice === 'directories'
        ? " -x -a '(__fish_complete_directories)'"
        : ` -x${choice === 'anything' ? '' : ` -a '${choice.join(' ')}'`}`;
  const lines = commandTable.flatMap(info => {
    const within = `complete -c prs -n '__fish_seen_subcommand_from ${info.name}'`;
    const words = argumentsOf(info);
    return [
      `complete -c prs -n 'not __fish_seen_subcommand_from ${commandNames()}' -f -a ${info.name} -d ${quote(info.description)}`,
      ...(words === 'files' ? [] : [`${within} -f${offered(words).slice(3)}`]),
      ...optionsOf(info).map(({ names, takesValue, description }) => {
        const flags = names.map(name =>
          name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        );
        const value = takesValue ? offered(choiceOf(info.name, names[0]!)) : '';
        return `${within} ${flags.join(' ')}${value} -d ${quote(description)}`;
      }),
    ];
  });
  return `# fish completion of prs\n${lines.join('\n')}\n`;
}

function powershell(): string {
  // PowerShell reads curly quotes as quotes too; a doubled quote stands for itself.
  const quote = (text: string) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
  const offered = (choice: Choice) =>
    typeof choice === 'string' ? quote(choice) : `@(${choice.map(quote).join(', ')})`;
  const pairs = (entries: readonly (readonly [name: string, value: string])[], indent: string) =>
    entries.map(([name, value]) => `${indent}${quote(name)} = ${value}`).join('\n');
  const options = commandTable.map(info => {
    const described = optionsOf(info).flatMap(({ names, description }) =>
      names.map(name => [name, quote(description)] as const),
    );
    return [info.name, `[ordered]@{\n${pairs(described, '      ')}\n    }`] as const;
  });
  const values = commandTable.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names }) => names.map(one => [`${name} ${one}`, offered(choiceOf(name, one))] as const)),
  );
  const before = ['--cwd', '--config'].map(name => [` ${name}`, offered(choiceOf('', name))] as const);
  return `# PowerShell completion of prs
Register-ArgumentCompleter -Native -CommandName prs -ScriptBlock {
  param($current, $line, $position)
  $commands = [ordered]@{
${pairs(
  commandTable.map(({ name, description }) => [name, quote(description)]),
  '    ',
)}
  }
  $options = @{
    '' = [ordered]@{
${pairs(
  standing.map(({ names, description }) => [names.at(-1)!, quote(description)]),
  '      ',
)}
    }
${pairs(options, '    ')}
  }
  $values = @{
${pairs([...before, ...values], '    ')}
  }
  $arguments = @{
${pairs(
  commandTable.map(info => [info.name, offered(argumentsOf(info))]),
  '    ',
)}
  }
  $current = "$current"
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $command = ''
  $isValue = $false
  foreach ($word in $words) {
    if ($isValue) { $isValue = $false }
    elseif ($word -in '--cwd', '--config') { $isValue = $true }
    elseif ($commands.Contains($word)) { $command = $word; break }
  }
  $previous = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $prefix = ''
  if ($current -match '^(--[a-z-]+)=(.*)$') {
    $previous = $Matches[1]
    $prefix = "$previous="
    $current = $Matches[2]
  }
  $choice = $values["$command $previous"]
  if ($null -eq $choice -and $prefix -eq '') {
    if ($command -eq '' -or $current.StartsWith('-')) {
      $described = [ordered]@{}
      if ($command -eq '') { foreach ($one in $commands.GetEnumerator()) { $described[$one.Key] = $one.Value } }
      foreach ($one in $options[$command].GetEnumerator()) { $described[$one.Key] = $one.Value }
      foreach ($one in $described.GetEnumerator()) {
        if ($one.Key.StartsWith($current, 'Ordinal')) {
          [System.Management.Automation.CompletionResult]::new($one.Key, $one.Key, 'ParameterValue', $one.Value)
        }
      }
      return
    }
    $choice = $arguments[$command]
  }
  if ($choice -is [array]) {
    foreach ($one in $choice) {
      if ($one.StartsWith($current, 'Ordinal')) {
        [System.Management.Automation.CompletionResult]::new("$prefix$one", $one, 'ParameterValue', $one)
      }
    }
  } elseif ($choice -in 'files', 'directories') {
    foreach ($one in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current)) {
      if ($choice -eq 'files' -or $one.ResultType -eq 'ProviderContainer') {
        [System.Management.Automation.CompletionResult]::new("$prefix$($one.CompletionText)", $one.ListItemText, $one.ResultType, $one.ToolTip)
      }
    }
  }
}
`;
}
