/**
 * Reads one file in a separate process: `reader.ts <url> <cache> <start> [token]`. Prints its text and the diagnostic
 * codes.
 */
import { run } from './setup.ts';

const [url, cacheDir, start, token] = process.argv.slice(2) as [string, string, string, string?];
await new Promise(done => setTimeout(done, Number(start) - Date.now()));
const config = token
  ? { registry: { git: { url, auth: { type: 'token' as const, tokenEnvVar: token } } } }
  : { registries: { '@acme': url } };
const { read, codes } = run(config, { cacheDir });
const text = await read('@acme/base');
process.stdout.write(JSON.stringify([text, codes()]));
