import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('mistakes');

addCases(tests, cases);

tests.run();
