/** Compiles whole fixture projects and compares every output file. */
import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('compile: cases');
addCases(tests, cases);
tests.run();
