import type { TargetSpec } from '../../src/generated/types/target.ts';
import type { ReportProblem } from '../../src/spec/shared-parts.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import type { YamlFile } from '../../src/text/yaml.ts';

/** A spec that was read without errors, with its YAML and a function that reports problems in it. */
export interface Checked {
  readonly loaded: LoadedSpec;
  readonly spec: TargetSpec;
  readonly yaml: YamlFile;
  readonly fault: ReportProblem;
}
