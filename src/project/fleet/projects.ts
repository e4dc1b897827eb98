import { join } from 'node:path';
import { gitVariables, ignoreListsOf, topOfRepository } from '../../host/git.ts';
import { forgetOutside } from '../../host/outside.ts';
import type { Compiling } from '../../session/world.ts';
import { mayListPackages } from '../listed-packages.ts';
import { findPackages, type Package } from '../packages.ts';
import type { Cache } from './cache.ts';
import { traceDisk } from './trace.ts';

/**
 * Where the projects of a repository lie: the one at its root, those that it lists, else all below it. Git is asked
 * what it ignores only where a folder or one of its lists of ignored files has changed since the last time.
 */
export async function projectsOf(
  context: Compiling,
  cache: Cache,
): Promise<readonly Pick<Package, 'root' | 'path'>[]> {
  const { cwd: root, disk } = context;
  const isProject = ['instr.yaml', 'instr.yml'].some(name => disk.stat(join(root, name))?.kind === 'file');
  const alone = [{ root, path: '.' }];
  if (isProject && !mayListPackages(context)) return alone;
  const entry = cache.open(root, disk);
  const name = `projects ${JSON.stringify(gitVariables())}`;
  const kept = entry.read<string[]>(name, context);
  if (kept) return kept.map(path => ({ root: join(root, path), path }));
  forgetOutside();
  const trace = traceDisk(disk, root, context.clock().getTime());
  const found = await findPackages({ ...context, disk: trace.disk }, isProject ? undefined : true);
  const listed =
    trace.looks()?.flatMap(([, path, , facts]) => (facts?.[0] === 'directory' ? [path] : [])) ?? [];
  const lists = ignoreListsOf(root);
  // Without Git nothing but the disk was asked.
  const isKnown = lists !== undefined || topOfRepository(root) === undefined;
  for (const path of [...(lists ?? []), ...listed.map(folder => join(root, folder, '.gitignore'))])
    trace.disk.readBytes(path);
  const all = found?.all ?? alone;
  entry.write(
    name,
    all.map(({ path }) => path),
    { looks: isKnown ? trace.looks() : undefined, variables: [], outside: [] },
  );
  return all;
}
