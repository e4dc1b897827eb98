import type { Fault } from './fault.ts';
import { plain } from './merge-stanza.ts';

/** What a tool loads: `first` and `all` hold its main files, and say which of them count. */
export function expandReads(written: unknown, fault: Fault): unknown {
  const reads = plain(written);
  if (!reads) return written;
  const { first, all, ...more } = reads;
  if ((first === undefined) === (all === undefined))
    fault(
      ['reads'],
      'the main files stand under one of `first` and `all`',
      'Name them under `first` where the first that exists wins, under `all` where every one is loaded.',
    );
  return { mode: first === undefined ? 'all' : 'first', files: first ?? all, ...more };
}
