/** Browser replacement of `node:process`: a system with POSIX paths and no environment variables. */
export default {
  env: {},
  platform: 'linux',
  argv: [],
  execArgv: [],
  execPath: '/',
  pid: 1,
  version: '',
  versions: { node: '', v8: '' },
  cwd: (): string => '/',
  on: (): void => {},
  once: (): void => {},
  off: (): void => {},
  emitWarning: (): void => {},
  nextTick: (work: (...values: unknown[]) => void, ...values: unknown[]): void =>
    queueMicrotask(() => work(...values)),
};
