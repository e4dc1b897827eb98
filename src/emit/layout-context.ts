import type { EmitSettings, SourceAt } from '../kinds/emit-settings.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Model } from '../model/model.ts';

/** The input of the passes over the drafts of all targets. */
export interface LayoutContext {
  readonly model: Model;
  readonly requests: readonly TargetRequest[];
  readonly settings: EmitSettings;
  readonly sourceAt: SourceAt;
}
