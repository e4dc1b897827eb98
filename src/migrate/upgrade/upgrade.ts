import type { Upgrade } from './edit.ts';
import { keepOrder } from './order.ts';
import { raiseSyntax } from './syntax.ts';

/** All steps, the oldest first. The version itself comes last, because the others look at it. */
export const upgrades: readonly Upgrade[] = [keepOrder, raiseSyntax];
