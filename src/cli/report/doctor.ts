import type { Doctor } from '../../generated/types/report.ts';
import type { Health, ToolState } from '../../project/doctor/doctor.ts';
import { fewNames } from '../../text/names.ts';
import { wrapLines } from '../../text/wrap.ts';
import { version } from '../version.ts';
import { plural } from './files.ts';
import { table } from './table.ts';

/** The JSON members of `doctor`. */
export const healthData = ({ tools }: Health): Doctor => ({
  program: { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` },
  tools: tools.map(({ found, reads, shadowed, proof, ...tool }) => ({
    ...tool,
    found: found.map(sign => ({ ...sign })),
    reads: [...reads],
    ...(shadowed && { shadowed: { files: [...shadowed.files], by: [...shadowed.by] } }),
    ...(proof && { proof: { ...proof, features: { ...proof.features } } }),
  })),
});

/** The same as text: enabled tools first, then other tools found in the project. */
export function healthText({ root, tools }: Health, width: number): string {
  const enabled = tools.filter(tool => tool.enabled);
  const others = tools.filter(tool => !tool.enabled && tool.found.length > 0);
  const about = `prs ${version}, Node ${process.versions.node}, ${process.platform}-${process.arch}`;
  const parts = [`${about}\n`];
  if (root === undefined) parts.push('There is no project here: no instr.yaml in this folder or above.\n');
  else if (enabled.length > 0)
    parts.push(
      table([['tool', 'here', 'seen to work', 'would load'], ...enabled.map(rowOf)], width),
      ...enabled.flatMap(tool => remarks(tool).map(line => `${wrapLines(line, width, '  ')}\n`)),
    );
  if (others.length > 0) {
    const rows = others.map(({ target, found }) => [`  ${target}`, found.map(({ path }) => path).join(', ')]);
    parts.push(
      `${plural(others.length, root === undefined ? 'tool' : 'other tool')} on this machine:\n${table(rows, width)}`,
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

function remarks({ target, shadowed }: ToolState): string[] {
  return shadowed ? [`${target} does not load ${fewNames(shadowed.files)}.`] : [];
}
