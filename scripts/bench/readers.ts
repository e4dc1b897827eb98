/**
 * Measures each reader on hostile text that is doubled three times: `npm run bench -- readers [name …]`. A linear reader
 * takes twice the time for twice the text. `!` marks readers whose last doubling took more than three times as long.
 */
import { readers } from '../../test/support/hostile-texts.ts';

/** Measures the readers with the given names, or all. */
export async function measureReaders(names: readonly string[]): Promise<void> {
  for (const [name, { read, shapes, size }] of Object.entries(readers)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const [shape, make] of Object.entries(shapes)) {
      const times: number[] = [];
      await read(make(Math.ceil(size / 4)));
      for (const factor of [1, 2, 4, 8]) {
        const text = make(size * factor);
        const begin = performance.now();
        await read(text);
        times.push(performance.now() - begin);
        if (times.at(-1)! > 20_000) break;
      }
      const last = times.at(-1)! / times.at(-2)!;
      const mark = times.at(-1)! > 20 && last > 3 ? '!' : ' ';
      const row = times.map(time => time.toFixed(1).padStart(9)).join('');
      console.log(`${mark} ${name.padEnd(13)}${shape.padEnd(20)}${row} ms  × ${last.toFixed(1)}`);
    }
  }
}
