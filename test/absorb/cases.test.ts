/** Edited outputs in fixture folders, and the source changes that absorbing them must produce. */
import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('absorb: cases');
addCases(tests, cases);
tests.run();
