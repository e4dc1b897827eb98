import { isForTarget } from '../kinds/audience.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { collections, describeCollection } from '../model/collections.ts';
import type { Audience, Model } from '../model/model.ts';
import { groupBy } from '../text/group.ts';
import { memoizeByObject } from '../text/memo.ts';
import type { Compiled } from './project.ts';

/** The result of an entry, document or section for one enabled tool. */
interface TargetReach {
  readonly title: string;
  readonly state: 'written' | 'left out' | 'not meant';
  /** The files that contain it, or advice when the tool has no place for it. */
  readonly where: string;
  /** Its fields that the tool has no place for, without duplicates. */
  readonly omitted: readonly string[];
}

interface ModelPart {
  readonly path: string;
  readonly audience?: Audience;
}

const partsOf = memoizeByObject((model: Model): ReadonlyMap<string, ModelPart> => {
  const parts: readonly ModelPart[] = [
    ...model.documents,
    ...model.sections,
    ...collections.flatMap(name => model.items[name]),
  ];
  return new Map(parts.map(part => [part.path, part]));
});

/** The result for every enabled tool of the value at a path; empty when the model does not contain it. */
function reachOf(path: string, compiled: Compiled): readonly TargetReach[] {
  const { model, build } = compiled;
  const part = partsOf(model).get(path);
  return part ? build.requests.map(request => reachedBy(request, part, compiled)) : [];
}

function reachedBy(
  request: TargetRequest,
  { path, audience }: ModelPart,
  { emitted }: Compiled,
): TargetReach {
  const { spec } = request;
  const { title } = spec;
  if (!isForTarget(audience, spec))
    return { title, state: 'not meant', where: 'not for this tool', omitted: [] };
  const advice = emitted.leftOut.get(request)?.get(path);
  if (advice !== undefined) return { title, state: 'left out', where: advice, omitted: [] };
  const omissions = omissionsOf(emitted.omissions).get(spec.id) ?? [];
  const omitted = omissions.flatMap(({ source }) =>
    source.startsWith(path) && /^[./[]/.test(source.slice(path.length)) ? source.slice(path.length + 1) : [],
  );
  return { title, state: 'written', where: placeOf(request, path, emitted), omitted };
}

type Emitted = Compiled['emitted'];

const omissionsOf = memoizeByObject((omissions: Emitted['omissions']) =>
  groupBy(omissions, ({ target }) => target),
);

/** What was placed, by target and item, or by target and capability. */
const placedOf = memoizeByObject((emitted: Emitted) =>
  groupBy(emitted.placed(), ({ target, item, of }) => `${target}\0${item ?? ` ${of}`}`),
);

/** Its own files, the settings file that contains it, or the main document. */
function placeOf({ spec }: TargetRequest, path: string, emitted: Emitted): string {
  const filesOf = (key: string) =>
    [
      ...new Set(
        placedOf(emitted)
          .get(`${spec.id}\0${key}`)
          ?.map(one => one.path),
      ),
    ].join(', ');
  const block = /^\w+/.exec(path)?.[0];
  const settings = Object.values(spec.files).flatMap(file =>
    file?.kind === 'entries' && describeCollection(file.of)?.block === block ? [file.path] : [],
  );
  return filesOf(path) || settings.join(', ') || filesOf(' instructions') || 'the main document';
}

/** `reaches 7 of 8 tools, 3 texts left out`; `undefined` when the model does not contain it. */
export function reachLine(path: string, compiled: Compiled): string | undefined {
  const reached = reachOf(path, compiled);
  if (reached.length === 0) return undefined;
  const count = (state: TargetReach['state']) => reached.filter(one => one.state === state).length;
  const meant = reached.length - count('not meant');
  const omitted = reached.reduce((sum, one) => sum + one.omitted.length, 0);
  return [
    `reaches ${count('written')} of ${meant} ${meant === 1 ? 'tool' : 'tools'}`,
    ...(meant < reached.length ? [`not meant for ${reached.length - meant}`] : []),
    ...(omitted > 0 ? [`${omitted} ${omitted === 1 ? 'text' : 'texts'} left out`] : []),
  ].join(', ');
}

/** The same as a Markdown table; empty when the model does not contain it. */
export function reachTable(path: string, compiled: Compiled | undefined): string[] {
  const reached = compiled ? reachOf(path, compiled) : [];
  if (reached.length === 0) return [];
  const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
  const rows = reached.map(({ title, where, state, omitted }) => {
    const lost = [...new Set(omitted)].map(field => `\`${field}\``).join(', ');
    const file = state === 'written' ? `\`${where}\`` : `*${where}*`;
    return `| ${cell(title)} | ${cell(file)} | ${lost} |`;
  });
  return [['| tool | written to | left out |', '| --- | --- | --- |', ...rows].join('\n')];
}

/** The same as lines, for messages. */
export const reachList = (path: string, compiled: Compiled): string =>
  reachOf(path, compiled)
    .map(({ title, where }) => `${title}: ${where}`)
    .join('\n');
