import { join, sep } from 'node:path';
import type { Repository } from '../check/rule.ts';
import { type Disk, readTextAt } from '../host/host.ts';
import { once } from '../text/memo.ts';

/** The facts about files of a project that rules ask for, read on demand. */
export function repositoryAt(root: string, disk: Disk): Repository {
  const at = (path: string) => join(root, path.split('/').join(sep));
  const kindOf = (path: string) => {
    const kind = disk.stat(at(path))?.kind;
    return kind === 'file' || kind === 'directory' ? kind : undefined;
  };
  const read = (path: string) => (kindOf(path) === 'file' ? readTextAt(disk, at(path)) : undefined);
  return {
    kindOf,
    scripts: once(() => scriptsOf(read)),
    makeTargets: once(() => {
      const text = ['GNUmakefile', 'makefile', 'Makefile'].map(read).find(one => one !== undefined);
      return text === undefined ? undefined : targetsOf(text);
    }),
  };
}

type Read = (path: string) => string | undefined;

/** The scripts of the root; `undefined` if workspaces may have others. */
function scriptsOf(read: Read): ReadonlySet<string> | undefined {
  const text = read('package.json');
  if (text === undefined || read('pnpm-workspace.yaml') !== undefined) return undefined;
  try {
    const { scripts = {}, workspaces } = JSON.parse(text) as { scripts?: object; workspaces?: unknown };
    return workspaces === undefined ? new Set(Object.keys(scripts)) : undefined;
  } catch {
    return undefined;
  }
}

/** The targets of a makefile; `undefined` if it includes others. */
function targetsOf(text: string): ReadonlySet<string> | undefined {
  if (/^\s*-?include\b|^[^\t#=]*%[^=]*:|\$\(eval\b/m.test(text)) return undefined;
  const names = new Set<string>();
  for (const [, left] of text.matchAll(/^([^\t#:=\n][^:=\n]*):(?!=)/gm))
    for (const name of left!.trim().split(/\s+/)) names.add(name);
  return [...names].some(name => name.includes('$')) ? undefined : names;
}
