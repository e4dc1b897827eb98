/** No text makes a reader throw: each returns a value, and reports its diagnostics to `report`. */
import { suite } from 'uvu';
import { readers } from '../support/hostile-texts.ts';

const tests = suite('hostile texts');

for (const [name, { read, shapes, size }] of Object.entries(readers))
  tests(name, async () => {
    for (const [shape, make] of Object.entries(shapes))
      for (const factor of [0, 2]) {
        try {
          await read(make(size * factor));
        } catch (error) {
          throw new Error(`${shape}, size ${size * factor}: ${(error as Error).message}`);
        }
      }
  });

tests.run();
