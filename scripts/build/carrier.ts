/** Which Node can have a program put into it. */
import { readFileSync } from 'node:fs';

/** Where Node looks whether something is inside; a constant of its documentation. */
export const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Whether a Node can carry a program: one that was built without that, or stripped of it, cannot. */
export const canCarry = (node: string): boolean => readFileSync(node).includes(`${fuse}:0`);
