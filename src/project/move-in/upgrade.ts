import { join } from 'node:path';
import { isScalar, parseDocument as parseYaml } from 'yaml';
import { upgradeNoProject } from '../../generated/diagnostics.ts';
import { upgradeSource } from '../../migrate/upgrade/source.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { compareVersions, newestSyntax } from '../../text/version.ts';
import type { Context } from '../open/context.ts';
import { watchErrors } from '../open/open.ts';
import { pathBelow, projectRoot } from '../open/root.ts';
import { writeSources } from '../write/write-sources.ts';

export interface UpgradedFile {
  readonly path: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly string[];
  readonly text: string;
}

export interface UpgradeOutcome {
  readonly root: string;
  /** Files that change; the others are as they should be. */
  readonly files: readonly UpgradedFile[];
  /** How many sources were looked at. */
  readonly checked: number;
}

const skipped = new Set(['node_modules', '.git', '.state']);

/**
 * Brings every `.prs` file of the project and its configuration to the newest syntax. All files are read and
 * rewritten in memory first: when one of them does not parse or is too new, that is reported and nothing is written.
 */
export async function upgradeProject(dryRun: boolean, context: Context): Promise<UpgradeOutcome | undefined> {
  const { disk } = context;
  const watched = watchErrors(context.report);
  const { root, config } = projectRoot(context);
  if (config === undefined) {
    watched.report(upgradeNoProject({}, {}));
    return undefined;
  }
  const paths = sourcesBelow(root, context);
  const files: UpgradedFile[] = [];
  for (const path of paths) {
    const bytes = disk.readBytes(join(root, path));
    const source = bytes && decodeSource(path, bytes, watched.report);
    const upgraded = source && upgradeSource(source, watched.report);
    if (!source || !upgraded || upgraded.text === source.text) continue;
    files.push({
      path,
      from: upgraded.from,
      to: newestSyntax,
      changes: upgraded.changes,
      text: upgraded.text,
    });
  }
  const settings = upgradeConfig(root, config, context);
  if (settings) files.push(settings);
  if (watched.failed()) return undefined;
  if (!dryRun && !(await writeSources(root, files, context))) return undefined;
  return { root, files, checked: paths.length };
}

function sourcesBelow(root: string, { disk }: Context): string[] {
  const found: string[] = [];
  const search = (folder: string): void => {
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory') {
        if (!skipped.has(name)) search(path);
      } else if (kind === 'file' && name.endsWith('.prs')) found.push(path);
    }
  };
  search('');
  return found.sort();
}

/** `syntax` in the configuration; only its value is replaced, so that comments and layout stay. */
function upgradeConfig(root: string, config: string, { disk, report }: Context): UpgradedFile | undefined {
  const path = pathBelow(root, config);
  const bytes = disk.readBytes(config);
  const source = bytes && path !== undefined ? decodeSource(path, bytes, report) : undefined;
  if (!source || path === undefined) return undefined;
  const value = parseYaml(source.text).get('syntax', true);
  if (!isScalar(value) || !value.range) return undefined;
  const from = String(value.source ?? value.value);
  if (!/^\d+(?:\.\d+){0,2}$/.test(from) || compareVersions(from, newestSyntax) >= 0) return undefined;
  const [start, end] = value.range;
  const text = `${source.text.slice(0, start)}"${newestSyntax}"${source.text.slice(end)}`;
  return { path, from, to: newestSyntax, changes: [`syntax is ${newestSyntax}`], text };
}
