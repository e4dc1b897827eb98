import type { FileSpec, TargetSpec } from '../../generated/types/target.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { collectionOf } from '../../model/collections.ts';
import { bundleFolder, pathInBundle } from '../../spec/item-places.ts';
import { partOf } from '../../spec/spec.ts';
import { templateExpression } from '../../text/escape-regex.ts';
import type { Recognised } from './recognise.ts';

export interface InBundle extends Recognised {
  readonly bundle: string;
  readonly file: FileSpec;
}

/** Finds the bundle of some tool that contains a file; `undefined` when there is none. */
export function recogniseInBundle(path: string, specs: readonly TargetSpec[]): InBundle | undefined {
  for (const spec of specs) {
    for (const [place, file] of Object.entries(spec.files)) {
      if (file.kind !== 'items' || file.of !== 'plugins') continue;
      const folder = bundleFolder(file);
      const inFolder = Object.values(file.parts ?? {}).map(
        part => [part, `${folder}/${pathInBundle(part)}`] as const,
      );
      for (const [form, template] of [[file, file.path] as const, ...inFolder]) {
        const found = expressionOf(template).exec(path)?.groups;
        const { bundle, name } = found ?? {};
        if (bundle !== undefined)
          return { spec, place, file: form, bundle, name: name ?? bundle, scope: '', shared: false };
      }
    }
  }
  return undefined;
}

/** The first name in a path is that of the bundle, the second that of the item. */
function expressionOf(template: string): RegExp {
  let names = 0;
  const expression = templateExpression(template, placeholder => {
    if (placeholder !== 'name') return undefined;
    names++;
    return names === 1 ? '(?<bundle>[^/]+)' : '(?<name>[^/]+)';
  });
  return new RegExp(`^${expression}$`, 'u');
}

/** The items that a file of a bundle contributes to it. */
export function bundleItems(parts: readonly MappedBlock[], { bundle, file }: InBundle): MappedBlock[] {
  const collection = partOf(file);
  if (collection === undefined || collection === 'plugins') return [];
  const names = parts.flatMap(({ block, key }) =>
    key !== undefined && collectionOf(block) === collection ? [key] : [],
  );
  const [first] = parts;
  if (!first || names.length === 0) return [];
  const { startLine, endLine } = first;
  const fields = new Map([[collection, names]]);
  return [
    {
      block: 'plugins',
      key: bundle,
      content: { kind: 'fields', fields },
      startLine,
      endLine,
      confidence: 1,
      lists: 'joined',
    },
  ];
}
