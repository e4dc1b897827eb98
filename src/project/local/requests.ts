import { localNameUnknown } from '../../generated/diagnostics.ts';
import type { TargetConfig } from '../../generated/types/config.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import type { Model } from '../../model/model.ts';
import { findSpec, resolveTargetName } from '../../spec/load.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { languageSkillName } from '../../text/places.ts';
import { didYouMean } from '../../text/similar.ts';
import type { LocalConfig } from '../config/local.ts';
import { mergeData } from '../config/source.ts';
import { type ConfiguredTarget, targetEntries } from '../config/targets.ts';
import type { Project } from '../open/open.ts';
import { requestOf } from '../open/targets.ts';
import type { WithReport } from '../session/world.ts';

/** The option of a spec that disables servers for one person. */
export const disabledServersOption = 'disabledServers';

/** The targets of the project with personal settings, and the targets of the person. Invalid settings are reported. */
export function localRequests(
  project: Project,
  { requests }: { readonly requests: readonly TargetRequest[] },
  { report }: WithReport,
): TargetRequest[] {
  const local = project.loaded.local!;
  const idOf = (name: string) => resolveTargetName(name, project.custom) ?? name;
  const requestFor = (entry: ConfiguredTarget, spanOf = at(local, project), to: Report = report) =>
    requestOf(withDisabled(entry, local, project), project, spanOf, to) ?? [];
  const personal = new Map(targetEntries(local).map(entry => [idOf(entry.name), entry]));
  const shared = targetEntries(project.loaded.config).flatMap(entry => {
    const id = idOf(entry.name);
    const override = personal.get(id);
    personal.delete(id);
    if (override) {
      const config = mergeData(entry.config, override.config) as TargetConfig;
      return requestFor({ ...override, config });
    }
    // Its problems were reported for the project.
    const isUsable = requests.some(({ spec }) => spec.id === id);
    return isUsable ? requestFor(entry, project.loaded.spanOf, () => {}) : [];
  });
  return [...shared, ...[...personal.values()].flatMap(entry => requestFor(entry))];
}

/** The span of a personal setting, else that of the project. */
const at =
  (local: LocalConfig, { loaded }: Project): Project['loaded']['spanOf'] =>
  (path, part) =>
    local.spanOf(path, part) ?? local.spanOf(path.slice(0, -1), 'key') ?? loaded.spanOf(path, part);

/** Adds the disabled servers to the option of a tool that supports it. */
function withDisabled(
  entry: ConfiguredTarget,
  { disabled }: LocalConfig,
  { custom }: Project,
): ConfiguredTarget {
  const options = findSpec(entry.name, custom, () => {})?.spec.options;
  if (disabled.servers.length === 0 || !options || !Object.hasOwn(options, disabledServersOption))
    return entry;
  const known = (entry.config as Record<string, unknown> | undefined)?.[disabledServersOption];
  const servers = [...(Array.isArray(known) ? known : []), ...disabled.servers];
  const config = { ...entry.config, [disabledServersOption]: [...new Set(servers)] } as TargetConfig;
  return { ...entry, config };
}

/** Reports names of servers and skills to leave out that do not exist. */
export function checkDisabled({ loaded }: Project, { items }: Pick<Model, 'items'>, report: Report): void {
  const { disabled, spanOf } = loaded.local!;
  const known = {
    servers: items.mcpServers.map(({ name }) => name),
    skills: [...items.skills.map(({ name }) => name), languageSkillName],
  };
  for (const kind of ['servers', 'skills'] as const) {
    for (const [index, name] of disabled[kind].entries()) {
      if (known[kind].includes(name)) continue;
      const hint = didYouMean(name, known[kind]) || undefined;
      const span = spanOf(['disabled', kind, index]);
      const word = kind === 'servers' ? 'MCP server' : 'skill';
      report(localNameUnknown({ word, name }, { span, ...(hint && { hint }) }));
    }
  }
}
