/** dist/THIRD_PARTY_LICENSES.txt: the licences of all bundled packages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const packageOf = (path: string) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

/**
 * Names of the packages with code in an output, sorted. Generated files may contain bundled code; a comment there names its
 * file.
 */
export function bundledPackages(root: string, metafile: Metafile): string[] {
  const names = new Set<string>();
  const add = (path: string) => {
    const name = packageOf(path);
    if (name !== undefined) names.add(name);
  };
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput === 0) continue;
      add(path);
      if (!path.startsWith('src/generated/')) continue;
      const text = readFileSync(join(root, path), 'utf8');
      for (const [, comment] of text.matchAll(/^\/\/ (node_modules\/\S+)$/gm)) add(comment!);
    }
  }
  return [...names].sort();
}

/** All licences as one text without duplicates. @throws if a package has no licence, because it may not be shipped. */
export function licenseText(root: string, names: readonly string[]): string {
  const owners = new Map<string, string[]>();
  for (const name of names) {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string;
      license?: string;
    };
    const text = findText(folder);
    if (license === undefined || text === undefined)
      throw new Error(`${name}: no licence found in ${folder}`);
    owners.set(text, [...(owners.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const line = '-'.repeat(79);
  const parts = [...owners].map(([text, packages]) => `${line}\n${packages.join('\n')}\n\n${text}\n`);
  return `Code of these packages is part of the bundled program.\n\n${parts.join('\n')}`;
}

/** Reads the licence from a separate file, or from the end of the readme. */
function findText(folder: string): string | undefined {
  const files = readdirSync(folder);
  const read = (pattern: RegExp) => {
    const file = files.find(name => pattern.test(name));
    return file && readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n');
  };
  const text = read(/^(?:licen[cs]e|copying)(?:[.-](?:md|txt|mit))?$/i);
  const section = /^(?:#+ *)?licen[cs]e\b.*\n([\s\S]*permission[\s\S]*)/im.exec(read(/^readme\.md$/i) ?? '');
  return (text ?? section?.[1])?.trim();
}
