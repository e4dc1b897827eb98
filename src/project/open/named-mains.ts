import { join } from 'node:path';
import type { Disk } from '../../host/host.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { isDataObject, strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { withNamedMains } from '../../spec/adapted.ts';
import type { LoadedSpec } from '../../spec/spec.ts';

/** The spec of a tool with the main files that its settings in a project name; settings that cannot be read name none. */
export async function namedMains(loaded: LoadedSpec, root: string, disk: Disk): Promise<LoadedSpec> {
  const { named } = loaded.spec.reads ?? {};
  const bytes = named && disk.readBytes(join(root, named.path));
  if (!named || !bytes) return loaded;
  const parsed = await parseData(new TextDecoder().decode(bytes), named.format);
  if ('problem' in parsed) return loaded;
  const found = named.at.reduce<Data | undefined>(
    (data, key) => (isDataObject(data) ? data[key] : undefined),
    parsed.data,
  );
  return withNamedMains(loaded, typeof found === 'string' ? [found] : strings(found));
}
