import { commandSplit } from '../generated/diagnostics.ts';
import type { Node } from '../resolve/program.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { replacementFix } from '../text/diagnostics/fixes.ts';
import { splitCommand } from '../text/shell.ts';
import { printTextValue, readableText } from '../text/variables.ts';
import { lastSpan, literalOf, scalarsOf, textOf } from './nodes.ts';

/** Reports how a command line in a single text is split into words. */
export function checkCommandLine(
  block: string,
  name: string,
  command: Node | undefined,
  report: Report,
): void {
  const [only, second] = scalarsOf(command);
  const text = second ? undefined : textOf(only);
  const words = text === undefined ? undefined : splitCommand(text);
  if (!words) return;
  const [program = '', ...rest] = words;
  const count = rest.length === 1 ? 'one argument' : `${rest.length} arguments`;
  const items = words.map(printTextValue).join(', ');
  const list = `\`[${items}]\``;
  const span = lastSpan(only);
  const literal = literalOf(only);
  const fixes = literal
    ? [replacementFix('Write it as a list', literal, command?.kind === 'list' ? items : `[${items}]`)]
    : [];
  const holes = { command: readableText(text!), name: `${block}.${name}`, program: readableText(program) };
  report(commandSplit({ ...holes, count, list }, { span, fixes }));
}
