import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { whileWaiting } from './at-exit.ts';

/** How many processes of this program can work at once. */
export const coreCount = (): number => availableParallelism();

/** Work for several processes. */
export interface Crowd<Setup, Task, Result> {
  /** Arguments of this program that make a process serve with `serveTasks`. */
  readonly args: readonly string[];
  readonly processes: number;
  /** What every process is told first. */
  readonly setup: Setup;
  readonly tasks: readonly Task[];
  /** Called with each result, in any order; `undefined`: the process ended while it was at it. */
  readonly done: (at: number, result: Result | undefined) => void;
}

/** So many tasks wait in a process while it is at one, so that it never waits itself. */
const ahead = 2;

/** Shares tasks among processes of this program; settles when all are done. They end with this one. */
export async function workTogether<Setup, Task, Result>(crowd: Crowd<Setup, Task, Result>): Promise<void> {
  const waiting = [...crowd.tasks.keys()];
  const work = async () => {
    while (waiting.length > 0) await workAlone(crowd, waiting);
  };
  const processes = Math.min(crowd.processes, crowd.tasks.length);
  await Promise.all(Array.from({ length: processes }, work));
}

/** One process, until nothing is left or it has ended; the task that it was at is lost then. */
function workAlone<Setup, Task, Result>(
  { args, setup, tasks, done }: Crowd<Setup, Task, Result>,
  waiting: number[],
): Promise<void> {
  const child: ChildProcess = fork(process.argv[1]!, args, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const given: number[] = [];
  const feed = () => {
    while (given.length < ahead && waiting.length > 0) {
      const at = waiting.shift()!;
      given.push(at);
      child.send({ at, task: tasks[at] }, () => {});
    }
    if (given.length === 0 && child.connected) child.disconnect();
  };
  child.on('message', message => {
    const { at, result } = message as { at: number; result: Result };
    given.splice(given.indexOf(at), 1);
    done(at, result);
    feed();
  });
  child.send({ setup }, () => {});
  feed();
  const ended = new Promise<void>(resolve => {
    const end = () => {
      const [lost, ...others] = given.splice(0);
      if (lost !== undefined) done(lost, undefined);
      waiting.unshift(...others);
      resolve();
    };
    child.once('exit', end).once('error', end);
  });
  return whileWaiting(
    () => child.kill(),
    () => ended,
  );
}

/**
 * Serves tasks of the process that started this one, one after the other, until that one has no more or has ended.
 * Without one there is nothing to do.
 */
export function serveTasks<Setup, Task, Result>(
  start: (setup: Setup) => (task: Task) => Promise<Result>,
): Promise<void> {
  if (!process.send) return Promise.resolve();
  let work: ((task: Task) => Promise<Result>) | undefined;
  let last: Promise<void> = Promise.resolve();
  process.on('message', (message: { setup?: Setup; at?: number; task?: Task }) => {
    if (message.at === undefined) work = start(message.setup!);
    else {
      const { at, task } = message;
      last = last.then(async () => void process.send?.({ at, result: await work!(task!) }));
    }
  });
  return new Promise(resolve => process.once('disconnect', () => resolve()));
}
