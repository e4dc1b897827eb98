/** A hook of the canary project: notes its word. */
import { appendFileSync } from 'node:fs';

appendFileSync(new URL('../../hooks.log', import.meta.url), `${process.argv[2]}\n`);
