/**
 * Compiles one generation into a directory, or undoes the last run, and kills itself at a given disk operation: before
 * it, or after half of the bytes of a write. Arguments: directory; a generation, `force` and a generation, or `undo`;
 * number of the operation (0: never); `half`.
 */
import { nodeDisk } from '../../../src/host/disk.ts';
import type { WritableDisk } from '../../../src/host/host.ts';
import { undoLastRun } from '../../../src/project/write/undo.ts';
import { writeOutputs } from '../../../src/project/write/write.ts';
import { generation } from './generations.ts';

const [root, work, killAt, how] = process.argv.slice(2);
const changing = new Set<PropertyKey>([
  'makeDirectory',
  'writeBytes',
  'sync',
  'rename',
  'makeLink',
  'setMode',
  'removeFile',
  'removeEmptyDirectory',
  'removeTree',
]);
let operations = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const disk = new Proxy(nodeDisk, {
  get(target, name: keyof WritableDisk) {
    const original = target[name] as (...args: unknown[]) => unknown;
    if (!changing.has(name)) return original;
    return (...args: unknown[]) => {
      operations++;
      if (operations === Number(killAt)) {
        if (how === 'half' && name === 'writeBytes') {
          const bytes = args[1] as Uint8Array;
          nodeDisk.writeBytes(args[0] as string, bytes.subarray(0, bytes.length >> 1));
        }
        die();
      }
      return original(...args);
    };
  },
});

const common = { root: root!, disk, clock: () => new Date(), force: work!.startsWith('force') };
const report = (found: { code: string; message: string }) => console.error(`${found.code} ${found.message}`);
const files = () => generation(Number(work!.replace('force', '')));
const outcome =
  work === 'undo' ? await undoLastRun(common, report) : await writeOutputs({ ...common, files: files() }, report);
console.log(JSON.stringify({ ok: outcome.ok, operations }));
process.exitCode = outcome.ok ? 0 : 1;
