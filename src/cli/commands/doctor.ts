import { Command } from 'clipanion';
import type { ToolState } from '../../generated/types/report.ts';
import type { Health } from '../../project/doctor/doctor.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { fewNames } from '../../text/names.ts';
import { wrapLines } from '../../text/wrap.ts';
import { type Outcome, PrsCommand } from '../command.ts';
import { version } from '../command-line.ts';
import { plural, table } from '../report/table.ts';

export default class DoctorCommand extends PrsCommand {
  static override paths = [['doctor']];
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'Show which tools are on this machine, and what they would read here.',
    details:
      'For each enabled tool: where it was found, the main files that it would load, what prevents it from loading others, and the date of the last proof with a client. Then other tools that were found. Starts and writes nothing. Exits with 1 if a tool does not load the files written for it.',
    examples: [
      ['Check this project and this machine', 'prs doctor'],
      ['Check another project', 'prs doctor --cwd .'],
      ['All tools, for a script', 'prs doctor --json'],
    ],
  });

  async run(context: CompileContext): Promise<Outcome> {
    const { checkHealth } = await import('../rest.ts');
    const health = await checkHealth(context);
    if (typeof health === 'string') return health;
    const { root, tools } = health;
    const program = { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` };
    return {
      ...(root !== undefined && { root }),
      ...(tools.some(({ shadowed }) => shadowed) && { exitCode: 1 }),
      data: { doctor: { program, tools } },
      text: width => healthText(health, width),
    };
  }
}

/** The state as text: enabled tools first, then other tools found in the project. */
function healthText({ root, tools }: Health, width: number): string {
  const enabled = tools.filter(tool => tool.enabled);
  const installed = tools.filter(tool => !tool.enabled && tool.found.length > 0);
  const about = `prs ${version}, Node ${process.versions.node}, ${process.platform}-${process.arch}`;
  const parts = [`${about}\n`];
  if (root === undefined) parts.push('There is no project here: no instr.yaml in this folder or above.\n');
  else if (enabled.length > 0)
    parts.push(
      table([['tool', 'here', 'seen to work', 'would load'], ...enabled.map(rowOf)], width),
      ...enabled.flatMap(({ target, shadowed }) =>
        shadowed ? `${wrapLines(`${target} does not load ${fewNames(shadowed.files)}.`, width, '  ')}\n` : [],
      ),
    );
  if (installed.length > 0) {
    const rows = installed.map(({ target, found }) => [
      `  ${target}`,
      found.map(({ path }) => path).join(', '),
    ]);
    parts.push(
      `${plural(installed.length, root === undefined ? 'tool' : 'other tool')} on this machine:\n${table(rows, width)}`,
    );
  } else if (root === undefined) parts.push('None of the known tools was found on this machine.\n');
  return parts.join('\n');
}

const rowOf = ({ target, found, sought, proof, reads }: ToolState): string[] => [
  target,
  found[0]?.path ?? (sought ? 'not found' : 'not looked for'),
  proof ? `${proof.client} ${proof.version}, ${proof.date}` : 'not recorded',
  reads.join(', ') || 'nothing',
];
