import type { PrsCommandClass } from './command.ts';

/** One command per file, in display order; a run imports only its own. */
export const commands = {
  init: () => import('./commands/init.ts'),
  migrate: () => import('./commands/migrate.ts'),
  eject: () => import('./commands/eject.ts'),
  import: () => import('./commands/import.ts'),
  compile: () => import('./commands/compile.ts'),
  diff: () => import('./commands/diff.ts'),
  validate: () => import('./commands/validate.ts'),
  status: () => import('./commands/status.ts'),
  absorb: () => import('./commands/absorb.ts'),
  undo: () => import('./commands/undo.ts'),
  format: () => import('./commands/format.ts'),
  upgrade: () => import('./commands/upgrade.ts'),
  add: () => import('./commands/add.ts'),
  remove: () => import('./commands/remove.ts'),
  update: () => import('./commands/update.ts'),
  lock: () => import('./commands/lock.ts'),
  fleet: () => import('./commands/fleet.ts'),
  view: () => import('./commands/view.ts'),
  explain: () => import('./commands/explain.ts'),
  targets: () => import('./commands/targets.ts'),
  doctor: () => import('./commands/doctor.ts'),
  mcp: () => import('./commands/mcp.ts'),
  hook: () => import('./commands/hook.ts'),
  lsp: () => import('./commands/lsp.ts'),
  completion: () => import('./commands/completion.ts'),
  'merge-driver': () => import('./commands/merge-driver.ts'),
} satisfies Record<string, () => Promise<{ default: PrsCommandClass }>>;

/** The name of a command. */
export type CommandName = keyof typeof commands;

/** Whether a word is the name of a command. */
export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);
