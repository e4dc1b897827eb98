/** The npm `prepare` script: generates code, and builds the program if dist/ is missing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generate, root } from './generate.ts';

// An installation from Git packs the files after this script, so dist/ must exist.
if (existsSync(join(root, 'dist/prs.cjs'))) await generate();
else {
  const { makeDist } = await import('./build.ts');
  await makeDist();
}
