import { sep } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { ConfigReader } from '../config/source.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LoadedSpec } from '../spec/spec.ts';
import type { Context } from './context.ts';

/** A project that can be compiled: its configuration, and the target specs it brings itself. */
export interface Project {
  readonly loaded: LoadedConfig;
  /** Absolute path of its root. */
  readonly root: string;
  /** Specs in `.instr/targets/`, by id. */
  readonly custom: ReadonlyMap<string, LoadedSpec>;
}

/** Use cases give up in two ways that the command line tells apart. */
export type Unusable = 'no-configuration' | 'wrong-request';

/** Absolute paths of the configuration are `/`-separated, on Windows as well. */
const slashed = (path: string) => (sep === '/' ? path : path.split(sep).join('/'));

/** Finds and reads the configuration. What is wrong has been reported when the result is `undefined`. */
export async function openProject(context: Context): Promise<Project | undefined> {
  const { cwd, configPath, report } = context;
  const loaded = loadConfig({ cwd: slashed(cwd), explicit: configPath, reader: readerOf(context) }, report);
  if (!loaded) return undefined;
  return { loaded, root: loaded.root, custom: new Map() };
}

const readerOf = ({ disk }: Context): ConfigReader => ({
  read: path => disk.readBytes(path),
  exists: path => disk.stat(path) !== undefined,
});

/** A report that also remembers whether there was an error. */
export function watchErrors(report: Context['report']): { report: Context['report']; failed: () => boolean } {
  let failed = false;
  return {
    report: (diagnostic: Diagnostic) => {
      failed ||= diagnostic.severity === 'error';
      report(diagnostic);
    },
    failed: () => failed,
  };
}
