/** Edited outputs in folders, and the sources that they lead to. */
import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('absorb: cases');
addCases(tests, cases);
tests.run();
