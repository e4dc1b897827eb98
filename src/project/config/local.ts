import type { TargetEntry } from '../../generated/types/config.ts';
import type { Local } from '../../generated/types/local.ts';
import { local as validateLocal } from '../../generated/validators/local.ts';
import type { Disabled } from '../../model/build.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { reportSchemaErrors } from '../../text/diagnostics/schema-errors.ts';
import type { Source } from '../../text/source.ts';
import type { YamlFile } from '../../text/yaml.ts';
import { checkForm, readConfigFile } from './source.ts';
import { checkDuplicateTargets, targetEntries } from './targets.ts';

/** The personal configuration, `instr.local.yaml`. */
export interface LocalConfig extends Pick<YamlFile, 'spanOf'> {
  readonly source: Source;
  readonly targets: readonly TargetEntry[];
  /** Names of servers and skills to leave out. */
  readonly disabled: Disabled;
  /** Whether it declares MCP servers. */
  readonly hasServers: boolean;
}

/**
 * Reads `instr.local.yaml`. Returns `undefined` after an error was reported, because an incomplete configuration must
 * not write files.
 */
export async function readLocal(
  name: string,
  bytes: Uint8Array,
  report: Report,
): Promise<LocalConfig | undefined> {
  const file = readConfigFile(name, bytes, report);
  if (!file) return undefined;
  const data = (file.data ?? Object.create(null)) as Local;
  if (!validateLocal(data)) {
    const { errors } = validateLocal as unknown as { errors: Parameters<typeof reportSchemaErrors>[0] };
    reportSchemaErrors(errors, { ...file, data }, report);
    return undefined;
  }
  const targets = (data.targets ?? []) as readonly TargetEntry[];
  if (!(await areTargets(targets, file, report))) return undefined;
  return {
    source: { name, text: new TextDecoder().decode(bytes) },
    targets,
    disabled: { servers: data.disabled?.servers ?? [], skills: data.disabled?.skills ?? [] },
    hasServers: Object.keys(data.mcpServers ?? {}).length > 0,
    spanOf: file.spanOf,
  };
}

/** Whether targets have the form of targets in a configuration; problems are reported. */
async function areTargets(targets: readonly TargetEntry[], file: YamlFile, report: Report): Promise<boolean> {
  if (targets.length === 0) return true;
  const data = { id: 'x', syntax: '1.0.0', targets };
  const { report: note, failed } = watchErrors(report);
  await checkForm({ ...file, data }, note);
  if (!failed()) checkDuplicateTargets(targetEntries({ targets }), file.spanOf, note);
  return !failed();
}
