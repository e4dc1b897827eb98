import {
  hookAction,
  hookEvent,
  hookInterpolation,
  hookInterpreter,
  hookScript,
  hookTimeout,
} from '../../generated/diagnostics.ts';
import { entryField } from '../../resolve/catalogue.ts';
import type { Node } from '../../resolve/program.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { unknownNameAt } from '../../text/diagnostics/fixes.ts';
import { leavesRoot } from '../../text/paths.ts';
import { splitCommand } from '../../text/shell.ts';
import { suggest } from '../../text/similar.ts';
import { writeReferences } from '../../text/variables.ts';
import { checkCommandLine } from '../command-line.ts';
import { fieldOf, firstSpan, lastSpan, objectEntries, scalarsOf, textOf } from '../nodes.ts';
import type { Repository, Rule, RuleContext } from '../rule.ts';

/** Events for which target specs have native names. */
const hookEvents: readonly string[] = entryField('hooks', 'event')?.values ?? [];

const interpreters: ReadonlySet<string> = new Set(
  'sh bash dash zsh node deno bun python python3 ruby perl php pwsh powershell'.split(' '),
);

const minTimeout = 100;
const maxTimeout = 600_000;

/** Reports hook commands that are hard to review, because hooks run unattended. */
export const hookCommand: Rule = {
  name: 'hook-command',
  severity: 'error',
  help: 'A hook names a known event and has one of a command without shell interpolation, a script of the project and a prompt.',
  check: context => {
    for (const { name, node } of objectEntries(context.program, 'hooks')) checkHook(name, node, context);
  },
};

/** Fields that are only allowed in overlays. */
const ownWords = [
  ['line', 'whose shell reads', '"…"'],
  ['raw', 'that knows', '{ … }'],
] as const;

function checkHook(name: string, node: Node, { options, report }: RuleContext): void {
  const event = fieldOf(node, 'event');
  const word = textOf(event);
  if (word === undefined || !hookEvents.includes(word)) {
    const isNear = suggest(word ?? '', hookEvents) !== undefined;
    const say = isNear ? '' : 'Say when it runs, as in `event: "post-tool-use"`. ';
    const advice = `${say}\`prs explain @hooks\` lists the events.`;
    const found = word === undefined ? 'no event' : `the unknown event \`${word}\``;
    const span = lastSpan(event) ?? firstSpan(node);
    report(hookEvent({ hook: name, found }, unknownNameAt(span, word ?? '', hookEvents, advice)));
  }
  const command = fieldOf(node, 'command');
  const script = fieldOf(node, 'script');
  const prompt = fieldOf(node, 'prompt');
  const actions = Object.entries({ command, script, prompt }).filter(([, value]) => value !== undefined);
  if (actions.length !== 1 && !(actions.length === 0 && hasOwnLine(node))) {
    const found =
      actions.length === 0
        ? 'neither `command` nor `script` nor `prompt`'
        : `both ${actions.map(([word]) => `\`${word}\``).join(' and ')}`;
    report(hookAction({ hook: name, found }, { span: lastSpan(actions.at(-1)?.[1]) ?? firstSpan(node) }));
  }
  for (const [word, reader, example] of ownWords) {
    const own = fieldOf(node, word);
    if (own === undefined) continue;
    const hint = `Say it below \`targets\`, for the tool ${reader} it: \`targets: { <id>: { ${word}: ${example} } }\`.`;
    report(hookAction({ hook: name, found: `a \`${word}\` for every tool` }, { span: lastSpan(own), hint }));
  }
  if (prompt !== undefined && textOf(prompt)?.trim() === '')
    report(hookAction({ hook: name, found: 'an empty `prompt`' }, { span: lastSpan(prompt) }));
  // A program name, or a line that can be split at blanks, is fine; a line that needs a shell is not.
  const line = command?.kind === 'scalar' ? withoutReferences(textOf(command) ?? '').trim() : undefined;
  if (line && /[\s|&;<>`\\"']/.test(line) && !splitCommand(line)) {
    report(hookAction({ hook: name, found: 'a `command` that is one text' }, { span: lastSpan(command) }));
  }
  const words = [...scalarsOf(command), ...scalarsOf(fieldOf(script, 'args'))];
  if (command !== undefined && (words.length === 0 || textOf(words[0])?.trim() === '')) {
    report(hookAction({ hook: name, found: 'an empty `command`' }, { span: lastSpan(command) }));
  }
  if (command !== undefined) checkCommandLine('hooks', name, command, report);
  for (const argument of words) {
    const found = /\$\(|`|\$\{/.exec(withoutReferences(String(argument.value)));
    if (found) report(hookInterpolation({ hook: name, found: found[0] }, { span: lastSpan(argument) }));
  }
  if (script !== undefined) checkScript(name, script, options.repository, report);
  const timeout = fieldOf(node, 'timeoutMs');
  const milliseconds = timeout?.kind === 'scalar' ? timeout.value : undefined;
  const fits = typeof milliseconds === 'number' && milliseconds >= minTimeout && milliseconds <= maxTimeout;
  if (timeout && !fits) {
    const found = textOf(timeout) ?? 'something else';
    const holes = { hook: name, found, low: minTimeout, high: maxTimeout };
    report(hookTimeout(holes, { span: lastSpan(timeout) }));
  }
}

/** Whether a tool has a command line of its own, so that only that tool runs the hook. */
const hasOwnLine = (node: Node): boolean =>
  [fieldOf(node, 'targets'), fieldOf(node, 'tools')].some(
    own =>
      own?.kind === 'object' &&
      [...own.fields.values()].some(
        hook => textOf(fieldOf(hook, 'line')) || fieldOf(hook, 'raw')?.kind === 'object',
      ),
  );

/** Defaults are removed: they are quoted and not interpreted by a shell. */
const withoutReferences = (text: string): string => writeReferences(text, ({ name }) => name);

function checkScript(hook: string, script: Node, { kindOf }: Repository, report: Report): void {
  const node = fieldOf(script, 'path');
  const path = textOf(node);
  const span = lastSpan(node) ?? lastSpan(script);
  if (script.kind === 'scalar') {
    const hint = `Write it as \`script: { path: ${JSON.stringify(textOf(script))} }\`.`;
    report(hookScript({ hook, problem: 'is one text' }, { span, hint }));
  } else if (path === undefined || path.trim() === '') {
    report(hookScript({ hook, problem: 'has no `path`' }, { span }));
  } else if (leavesRoot(path)) {
    report(hookScript({ hook, problem: `leads out of the project: ${path}` }, { span }));
  } else if (/[\s$`"'\\;&|<>*?]/.test(path)) {
    const problem = `holds characters that a shell would read as its own: ${path}`;
    report(hookScript({ hook, problem }, { span }));
  } else if (kindOf(path) !== 'file') {
    const hint = 'Create it, or correct the path; it starts at the project root.';
    report(hookScript({ hook, problem: `does not exist: ${path}` }, { span, hint, severity: 'warning' }));
  }
  const interpreter = fieldOf(script, 'interpreter');
  const name = textOf(interpreter);
  if (interpreter && (name === undefined || !interpreters.has(name))) {
    const advice = `Known: ${[...interpreters].join(', ')}.`;
    const where = unknownNameAt(lastSpan(interpreter), name ?? '', interpreters, advice);
    report(hookInterpreter({ hook, interpreter: name ?? '' }, where));
  }
}
