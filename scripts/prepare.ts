/** What npm runs after an installation of the repository: generated code, and the program where it is not built yet. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generate, root } from './generate.ts';

// An installation from Git packs what is there then: without dist/ it would have no program.
if (existsSync(join(root, 'dist/prs.cjs'))) await generate();
else {
  const { makeDist } = await import('./build.ts');
  await makeDist();
}
