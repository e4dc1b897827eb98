/** The reason of an omission fits the omitted item, for every tool, version, collection and field. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Omissions } from '../../src/kinds/omissions.ts';
import type { TargetRequest } from '../../src/kinds/request.ts';
import { collections } from '../../src/model/collections.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { allAdvice, fieldsOf } from '../../src/spec/vocabulary.ts';

const tests = suite('advice of omissions');

const parts = builtinIds().map(id => builtinSpec(id)!.spec).flatMap(spec =>
  Object.keys(spec.versions).flatMap(version => {
    const omissions = new Omissions({ spec, version } as TargetRequest);
    return collections.flatMap(collection =>
      [undefined, 'unheard', ...(fieldsOf(collection) ?? [])].map(field => ({
        spec,
        version,
        collection,
        field,
        advice: omissions.adviceFor(collection, field, 'some words'),
      })),
    );
  }),
);

tests('explanations of a spec are used only for the item that they are about', () => {
  const wrong = parts.filter(({ spec, collection, field, advice }) => {
    const key = field === undefined ? collection : `${collection}.${field}`;
    const all = allAdvice(spec);
    return Object.values(all).includes(advice) && all[key] !== advice;
  });
  assert.equal(
    wrong.map(({ spec, collection, field, advice }) => `${spec.id} ${collection}.${field}: ${advice}`),
    [],
  );
});

tests('no advice suggests to move a field into content that does not exist', () => {
  const wrong = parts.filter(
    ({ collection, advice }) =>
      ['hooks', 'mcpServers', 'plugins'].includes(collection) && advice.includes('into the content'),
  );
  assert.equal(
    wrong.map(({ spec, collection, field }) => `${spec.id} ${collection}.${field}`),
    [],
  );
});

tests('a version that writes a part is suggested only for versions that do not', () => {
  const named = parts.filter(({ advice }) => / writes it\.$/.test(advice));
  assert.ok(named.length > 0);
  for (const { spec, version, collection, field, advice } of named)
    assert.not.match(advice, new RegExp(`\\b${version}\\b.* of `), `${spec.id} ${collection}.${field}`);
});

tests.run();
