/** Common mistakes of new users, and the messages of the built program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../scripts/files.ts';
import { project, prs } from '../cli/prs.ts';
import { casesBeside } from '../support/cases.ts';

/** A case is a project with one mistake. `run.txt` contains the arguments, `said.txt` the printed output. */
export const cases = casesBeside(import.meta.url, ['said.txt'], directory => {
  const paths = filesBelow(directory).filter(path => path !== 'run.txt' && path !== 'said.txt');
  const folder = project(Object.fromEntries(paths.map(path => [path, readFileSync(join(directory, path))])));
  const args = readFileSync(join(directory, 'run.txt'), 'utf8').trim().split(' ');
  const { status, stdout, stderr } = prs(folder, args);
  const output = `${stdout}${stderr}`.replaceAll(folder, '<project>').replace(/ · \d+ m?s\b/g, '');
  return { 'said.txt': `${output}exit status ${status}\n` };
});
