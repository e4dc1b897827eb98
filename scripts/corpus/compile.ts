/** Compiles an imported source for the tool whose file was imported. */
import { emitTargets } from '../../src/emit/emit.ts';
import { readRequest } from '../../src/emit/request.ts';
import { conventions } from '../../src/generated/conventions.ts';
import type { Json, KeyEdit } from '../../src/kinds/output.ts';
import { buildModel } from '../../src/model/build.ts';
import type { Data } from '../../src/model/model.ts';
import { changeValue, valueAt } from '../../src/plan/shared-format.ts';
import type { SourceUnit } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import { parseDocument } from '../../src/syntax/parse.ts';

/** One compiled file. */
export interface CompiledFile {
  readonly path: string;
  readonly text: string;
  /** For a file shared with the user: its data without other content. */
  readonly data?: Data;
}

/** Compiles one source for one target. @throws on errors. */
export function compileSource(text: string, loaded: LoadedSpec): readonly CompiledFile[] {
  const report = (diagnostic: {
    readonly severity: string;
    readonly message: string;
    readonly code: string;
  }) => {
    if (diagnostic.severity === 'error') throw new Error(`${diagnostic.code} ${diagnostic.message}`);
  };
  const document = parseDocument({ name: 'imported.prs', text }, report);
  const unit: SourceUnit = {
    kind: 'source',
    id: 'imported.prs',
    layer: { reference: '@project', remote: false },
    document,
    references: new Map(),
  };
  const program = resolveProgram(
    { units: new Map([[unit.id, unit]]), entryId: unit.id, env: () => undefined },
    report,
  );
  const model = buildModel(program, { guardRequiresDepth: 3 }, report);
  const request = readRequest(
    loaded,
    {},
    [],
    {
      conventions: Object.keys(conventions.conventions),
      optionOwners: () => new Map(),
      spanOf: () => undefined,
    },
    report,
  );
  if (!request) return [];
  const settings = { conventions, customConventions: new Map(), baseDir: '', universalDir: '.agents' };
  const { files } = emitTargets(model, [request], settings, report);
  return files.map(file => ({
    path: file.path,
    text:
      file.kind === 'shared'
        ? JSON.stringify(file.edits)
        : typeof file.content === 'string'
          ? file.content
          : '',
    ...(file.kind === 'shared' && { data: editedData(file.edits) }),
  }));
}

function editedData(edits: readonly KeyEdit[]): Data {
  let data: Json = {};
  for (const { kind, path, value } of edits) {
    const now = kind === 'element' ? valueAt(data, path) : undefined;
    data = changeValue(
      data,
      [...path, ...(kind === 'element' ? [Array.isArray(now) ? now.length : 0] : [])],
      value,
    );
  }
  return data as Data;
}
