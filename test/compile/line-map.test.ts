/** Every line of every output knows where it came from, and what it says about that is true. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emitTargets } from '../../src/emit/emit.ts';
import { mapLines } from '../../src/emit/line-map.ts';
import { conventions } from '../../src/generated/conventions.ts';
import type { SharedFile, WholeFile } from '../../src/kinds/output.ts';
import { buildModel } from '../../src/model/build.ts';
import { entriesOf } from '../../src/project/explain/line-entries.ts';
import { originsOfLine } from '../../src/project/explain/shared-lines.ts';
import type { Program } from '../../src/resolve/program.ts';
import { allVersions, openKitchenSink, requestFor, sharedText } from '../support/compile.ts';
import { translationsOf } from '../support/texts.ts';

const tests = suite('line maps');

/** Letters and digits only: quoting, escapes, headings and marks of lists may come and go. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The line of a source that an entry names. */
function sourceLines(program: Program): (file: string, line: number) => string {
  const texts = new Map<string, readonly string[]>();
  for (const unit of program.units) {
    if (unit.kind === 'directory') continue;
    const source = unit.kind === 'source' ? unit.document.source : unit.source;
    texts.set(source.name, source.text.split('\n'));
  }
  return (file, line) => texts.get(file)?.[line - 1] ?? '';
}

interface Wrong {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly said: unknown;
}

/** Lines of all files of a target that are not accounted for, and how many were looked at. */
async function wrongLines(program: Program, id: string, version: string): Promise<{ lines: number; layout: number; wrong: Wrong[] }> {
  const model = buildModel(program, { guardRequiresDepth: 3, trace: true }, () => {});
  const { loaded } = allVersions([id])[0]!;
  const request = requestFor(loaded, { version }, () => {})!;
  const settings = { conventions, customConventions: new Map(), baseDir: '', universalDir: '.agents' };
  const plainModel = buildModel(program, { guardRequiresDepth: 3 }, () => {});
  const plain = emitTargets(plainModel, [request], settings, () => {});
  const { files } = emitTargets(model, [request], { ...settings, trace: true }, () => {});
  for (const [index, file] of files.entries())
    assert.equal(contentsOf(file), contentsOf(plain.files[index]!), 'tracing changes nothing');
  const lineAt = sourceLines(program);
  const translations = translationsOf(loaded.spec);
  const wrong: Wrong[] = [];
  let [lines, layout] = [0, 0];
  for (const file of files) {
    if (file.kind === 'whole' && typeof file.content !== 'string') continue;
    const text = file.kind === 'whole' ? (file.content as string) : await sharedText(file);
    const map = file.kind === 'whole' ? await mapLines(file.made!, text) : undefined;
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      lines++;
      const keyed = file.kind === 'shared' ? file : file.keys && { format: file.format as 'json', edits: file.keys };
      const origins = keyed ? await originsOfLine(text, index + 1, keyed) : map![index]!.runs;
      const entries = entriesOf(line, origins);
      if (entries.length === 0 && !/[\p{L}\p{N}]/u.test(line)) continue;
      if (entries[0]?.operation === 'layout') {
        layout++;
        continue;
      }
      const own = wordsOf(line);
      const spoken = entries.some(({ path, value, file: source, line: at }) => {
        // The words of the tool for what the source calls otherwise.
        if (/\.(?:event|transport)$/.test(path)) return true;
        const said = [String(value), translations.get(String(value)) ?? '', lineAt(source!, at!)];
        const words = said.flatMap(wordsOf);
        return words.some(word => own.includes(word) || own.some(one => one.includes(word) || word.includes(one)));
      });
      const silent = own.length === 0 || wordsOf(entries.map(({ value }) => String(value)).join(' ')).length === 0;
      if (entries.length === 0 || !(spoken || silent)) wrong.push({ path: file.path, line: index + 1, text: line, said: entries });
    }
  }
  return { lines, layout, wrong };
}

const contentsOf = (file: WholeFile | SharedFile) =>
  file.kind === 'whole'
    ? [file.path, typeof file.content === 'string' ? file.content : file.content()]
    : [file.path, file.edits.map(({ origins: _, ...edit }) => edit)];

for (const { id, version } of allVersions()) {
  tests(`${id} ${version}: each line of the kitchen sink`, async () => {
    const { program } = await openKitchenSink();
    const { wrong, lines } = await wrongLines(program, id, version);
    assert.equal(wrong, []);
    assert.ok(lines > 0);
  });
}

tests.run();
