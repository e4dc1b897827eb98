/** Whole projects: what their configuration and their sources lead to, file by file. */
import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('compile: cases');
addCases(tests, cases);
tests.run();
