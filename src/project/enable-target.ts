import { dirname, join } from 'node:path';
import type { TargetSpec } from '../generated/types/target.ts';
import type { Disk } from '../host/host.ts';
import { relativePath } from '../host/relative-path.ts';
import type { Json } from '../kinds/output.ts';
import { isFields, replaceRange } from '../plan/shared-format.ts';
import { yamlFormat } from '../plan/shared-yaml.ts';
import { pathOptions } from '../spec/item-places.ts';
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
    const nameOf = (entry: Json) => (isFields(entry) ? Object.keys(entry)[0]! : String(entry));
    const at = targets.findIndex(entry => idOf(nameOf(entry)) === spec.id);
    const options: Record<string, Json> =
      at === -1
        ? Object.fromEntries(pathOptions(spec, path => disk.stat(join(root, path)) !== undefined))
        : { ...(isFields(targets[at]) && (targets[at][nameOf(targets[at])] as Record<string, Json>)) };
    if (at !== -1 && options.includeSkills !== false) return false;
    delete options.includeSkills;
    const name = at === -1 ? spec.id : nameOf(targets[at]);
    const entry = Object.keys(options).length > 0 ? { [name]: options } : name;
    const yaml = readYaml({ name: path, text });
    const [span, value] = [yaml.spanOf(['targets', at]), yaml.spanOf(['targets', at, name])];
    const end = value && value.start + text.slice(value.start, value.end).trimEnd().length;
    const changed =
      span && end !== undefined && typeof entry === 'string'
        ? replaceRange(text, span.start, end, entry)
        : yamlFormat.set(text, ['targets', at === -1 ? targets.length : at], entry);
    edits.set(relativePath(root, path), changed);
    return at !== -1;
  }
  return false;
}
