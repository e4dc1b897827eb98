import { join, sep } from 'node:path';
import type { Repository } from '../check/rule.ts';
import { type Disk, readTextAt } from '../host/host.ts';
import { once } from '../text/memo.ts';

/** The maximum number of workspaces to read; with more, the scripts are unknown. */
const manyWorkspaces = 200;

/** The facts about files of a project that rules ask for, read on demand. */
export function repositoryAt(root: string, disk: Disk): Repository {
  const at = (path: string) => join(root, path.split('/').join(sep));
  const kindOf = (path: string) => {
    const kind = disk.stat(at(path))?.kind;
    return kind === 'file' || kind === 'directory' ? kind : undefined;
  };
  const read = (path: string) => (kindOf(path) === 'file' ? readTextAt(disk, at(path)) : undefined);
  const foldersIn = (path: string) =>
    (disk.list(at(path)) ?? [])
      .filter(({ kind }) => kind === 'directory')
      .map(({ name }) => `${path}/${name}`);
  return {
    kindOf,
    scripts: once(() => scriptsOf(read, foldersIn)),
    makeTargets: once(() => {
      const text = ['GNUmakefile', 'makefile', 'Makefile'].map(read).find(one => one !== undefined);
      return text === undefined ? undefined : targetsOf(text);
    }),
  };
}

type Read = (path: string) => string | undefined;

/** The scripts of the root and its workspaces; `undefined` if they are not known completely. */
function scriptsOf(read: Read, foldersIn: (path: string) => string[]): ReadonlySet<string> | undefined {
  const own = packageAt(read('package.json'));
  if (!own) return undefined;
  const pnpm = read('pnpm-workspace.yaml');
  const listed = pnpm
    ?.match(/^\s*-\s*['"]?([^'"#\n]+?)['"]?\s*$/gm)
    ?.map(line => line.replace(/^\s*-\s*|['"]/g, '').trim());
  const globs = [...own.workspaces, ...(listed ?? [])].filter(glob => !glob.startsWith('!'));
  const folders = globs.flatMap(glob => {
    const base = glob.replace(/^\.\//, '').replace(/\/\*{1,2}$/, '');
    return base === glob.replace(/^\.\//, '') ? [base] : foldersIn(base);
  });
  if (folders.some(folder => folder.includes('*')) || folders.length > manyWorkspaces) return undefined;
  const others = folders.flatMap(folder => packageAt(read(`${folder}/package.json`))?.scripts ?? []);
  return new Set([...own.scripts, ...others]);
}

function packageAt(text: string | undefined): { scripts: string[]; workspaces: string[] } | undefined {
  if (text === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== 'object' || data === null) return undefined;
    const { scripts, workspaces } = data as { scripts?: object; workspaces?: unknown };
    const listed = Array.isArray(workspaces)
      ? workspaces
      : ((workspaces as { packages?: unknown })?.packages ?? []);
    return {
      scripts: typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [],
      workspaces: Array.isArray(listed) ? listed.filter(one => typeof one === 'string') : [],
    };
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
