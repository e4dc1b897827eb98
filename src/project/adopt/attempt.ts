import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { isMarkdownPath } from '../../text/places.ts';
import {
  type AdoptedFile,
  type Adoption,
  type AdoptionAttempt,
  type Constraints,
  noConstraints,
  type Setting,
} from './adoption.ts';
import type { Checked } from './check.ts';
import { toolsInUse } from './tools.ts';

const unconstrained = {
  asOneText: true,
  constraints: noConstraints,
  lenient: new Set<string>(),
  findings: [],
} satisfies Partial<AdoptionAttempt>;

/** The attempt that takes everything. */
export const firstAttempt = ({ tools, universalDir }: Setting): AdoptionAttempt => ({
  ...unconstrained,
  tools,
  universalDir,
  dropped: new Map(),
  withoutSettings: new Map(),
});

/** The next attempt after a check that found something; `undefined` when nothing is left to change. */
export function nextAttempt(
  attempt: AdoptionAttempt,
  adoption: Adoption,
  checked: Checked,
  setting: Setting,
): AdoptionAttempt | undefined {
  if (adoption.isOneText && isAboutText(checked, adoption))
    // The text is not at the default paths, so the entry must name the paths.
    return {
      ...attempt,
      asOneText: false,
      constraints: { ...attempt.constraints, excluded: new Map(), pinned: new Set() },
    };
  if (checked.ruled.length > 0 && setting.isNew)
    return {
      ...attempt,
      findings: [...attempt.findings, ...checked.ruled],
      lenient: new Set([...attempt.lenient, ...checked.ruled.map(({ rule }) => rule!)]),
    };
  const isInPlace = ({ path, source }: AdoptedFile) => path === source && checked.excluded.has(path);
  if (attempt.universalDir !== undefined && adoption.adopted.some(isInPlace))
    // The files there have errors as sources. The tools that read them continue to do so.
    return { ...attempt, ...unconstrained, universalDir: undefined };
  const fresh = [...checked.excluded].filter(([path]) => !attempt.constraints.excluded.has(path));
  if (fresh.length > 0) {
    // Findings of rules may have been about originals that are left out now.
    const constraints = constrain(attempt.constraints, fresh, adoption, checked);
    return { ...attempt, constraints, lenient: new Set(), findings: [] };
  }
  return checked.changed.length > 0 && setting.isNew ? withoutCause(attempt, checked, setting) : undefined;
}

/**
 * Originals that a compile changed get the next stricter form: a source of their own, then a fixed path, then none.
 */
function constrain(
  { excluded, pinned, separate, planned }: Constraints,
  fresh: readonly (readonly [path: string, reason: string])[],
  adoption: Adoption,
  checked: Checked,
): Constraints {
  const next = {
    excluded: new Map(excluded),
    pinned: new Set(pinned),
    separate: new Set(separate),
    planned: new Map(planned),
  };
  for (const [path, reason] of fresh) {
    const written = planned.has(path) ? undefined : checked.planned.get(path);
    const own = adoption.adopted.filter(one => one.path === path);
    if (own.some(({ unitedFor }) => unitedFor)) next.separate.add(path);
    else if (written !== undefined) next.planned.set(path, written);
    else if (own.some(({ mayPin }) => mayPin)) next.pinned.add(path);
    else next.excluded.set(path, reason);
  }
  return next;
}

/** Leaves out what changes a file without a faulty original: shared commands, settings of a tool, or a tool. */
function withoutCause(
  attempt: AdoptionAttempt,
  { changed }: Checked,
  setting: Setting,
): AdoptionAttempt | undefined {
  const { universalDir, dropped, withoutSettings } = attempt;
  // Commands in that folder are found for every tool; tools without them would get new files.
  if (universalDir !== undefined && holdsCommands(join(setting.root, universalDir), setting.disk))
    return { ...attempt, ...unconstrained, universalDir: undefined };
  if (!setting.mayDropTools) return undefined;
  const [cause] = changed.flatMap(({ path, reason, targets }) => {
    const spec = targets.length === 1 ? attempt.tools.find(({ id }) => id === targets[0]) : undefined;
    return spec ? [{ spec, path, reason }] : [];
  });
  if (!cause) return undefined;
  const { spec, path, reason } = cause;
  const option = withoutSettings.has(spec) ? undefined : settingsOption(spec, path);
  if (option !== undefined)
    return {
      ...attempt,
      ...unconstrained,
      withoutSettings: new Map([...withoutSettings, [spec, option]]),
    };
  const why = `${spec.title} is left out: ${path} would change (${reason})`;
  const left = new Map([...dropped, [spec, why]]);
  const tools = toolsInUse(
    setting.found,
    setting.specs.filter(one => !left.has(one)),
  );
  return tools.length === 0 ? undefined : { ...attempt, ...unconstrained, tools, dropped: left };
}

/** Whether the error is about the one text that all tools get, or has no place. */
const isAboutText = ({ excluded, changed, errors, linked }: Checked, { documents }: Adoption): boolean =>
  changed.length + errors.length > 0 ||
  (linked && excluded.size === 0) ||
  documents.some(({ places }) => places.some(path => excluded.has(path)));

const holdsCommands = (folder: string, { list }: Disk): boolean =>
  (list(join(folder, 'commands')) ?? []).some(({ name }) => isMarkdownPath(name));

/** An option that disables the settings file of a tool: the existing settings of the owner are sufficient. */
function settingsOption({ files, options }: TargetSpec, path: string): string | undefined {
  const file = Object.values(files).find(one => one.kind === 'settings' && one.path === path);
  const name = file?.when?.option;
  const option = name === undefined ? undefined : options?.[name];
  return typeof option === 'object' && option.type === 'boolean' ? name : undefined;
}
