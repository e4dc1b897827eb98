/**
 * A case is a file of the user (`before.*`) and edits of it. `after.*` is the result of the edits. `removed.*` is the
 * result of removing the generated keys again, if it differs from `before.*`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { KeyEdit } from '../../src/kinds/output.ts';
import { casesBeside } from '../support/cases.ts';
import { Project, shared } from './support/project.ts';

const formats = ['json', 'toml', 'yaml', 'txt'] as const;
const expected = ['after', 'removed'].flatMap(name => formats.map(format => `${name}.${format}`));

export const cases = casesBeside(import.meta.url, expected, async directory => {
  const format = formats.find(ending => readdirSync(directory).includes(`before.${ending}`))!;
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');
  const edits = JSON.parse(read('edits.json')) as KeyEdit[];
  const kind = format === 'txt' ? 'lines' : format;
  const project = new Project();
  const path = `settings.${format}`;
  project.write(path, read(`before.${format}`));
  const { ok, found } = await project.compile([shared(path, edits, kind)]);
  assert.ok(ok, found.map(({ message }) => message).join(' '));
  const after = project.read(path);
  const again = await project.compile([shared(path, edits, kind)]);
  assert.equal(again.states, { [path]: 'unchanged' });
  assert.ok((await project.compile([])).ok);
  const removed = project.read(path);
  const isAsBefore = removed === read(`before.${format}`);
  return { [`after.${format}`]: after, ...(!isAsBefore && { [`removed.${format}`]: removed }) };
});
