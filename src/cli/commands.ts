import type { PrsCommandClass } from './command.ts';

const from = (module: Promise<{ readonly default: PrsCommandClass }>) => module.then(one => one.default);

/** The commands in display order; a run imports only its own. */
export const commands = {
  init: () => from(import('./commands/init.ts')),
  migrate: () => from(import('./commands/migrate.ts')),
  eject: () => from(import('./commands/eject.ts')),
  import: () => from(import('./commands/import.ts')),
  compile: () => from(import('./commands/compile.ts')),
  diff: () => from(import('./commands/diff.ts')),
  validate: () => from(import('./commands/validate.ts')),
  status: () => from(import('./commands/status.ts')),
  absorb: () => from(import('./commands/absorb.ts')),
  undo: () => from(import('./commands/undo.ts')),
  format: () => from(import('./commands/format.ts')),
  upgrade: () => import('./commands/format.ts').then(one => one.UpgradeCommand),
  add: () => from(import('./commands/add.ts')),
  remove: () => import('./commands/add.ts').then(one => one.RemoveCommand),
  update: () => import('./commands/lock.ts').then(one => one.UpdateCommand),
  lock: () => from(import('./commands/lock.ts')),
  fleet: () => from(import('./commands/fleet.ts')),
  view: () => from(import('./commands/view.ts')),
  explain: () => from(import('./commands/explain.ts')),
  targets: () => from(import('./commands/targets.ts')),
  doctor: () => from(import('./commands/doctor.ts')),
  mcp: () => import('./commands/serve.ts').then(one => one.McpCommand),
  hook: () => from(import('./commands/hook.ts')),
  lsp: () => import('./commands/serve.ts').then(one => one.LspCommand),
  completion: () => from(import('./commands/completion.ts')),
  'merge-driver': () => import('./commands/hook.ts').then(one => one.MergeDriverCommand),
} satisfies Record<string, () => Promise<PrsCommandClass>>;

/** The name of a command. */
export type CommandName = keyof typeof commands;

/** Whether a word is the name of a command. */
export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);
