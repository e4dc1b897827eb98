/**
 * The tests that a Node for Windows runs. What depends on the machine is chosen: files, folders and their names, line
 * ends, modes, locks, copies, and what is made of paths. Left out is what says the same on every machine (phases without
 * input and output, which try their functions thousands of times), and what starts programs: Wine has no git, and gives
 * Node no pipe to a program. The round with the built program is in `round.ts`.
 */
export const chosen = [
  'test/compile/cases',
  'test/config/config',
  'test/diagnostics/render',
  'test/import/cases',
  'test/library/fixes',
  'test/migrate/keep',
  'test/plan/adopting',
  'test/plan/busy',
  'test/plan/cases',
  'test/plan/diff',
  'test/plan/ownership',
  'test/plan/safe-path',
  'test/plan/shared',
  'test/plan/undo',
  'test/registry/local',
  'test/registry/reference',
  'test/resolve/cases',
  'test/resolve/gather',
  'test/runner/cases',
  'test/syntax/decode',
];
