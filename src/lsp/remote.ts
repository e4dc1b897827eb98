import { perObject } from '../text/memo.ts';
import { type Read, sourceOf } from './project.ts';

const nothing: ReadonlyMap<string, string> = new Map();

const remoteOf = perObject(
  ({ loaded }: Read): ReadonlyMap<string, string> =>
    new Map(
      loaded.program.units.flatMap(unit => {
        const source = unit.layer.remote ? sourceOf(unit) : undefined;
        return source ? [[source.name, source.text] as const] : [];
      }),
    ),
);

/** Files of registries that a program was made of, with their texts. */
export const remoteNames = (read: Read | undefined): ReadonlyMap<string, string> =>
  read ? remoteOf(read) : nothing;
