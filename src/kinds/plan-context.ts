import type { Item } from '../model/model.ts';
import type { Helpers, Template } from '../spec/template.ts';
import type { TargetRequest } from './request.ts';
import type { Literal } from './write/convention.ts';

/** What planning a target needs beside the model. */
export interface PlanContext {
  readonly universalDir: string;
  /** A named body or an inline one of the target. */
  readonly body: (request: TargetRequest, place: string | undefined, name: string) => Template | undefined;
  readonly helpers: Helpers;
  readonly literal: Literal;
  /** The bundled skill about the language; written only where the target has a place for skills. */
  readonly languageSkill?: Item;
}
