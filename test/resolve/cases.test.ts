/** Resolves the program of each case, and compares the values with their declarations. */
import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('resolve: cases');
addCases(tests, cases);
tests.run();
