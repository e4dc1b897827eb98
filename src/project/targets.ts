import type { Target } from '../generated/types/report.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import { builtinIds, builtinSpec } from '../spec/load.ts';
import { noSuchTarget } from '../generated/diagnostics.ts';
import { resolveTargetName } from '../spec/load.ts';
import { didYouMean } from '../text/similar.ts';
import type { Context } from './context.ts';

/** The supported tools in the order of their labels. */
export function listTargets(): readonly Target[] {
  return builtinIds().map(id => summarize(builtinSpec(id)!.spec));
}

/** One tool with its files, limits and evidence; an unknown name is reported. */
export function describeTarget(name: string, { report }: Context): TargetSpec | undefined {
  const id = resolveTargetName(name, new Map());
  if (id !== undefined) return builtinSpec(id)!.spec;
  const hint = `${didYouMean(name, builtinIds())}Run \`prs targets\` for the list.`;
  report(noSuchTarget({ name }, { hint }));
  return undefined;
}

/** What a list says of a tool. */
export function summarize(spec: TargetSpec): Target {
  const main = mainPath(spec);
  return {
    id: spec.id,
    ...(spec.label !== undefined && { label: spec.label }),
    title: spec.title,
    defaultVersion: spec.defaultVersion,
    versions: Object.entries(spec.versions).map(([version, help]) => ({ name: version, help })),
    capabilities: capabilities(spec),
    ...(main !== undefined && { main }),
  };
}

/** The list entry with what only a page about one tool says. */
export function detail(spec: TargetSpec): Target {
  return {
    ...summarize(spec),
    files: Object.entries(spec.files).map(([name, file]) => ({
      name,
      of: 'of' in file ? file.of : 'settings',
      path: pathOf(file),
      ...(file.versions && { versions: [...file.versions] }),
    })),
    ...(spec.limits && { limits: spec.limits.map(limit => ({ ...limit })) }),
    evidence: spec.evidence.map(({ url, checked, note }) => ({ url, checked, ...(note !== undefined && { note }) })),
  };
}

/** What the tool has a place of its own for, beside the main document. */
const capabilities = ({ files }: TargetSpec): string[] => [
  ...new Set(Object.values(files).flatMap(file => ('of' in file && file.of !== 'instructions' ? [file.of] : []))),
];

function mainPath({ files, defaultVersion }: TargetSpec): string | undefined {
  const main = Object.values(files).find(
    file =>
      'of' in file &&
      file.of === 'instructions' &&
      (file.versions === undefined || (file.versions as readonly string[]).includes(defaultVersion)),
  );
  return main && pathOf(main);
}

const pathOf = (file: TargetSpec['files'][string]): string =>
  'dir' in file && file.dir !== undefined ? `${file.dir}/${file.path}` : file.path;
