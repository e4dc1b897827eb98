import type { Report } from '../../diagnostics/diagnostic.ts';
import { importBroken } from '../../generated/diagnostics.ts';
import type { Data } from '../../model/model.ts';
import { lineSpan, type Source } from '../../text/source.ts';
import type { MappedBlock } from '../document/read/map.ts';
import { type DataFormat, parseData } from './parse-data.ts';
import { type ItemsRead, partsOf } from './parts.ts';

/** Reads a structured file by what `read` finds in its data. Reports what cannot be read, and gives `undefined` then. */
export async function readStructured(
  source: Source,
  format: DataFormat,
  report: Report,
  read: (data: Data) => ItemsRead,
): Promise<MappedBlock[] | undefined> {
  const parsed = await parseData(source.text, format);
  if ('problem' in parsed) {
    const span = parsed.line === undefined ? undefined : lineSpan(source, parsed.line);
    report(
      importBroken(
        { path: source.name, format: format.toUpperCase(), problem: parsed.problem },
        { span, file: source.name },
      ),
    );
    return undefined;
  }
  return partsOf(read(parsed.data), source, report);
}
