import { join } from 'node:path';
import { isScalar, parseDocument as parseYaml } from 'yaml';
import { upgradeNoProject, upgradeSkipped } from '../../generated/diagnostics.ts';
import { pathBelow } from '../../host/relative-path.ts';
import { upgradeSource } from '../../migrate/upgrade.ts';
import { decodeSource, withByteOrderMark } from '../../syntax/decode.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { compareVersions, newestSyntax } from '../../text/version.ts';
import { projectRoot } from '../open/root.ts';
import { listSources } from '../project-files.ts';
import type { CompileContext, WithDisk, WithReport } from '../session/world.ts';
import { writeSources } from '../write/write-sources.ts';

export interface UpgradedFile {
  readonly path: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly string[];
  readonly text: string;
}

export interface UpgradeOutcome {
  readonly root: string;
  /** Files that change; the others are up to date. */
  readonly files: readonly UpgradedFile[];
  readonly checked: number;
}

/**
 * Converts every `.prs` file of the project and its configuration to the newest syntax. All files are read and
 * rewritten in memory first: when one does not parse or is too new, that is reported and nothing is written.
 */
export async function upgradeProject(
  dryRun: boolean,
  context: CompileContext,
): Promise<UpgradeOutcome | undefined> {
  const { disk } = context;
  const watched = watchErrors(context.report);
  const { root, config } = projectRoot(context);
  if (config === undefined) {
    watched.report(upgradeNoProject({}, {}));
    return undefined;
  }
  const settings = upgradeConfig(root, config, context);
  const entry = entryOf(config, context);
  const paths = listSources(root, context.disk);
  const files: UpgradedFile[] = [];
  for (const path of paths) {
    const bytes = disk.readBytes(join(root, path));
    // In other folders a source may be a fixture with intended errors, so the remaining files are still upgraded.
    const isOwn = path.startsWith('.instr/') || path === entry;
    const findings: Diagnostic[] = [];
    const report: Report = isOwn ? watched.report : finding => void findings.push(finding);
    const source = bytes && decodeSource(path, bytes, report);
    const upgraded = source && upgradeSource(source, report);
    const problem = findings.find(({ severity }) => severity === 'error');
    if (problem?.code === 'PRS9440') watched.report(problem);
    else if (problem) {
      const { span } = problem;
      watched.report(upgradeSkipped({ path, problem: problem.message }, span ? { span } : { file: path }));
    }
    if (!source || !upgraded || upgraded.text === source.text) continue;
    files.push({
      path,
      from: upgraded.from,
      to: newestSyntax,
      changes: upgraded.changes,
      text: withByteOrderMark(bytes, upgraded.text),
    });
  }
  if (settings) files.push(settings);
  if (watched.failed()) return undefined;
  if (!dryRun && !(await writeSources(root, files, context))) return undefined;
  return { root, files, checked: paths.length };
}

/** `input.entry` of a configuration, as a path relative to the project. */
export function entryOf(config: string, { disk }: WithDisk): string | undefined {
  const bytes = disk.readBytes(config);
  const entry = bytes && parseYaml(new TextDecoder().decode(bytes)).getIn(['input', 'entry']);
  return typeof entry === 'string' ? entry.replace(/^(?:\.\/)+/, '') : undefined;
}

/** `syntax` in the configuration; only its value is replaced, so that comments and layout stay. */
function upgradeConfig(
  root: string,
  config: string,
  { disk, report }: WithDisk & WithReport,
): UpgradedFile | undefined {
  const path = pathBelow(root, config);
  const bytes = disk.readBytes(config);
  const source = bytes && path !== undefined ? decodeSource(path, bytes, report) : undefined;
  if (!source || path === undefined) return undefined;
  const value = parseYaml(source.text).get('syntax', true);
  if (!isScalar(value) || !value.range) return undefined;
  const [start, end] = value.range;
  const written = source.text.slice(start, end);
  const from = /^(["']?)(\d+(?:\.\d+){0,2})\1$/.exec(written)?.[2];
  if (from === undefined || compareVersions(from, newestSyntax) >= 0) return undefined;
  const changed = source.text.slice(0, start) + written.replace(from, newestSyntax) + source.text.slice(end);
  const text = withByteOrderMark(bytes, changed);
  return { path, from, to: newestSyntax, changes: [`syntax is ${newestSyntax}`], text };
}
