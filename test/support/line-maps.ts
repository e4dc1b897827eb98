/** What `explain` reports for every line of a target's output, and whether it is correct. */
import * as assert from 'uvu/assert';
import { emitInSteps } from '../../src/emit/emit.ts';
import { mapLines } from '../../src/emit/line-map.ts';
import { conventions } from '../../src/generated/conventions.ts';
import type { SharedFile, WholeFile } from '../../src/kinds/output.ts';
import { buildModel } from '../../src/model/build.ts';
import type { Explained } from '../../src/project/explain/explain.ts';
import { entriesOf } from '../../src/project/explain/explain-line.ts';
import { readStructure } from '../../src/project/explain/shared-lines.ts';
import type { Program } from '../../src/resolve/program.ts';
import { memoizeByObject } from '../../src/text/memo.ts';
import { runToEnd } from '../../src/text/pieces.ts';
import { allVersions, requestFor, sharedText } from './compile.ts';

/** A line of an output, and its reported origin. */
export interface ExplainedLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly entries: readonly Explained[];
}

/**
 * All lines that are not blank of the output of one version of a target. Also asserts that tracing does not change the
 * output.
 */
export async function explainTarget(program: Program, id: string, version: string): Promise<ExplainedLine[]> {
  const { loaded } = allVersions([id])[0]!;
  const request = requestFor(loaded, { version }, () => {})!;
  const settings = { conventions, customConventions: new Map(), baseDir: '', universalDir: '.agents' };
  const models = modelsOf(program);
  const plain = runToEnd(emitInSteps(models.plain, [request], settings, () => {}));
  const { files } = runToEnd(emitInSteps(models.traced, [request], { ...settings, trace: true }, () => {}));
  assert.equal(files.map(contentsOf), plain.files.map(contentsOf), 'tracing does not change the output');
  const explained: ExplainedLine[] = [];
  for (const file of files) {
    if (file.kind === 'whole' && typeof file.content !== 'string') continue;
    const text = file.kind === 'whole' ? (file.content as string) : await sharedText(file);
    const map = file.kind === 'whole' ? await mapLines(file.unformatted!, text) : undefined;
    const keyed = file.kind === 'shared' ? file : file.keys && { format: file.format as 'json', edits: file.keys };
    const find = keyed && (await readStructure(text, keyed));
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      const origins = find ? find(index) : map![index]!.runs;
      explained.push({ path: file.path, line: index + 1, text: line, entries: entriesOf(line, origins) });
    }
  }
  return explained;
}

/** Models of a program, with and without origins. */
const modelsOf = memoizeByObject((program: Program) => {
  const modelOf = (trace: boolean) => buildModel(program, { guardRequiresDepth: 3, trace }, () => {});
  return { plain: modelOf(false), traced: modelOf(true) };
});

const contentsOf = (file: WholeFile | SharedFile) =>
  file.kind === 'whole'
    ? [file.path, typeof file.content === 'string' ? file.content : file.content()]
    : [file.path, file.edits.map(({ origins: _, ...edit }) => edit)];

/** Returns the text of a source line. */
export function linesOfSources(program: Program): (file: string, line: number) => string {
  const texts = new Map<string, readonly string[]>();
  for (const unit of program.units) {
    if (unit.kind === 'directory') continue;
    const source = unit.kind === 'source' ? unit.document.source : unit.source;
    texts.set(source.name, source.text.split('\n'));
  }
  return (file, line) => texts.get(file)?.[line - 1] ?? '';
}
