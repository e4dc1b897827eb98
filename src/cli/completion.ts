import { commandTable } from '../generated/command-table.ts';
import type { CommandInfo, OptionInfo } from './command-info.ts';

/** Shell to the function that prints its completion script, made from the definitions of the commands. */
export const completionScripts: ReadonlyMap<string, () => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

const standing: readonly OptionInfo[] = [
  { names: ['-h', '--help'], takesValue: false, description: 'Show help.' },
  { names: ['-v', '--version'], takesValue: false, description: 'Show the version.' },
];

const optionsOf = (info: CommandInfo) => [...info.options, ...standing];

const commandNames = () => commandTable.map(({ name }) => name).join(' ');

/** Options whose value is a path are completed by file names; other values are left to the user. */
const directoryOptions = ['--cwd'];
const fileOptions = ['--config', '--output'];

function bash(): string {
  const cases = commandTable.map(
    info =>
      `    ${info.name}) words="${optionsOf(info)
        .flatMap(({ names }) => names)
        .join(' ')}" ;;`,
  );
  return `# bash completion of prs
_prs() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" word
  case "$previous" in
    ${directoryOptions.join('|')}) COMPREPLY=($(compgen -d -- "$current")); return ;;
    ${fileOptions.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${commandNames()} " in *" $word "*) command="$word"; break ;; esac
  done
  case "$command" in
    "") words="${commandNames()} --help --version" ;;
${cases.join('\n')}
  esac
  if [[ "$current" == -* || -z "$command" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _prs prs
`;
}

function zsh(): string {
  const quote = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]:]/g, '\\$&');
  const specs = ({ names, takesValue, description }: OptionInfo) =>
    names.map(name => `'${name}[${quote(description)}]${takesValue ? `:value:${values(name)}` : ''}'`);
  const values = (name: string) =>
    directoryOptions.includes(name) ? '_files -/' : fileOptions.includes(name) ? '_files' : '';
  const cases = commandTable.map(
    info =>
      `    ${info.name})\n      _arguments ${optionsOf(info).flatMap(specs).join(' ')} '*:file:_files' ;;`,
  );
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
      ${[...directoryOptions, '--config'].join('|')}) (( at++ )) ;;
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
  const quote = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
  const lines = commandTable.flatMap(info => [
    `complete -c prs -n 'not __fish_seen_subcommand_from ${commandNames()}' -f -a ${info.name} -d ${quote(info.description)}`,
    ...optionsOf(info).map(({ names, takesValue, description }) => {
      const flags = names.map(name =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      return `complete -c prs -n '__fish_seen_subcommand_from ${info.name}' ${flags.join(' ')}${takesValue ? ' -r' : ''} -d ${quote(description)}`;
    }),
  ]);
  return `# fish completion of prs\n${lines.join('\n')}\n`;
}
