/** Files of tools, and the sources that import creates from them. */
import { suite } from 'uvu';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const tests = suite('import: files of tools');
addCases(tests, cases);
tests.run();
