/** Outputs can be parsed by the parsers that tools use, and match the schemas that vendors publish. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse as parseYaml } from 'yaml';
import { makeGoldens } from '../../scripts/golden.ts';
import { readFrontMatter } from '../../src/text/front-matter.ts';
import { allVersions } from '../support/compile.ts';

const tests = suite('formats');
const { goldens } = await makeGoldens();
const files = [...goldens].filter(([path]) => !path.endsWith('/omissions.txt'));
const textOf = (path: string) => new TextDecoder('utf-8', { fatal: true }).decode(goldens.get(path)!.bytes);
const ending = (path: string) => path.slice(path.lastIndexOf('.') + 1);

const parsers: Record<string, (text: string) => object> = {
  json: text => JSON.parse(text) as object,
  jsonc: text => {
    const errors: ParseError[] = [];
    const value = parseJsonc(text, errors, { allowTrailingComma: true });
    assert.equal(errors, []);
    return value as object;
  },
  toml: parseToml,
  yaml: text => parseYaml(text) as object,
};
parsers.yml = parsers.yaml!;

for (const [format, parse] of Object.entries(parsers)) {
  // A file that starts with a fence is Markdown with front matter, whatever its extension.
  const all = files.filter(([path]) => ending(path) === format && !textOf(path).startsWith('---\n'));
  if (all.length === 0) continue;
  tests(`every ${format} file parses to fields`, () => {
    for (const [path] of all) {
      let value: object;
      try {
        value = parse(textOf(path));
      } catch (error) {
        throw new Error(`${path}: ${(error as Error).message}`);
      }
      assert.type(value, 'object', path);
      assert.ok(value !== null && Object.keys(value).length > 0, `${path} is empty`);
    }
  });
}

/**
 * Front matter with unquoted globs, such as `globs: *.css,*.scss`, is not valid YAML. The tools that require it read it
 * line by line.
 * Maps target and version to the keys with unquoted globs.
 */
const bareKeys = new Map<string, readonly string[]>(
  allVersions().map(({ loaded, id, version }) => {
    const rows = Object.values(loaded.spec.files).flatMap(file =>
      'frontmatter' in file && Array.isArray(file.frontmatter) ? file.frontmatter : [],
    );
    return [`${id}/${version}`, rows.flatMap(({ key, as }) => (as === 'bare' ? [key] : []))];
  }),
);

tests('every front matter parses', () => {
  let strict = 0;
  let bare = 0;
  for (const [path] of files) {
    const text = textOf(path);
    if (!text.startsWith('---\n')) continue;
    const end = text.indexOf('\n---\n', 3);
    assert.ok(end > 0, `${path}: the front matter is not closed`);
    const keys = bareKeys.get(path.split('/').slice(0, 2).join('/'))!;
    const yaml = text.slice(4, end + 1);
    const { fields, lenient } = readFrontMatter(text);
    if (keys.some(key => fields.has(key))) {
      assert.equal([...lenient.keys()].filter(key => !keys.includes(key)), [], path);
      for (const key of keys) assert.match(String(fields.get(key)), /\*/, path);
      bare++;
      continue;
    }
    const value = parseYaml(yaml) as Record<string, unknown>;
    assert.type(value, 'object', path);
    for (const [key, field] of Object.entries(value)) assert.ok(field !== null && field !== '', `${path}: ${key} is empty`);
    strict++;
  }
  assert.ok(strict > 100 && bare > 5, `${strict} and ${bare} were read`);
});

tests('SKILL.md files have the required fields', () => {
  for (const [path] of files) {
    if (!path.endsWith('/SKILL.md')) continue;
    const { fields } = readFrontMatter(textOf(path));
    const folder = path.split('/').at(-2)!;
    if (fields.has('name')) assert.is(fields.get('name'), folder, path);
    const description = String(fields.get('description') ?? '');
    assert.ok(description.length > 0 && description.length <= 1024, `${path}: description of ${description.length}`);
  }
});

tests('no file contains a carriage return or a byte order mark, and every file ends with a line end', () => {
  for (const [path] of files) {
    // Files of a skill are copied unchanged.
    if (/\.(?:csv|sh)$/.test(path)) continue;
    const text = textOf(path);
    assert.not.match(text, /[\r\uFEFF]/, path);
    assert.ok(text.endsWith('\n'), `${path} does not end with a line end`);
  }
});

const folder = new URL('schemas/', import.meta.url);
for (const name of readdirSync(folder).filter(file => file.endsWith('.json'))) {
  const { file, ...schema } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { file: string };
  const [id, path] = file.split(': ') as [string, string];
  tests(`${path} of ${id} matches the schema that its vendor publishes`, () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
    const found = files.filter(([golden]) => golden.startsWith(`${id}/`) && golden.endsWith(`/${path}`));
    assert.ok(found.length > 0, `${path} is not written`);
    for (const [golden] of found) {
      const value = parsers[ending(path)]!(textOf(golden));
      assert.ok(validate(value), `${golden}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
    }
  });
}

tests.run();
