import { dirname, join } from 'node:path';
import type { TargetSpec } from '../generated/types/target.ts';
import type { Disk } from '../host/host.ts';
import { relativePath } from '../host/relative-path.ts';
import type { Json } from '../kinds/output.ts';
import { isFields, replaceRange } from '../plan/shared-format.ts';
import { yamlFormat } from '../plan/shared-yaml.ts';
import { pathOptions } from '../spec/item-places.ts';
import type { Source } from '../text/source.ts';
import { readYaml } from '../text/yaml.ts';
import type { Project } from './open/open.ts';

/** New texts of sources, by path from the root. */
export type Edits = Map<string, string>;

/**
 * Adds the tool to the nearest list of targets in a configuration of the project. From an entry that exists,
 * `includeSkills: false` is removed; returns whether it was.
 */
export function enableTarget(
  { loaded, root }: Project,
  spec: TargetSpec,
  { disk, idOf }: { readonly disk: Disk; readonly idOf: (name: string) => string },
  edits: Edits,
): boolean {
  for (const path of loaded.files) {
    if (dirname(path) !== root) continue;
    const text = new TextDecoder().decode(disk.readBytes(path) ?? new Uint8Array());
    const parsed = yamlFormat.parse(text);
    const targets = 'value' in parsed && isFields(parsed.value) ? parsed.value.targets : undefined;
    if (!Array.isArray(targets)) continue;
    const at = targets.findIndex(entry => idOf(nameOf(entry)) === spec.id);
    const changed =
      at === -1 ? withTarget(text, targets.length) : withSkills({ name: path, text }, at, targets[at]!);
    if (changed !== undefined) edits.set(relativePath(root, path), changed);
    return at !== -1 && changed !== undefined;
  }
  return false;

  function withTarget(text: string, at: number): string {
    const options = pathOptions(spec, path => disk.stat(join(root, path)) !== undefined);
    const entry = options.size > 0 ? { [spec.id]: Object.fromEntries(options) } : spec.id;
    return yamlFormat.change(text, ['targets', at], entry);
  }
}

const nameOf = (entry: Json): string => (isFields(entry) ? Object.keys(entry)[0]! : String(entry));

/** The text with an entry that has no `includeSkills: false`; `undefined` if the entry has none. */
function withSkills(source: Source, at: number, entry: Json): string | undefined {
  const name = nameOf(entry);
  const options = isFields(entry) ? entry[name] : undefined;
  if (!isFields(options) || options.includeSkills !== false) return undefined;
  const { text } = source;
  const { includeSkills: _, ...others } = options;
  if (Object.keys(others).length > 0) return yamlFormat.change(text, ['targets', at], { [name]: others });
  const { spanOf } = readYaml(source);
  const [whole, value] = [spanOf(['targets', at])!, spanOf(['targets', at, name])!];
  // The span of a block extends to the next line.
  const end = value.start + text.slice(value.start, value.end).trimEnd().length;
  return replaceRange(text, whole.start, end, name);
}
