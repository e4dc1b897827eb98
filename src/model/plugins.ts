import type { Data, Fields } from './model.ts';

/** The folders of a project, as opposed to addresses and names on a host. */
const isFolder = (source: string): boolean => /^\.{0,2}\/|^\.{1,2}$/.test(source);

/**
 * A bundle. With a `marketplace` it is one of somebody else: `reference` is what tools call it, `hosting` is the kind
 * of place of `source`.
 */
export function pluginFields(name: string, fields: Map<string, Data>): Fields {
  const marketplace = fields.get('marketplace');
  const isForeign = typeof marketplace === 'string' && marketplace !== '';
  fields.set('origin', isForeign ? 'foreign' : 'own');
  if (!isForeign) return fields;
  fields.set('reference', `${name}@${marketplace}`);
  const source = fields.get('source');
  if (typeof source === 'string' && source !== '') fields.set('hosting', hostingOf(source));
  return fields;
}

/** What kind of place bundles are fetched from. */
function hostingOf(source: string): 'folder' | 'github' | 'git' {
  if (isFolder(source)) return 'folder';
  return /^[\w.-]+\/[\w.-]+$/.test(source) ? 'github' : 'git';
}
