/** The rows of the benchmark: the command, its input and the goal. */
import {
  allTargets,
  type Files,
  layers,
  manySkills,
  manyUses,
  muchKnowledge,
  sample,
  tiny,
} from './samples.ts';

/** A Node command to measure. */
export interface Row {
  readonly name: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Sources of the run; absent if it needs none. */
  readonly files?: Files;
  /** Every run starts from the sources alone, without the output of earlier runs. */
  readonly fresh?: boolean;
  /** For other compilers: name of our row that does the same work. */
  readonly compared?: string;
  /** Goal: the maximum ratio to the baseline, or to the row named in `against`. */
  readonly goal?: number;
  readonly against?: string;
  /** Maximum number of runs, for slow rows. */
  readonly runs?: number;
  /** Measures peak memory instead of time. */
  readonly memory?: boolean;
}

/** The targets of a small team. */
export const threeTargets = ['claude', 'cursor', 'github'];

/** The rows for `program`, the path of the built entry point. The baseline is first. */
export function ownRows(program: string): readonly Row[] {
  const few = threeTargets;
  const compile = [program, 'compile'];
  const plan = [...compile, '--dry-run'];
  const validate = [program, 'validate'];
  const unrecorded = { INSTR_STAMP: '0' };
  return [
    { name: 'floor', args: ['-e', '0'] },
    { name: 'version', args: [program, '--version'], goal: 2 },
    { name: 'help', args: [program, '--help'], goal: 2 },
    { name: 'unchanged-tiny', files: tiny(few), args: compile, goal: 2 },
    { name: 'unchanged', files: sample(few), args: compile, goal: 2 },
    { name: 'unchanged-all', files: sample(allTargets), args: compile, goal: 2 },
    // The time of a run that does not use the record of the last run.
    { name: 'check', files: sample(few), args: [...compile, '--check'] },
    { name: 'fresh', files: sample(few), args: compile, fresh: true, goal: 5 },
    { name: 'fresh-all', files: sample(allTargets), args: compile, fresh: true, goal: 14 },
    { name: 'validate', files: sample(few), args: validate, environment: unrecorded },
    { name: 'validate-unchanged', files: sample(few), args: validate, goal: 2 },
    { name: 'skills-1000', files: manySkills(1000, few), args: compile, fresh: true, goal: 16 },
    { name: 'skills-1000-unchanged', files: manySkills(1000, few), args: compile },
    { name: 'plan-1000', files: manySkills(1000, few), args: [...plan, '--json'] },
    {
      name: 'plan-10000',
      files: manySkills(10_000, few),
      args: [...plan, '--json'],
      goal: 11,
      against: 'plan-1000',
      runs: 3,
    },
    { name: 'knowledge-2mb', files: muchKnowledge(few), args: plan },
    { name: 'layers-50', files: layers(50, few), args: plan },
    { name: 'uses-1000', files: manyUses(1000, few), args: plan },
    { name: 'memory-floor', args: ['-e', '0'], memory: true, runs: 5 },
    {
      name: 'memory-all',
      files: sample(allTargets),
      args: compile,
      fresh: true,
      memory: true,
      goal: 2,
      against: 'memory-floor',
      runs: 5,
    },
    {
      name: 'memory-10000',
      files: manySkills(10_000, few),
      args: [...plan, '--json'],
      memory: true,
      goal: 600,
      runs: 1,
    },
  ];
}
