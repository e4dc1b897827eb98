import type { ItemFiles } from '../../generated/types/target.ts';
import type { Activation } from '../../model/guards.ts';

const scopedOnly: readonly Activation[] = ['scoped'];

/** The ways to be read that files of guards can say. */
export const activationsOf = ({ activation }: ItemFiles): readonly Activation[] => activation ?? scopedOnly;
