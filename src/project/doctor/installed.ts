import { delimiter, isAbsolute, join } from 'node:path';
import type { Installed, TargetSpec } from '../../generated/types/target.ts';
import { expandHome } from '../../host/home.ts';
import type { WithDisk, WithEnvironment } from '../session/world.ts';

/** A sign that a tool is on this machine. */
export interface InstallSign {
  readonly kind: 'program' | 'extension' | 'app';
  readonly path: string;
}

/** Looks for tools on this machine; folders are listed once. Nothing is started. */
export function signFinder(
  specs: readonly TargetSpec[],
  { disk, environment }: WithDisk & WithEnvironment,
  platform: string = process.platform,
): (spec: TargetSpec) => InstallSign[] {
  const search = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute);
  const endings =
    platform === 'win32' ? (environment.PATHEXT ?? '.EXE;.CMD;.BAT').toLowerCase().split(';') : [''];
  const extensions = specs
    .flatMap(({ installed }) => installed?.extensionFolders ?? [])
    .map(folder => expandHome(folder, environment, platform))
    .flatMap(folder => look(() => disk.list(folder)?.map(({ name }) => join(folder, name))) ?? []);
  const program = (name: string): InstallSign[] => {
    for (const path of search.flatMap(folder => endings.map(ending => join(folder, name + ending)))) {
      const stat = look(() => disk.stat(path));
      if (stat?.kind === 'file' && (stat.executable || platform === 'win32'))
        return [{ kind: 'program', path }];
    }
    return [];
  };
  const extension = (id: string): InstallSign[] => {
    const path = extensions.find(folder => isExtension(folder, id));
    return path === undefined ? [] : [{ kind: 'extension', path }];
  };
  const app = (written: string): InstallSign[] => {
    const path = expandHome(written, environment, platform);
    return look(() => disk.stat(path)) ? [{ kind: 'app', path }] : [];
  };
  return ({ installed }) => signs(installed, { program, extension, app });
}

function signs(
  installed: Installed | undefined,
  find: Readonly<Record<'program' | 'extension' | 'app', (name: string) => InstallSign[]>>,
): InstallSign[] {
  return [
    ...(installed?.programs ?? []).flatMap(find.program),
    ...(installed?.extensions ?? []).flatMap(find.extension),
    ...(installed?.apps ?? []).flatMap(find.app),
  ];
}

/** Extensions lie in folders `publisher.name-1.2.3`, some with the platform behind. */
function isExtension(folder: string, id: string): boolean {
  const name = folder.split(/[\\/]/).at(-1)!.toLowerCase();
  return name === id || (name.startsWith(`${id}-`) && /^\d/.test(name.slice(id.length + 1)));
}

/** What may not be looked at is not there for us. */
function look<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
