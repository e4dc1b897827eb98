/** dist/data/tools.json, which other programs read: its facts about every tool, and the evidence for each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { root } from '../support/compile.ts';

interface Fact {
  of: string;
  confidence: string;
  source?: string;
  checked?: string;
}
interface Tool {
  id: string;
  capabilities: string[];
  status?: { note: string };
  evidence?: { url: string; checked: string }[];
  confidences: Fact[];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const data = JSON.parse(read('dist/data/tools.json')) as { date: string; tools: Tool[] };
const { tools } = data;

/** The day six months before `date`. */
function halfAYearBefore(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() - 6);
  return day.toISOString().slice(0, 10);
}

const tests = suite('tools.json');

tests('matches its schema', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('dist/data/tools.schema.json')));
  assert.ok(validate(data), JSON.stringify(validate.errors?.slice(0, 5)));
});

tests('has every spec once, in order', () => {
  const ids = tools.map(({ id }) => id);
  assert.equal(ids, [...new Set(ids)].sort());
});

tests('each tool has evidence that is not older than six months', () => {
  const oldest = halfAYearBefore(data.date);
  for (const { id, evidence = [], confidences } of tools) {
    assert.ok(evidence.length > 0, id);
    const dates = [...evidence, ...confidences].flatMap(({ checked }) => checked ?? []);
    assert.equal(dates.filter(date => date < oldest || date > data.date), [], id);
  }
});

tests('each capability has a confidence, and a source unless it is assumed', () => {
  for (const { id, capabilities, confidences } of tools) {
    const known = confidences.map(({ of }) => of);
    assert.equal(capabilities.filter(of => !known.includes(of)), [], id);
    for (const { of, confidence, source } of confidences) {
      assert.ok(['proved', 'documented', 'assumed'].includes(confidence), `${id} ${of}`);
      assert.ok(confidence === 'assumed' || source, `${id} ${of}`);
    }
  }
});

tests('no capability of the most used tools is assumed', () => {
  const most = parse(read('conventions/most-used.yaml')) as string[];
  for (const id of most) {
    const tool = tools.find(one => one.id === id)!;
    const assumed = tool.confidences.filter(({ confidence }) => confidence === 'assumed').map(({ of }) => of);
    assert.equal(assumed, [], id);
  }
});

tests.run();
