import type { TargetSpec } from '../../src/generated/types/target.ts';
import type { ReportProblem } from '../../src/spec/shared-parts.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import type { YamlFile } from '../../src/text/yaml.ts';

/** A spec that could be read, with what is needed to say what is wrong with it. */
export interface Checked {
  readonly loaded: LoadedSpec;
  readonly spec: TargetSpec;
  readonly yaml: YamlFile;
  readonly fault: ReportProblem;
}
