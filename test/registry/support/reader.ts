/** A process of its own that reads one file from an alias: `reader.ts <url> <cache>`; prints its text and codes. */
import { run } from './setup.ts';

const [url, cacheDir, start] = process.argv.slice(2) as [string, string, string];
await new Promise(done => setTimeout(done, Number(start) - Date.now()));
const { read, codes } = run({ registries: { '@acme': url } }, { cacheDir });
const text = await read('@acme/base');
process.stdout.write(JSON.stringify([text, codes()]));
