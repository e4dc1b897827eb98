import { join } from 'node:path';
import { checkRuleNames } from '../../check/check.ts';
import { applyRuleSeverities } from '../../check/severities.ts';
import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { targetEntries } from '../../config/targets.ts';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { type Disk, HostError } from '../../host/host.ts';
import type { Opening, WithReport } from '../../session/world.ts';
import { resolveTargetName } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { specsPath } from '../../text/places.ts';
import { hostFinding } from './host-finding.ts';
import { readerOf, slashed } from './root.ts';

/** A project that can be compiled: its configuration, and the target specs it brings itself. */
export interface Project {
  readonly loaded: LoadedConfig;
  /** Absolute path of its root. */
  readonly root: string;
  /** Specs in `.instr/targets/`, by id. */
  readonly custom: ReadonlyMap<string, LoadedSpec>;
}

/** Use cases give up in two ways that the command line tells apart. */
export type Unusable = 'no-configuration' | 'wrong-request';

/** Finds and reads the configuration. What is wrong has been reported when the result is `undefined`. */
export async function openProject(context: Opening): Promise<Project | undefined> {
  const { report, failed } = watchErrors(context.report);
  const loaded = await openConfig({ ...context, report });
  if (!loaded) return undefined;
  checkRuleNames(loaded.config.validation.rules, loaded.spanOf, report);
  const { root } = loaded;
  const custom = await loadCustomSpecs(root, context.disk, report);
  return failed() ? undefined : { loaded, root, custom };
}

/** The configuration alone. One that the disk does not give is one that cannot be used. */
export async function openConfig(context: Opening): Promise<LoadedConfig | undefined> {
  const { cwd, configPath, report } = context;
  try {
    return await loadConfig({ cwd: slashed(cwd), explicit: configPath, reader: readerOf(context) }, report);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    report(hostFinding(error, cwd));
    return undefined;
  }
}

/** The specs in `.instr/targets/`; one that is wrong is reported. */
export async function loadCustomSpecs(root: string, disk: Disk, report: Report): Promise<Project['custom']> {
  const names = (disk.list(join(root, specsPath)) ?? []).filter(
    ({ name, kind }) => kind === 'file' && /\.ya?ml$/.test(name),
  );
  if (names.length === 0) return new Map();
  const { readCustomSpecs } = await import('../../lint/custom.ts');
  const sources = names.flatMap(({ name }) => {
    const path = `${specsPath}/${name}`;
    const bytes = disk.readBytes(join(root, path));
    const source = bytes && decodeSource(path, bytes, report);
    return source ? [source] : [];
  });
  return readCustomSpecs(sources, report);
}

/** Findings of rules get the severity that the configuration wants, whichever phase makes them. */
export const withRuleSeverities = <C extends WithReport>({ loaded }: Project, context: C): C => ({
  ...context,
  report: applyRuleSeverities(context.report, loaded.config.validation.rules),
});

/** Errors about a target that have no other place stand where the configuration names it: its settings made them. */
export function atTargets({ loaded, custom }: Project, report: Report): Report {
  return found => {
    if (found.severity !== 'error' || found.target === undefined || found.span || found.file) {
      report(found);
      return;
    }
    const { config } = loaded;
    const profiles = Object.entries(config.builds ?? {});
    const entry = [
      ...targetEntries(config),
      ...profiles.flatMap(([name, build]) => targetEntries(build, ['builds', name])),
    ].find(({ name }) => resolveTargetName(name, custom) === found.target);
    const span = entry && loaded.spanOf(entry.path, 'key');
    report({ ...found, ...(span && { span }) });
  };
}

/** A report that also remembers whether there was an error. */
export function watchErrors(report: Report): { report: Report; failed: () => boolean } {
  let failed = false;
  return {
    report: (diagnostic: Diagnostic) => {
      failed ||= diagnostic.severity === 'error';
      report(diagnostic);
    },
    failed: () => failed,
  };
}
