import type { PrsCommandClass } from './command.ts';

/** One command per file; a run imports only its own. */
export const commands = {
  init: () => import('./commands/init.ts'),
  compile: () => import('./commands/compile.ts'),
  diff: () => import('./commands/diff.ts'),
  files: () => import('./commands/files.ts'),
  validate: () => import('./commands/validate.ts'),
  import: () => import('./commands/import.ts'),
  migrate: () => import('./commands/migrate.ts'),
  format: () => import('./commands/format.ts'),
  upgrade: () => import('./commands/upgrade.ts'),
  targets: () => import('./commands/targets.ts'),
  view: () => import('./commands/view.ts'),
  doctor: () => import('./commands/doctor.ts'),
  explain: () => import('./commands/explain.ts'),
  lock: () => import('./commands/lock.ts'),
  add: () => import('./commands/add.ts'),
  remove: () => import('./commands/remove.ts'),
  list: () => import('./commands/list.ts'),
  status: () => import('./commands/status.ts'),
  outdated: () => import('./commands/outdated.ts'),
  update: () => import('./commands/update.ts'),
  fleet: () => import('./commands/fleet.ts'),
  absorb: () => import('./commands/absorb.ts'),
  undo: () => import('./commands/undo.ts'),
  hook: () => import('./commands/hook.ts'),
  'merge-driver': () => import('./commands/merge-driver.ts'),
  lsp: () => import('./commands/lsp.ts'),
  mcp: () => import('./commands/mcp.ts'),
  completion: () => import('./commands/completion.ts'),
} satisfies Record<string, () => Promise<{ default: PrsCommandClass }>>;

/** The name of a command. */
export type CommandName = keyof typeof commands;
