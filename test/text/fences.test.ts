/** Code fences in Markdown: where they open and close. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closesFence, fenceAround, fencedLines, openingFence } from '../../src/text/fences.ts';
import { findFrontMatter } from '../../src/text/front-matter.ts';

const tests = suite('fences');

tests('a fence ends at its closing mark', () => {
  const fenced = (text: string, reach?: 'margin' | 'inside') =>
    fencedLines(text.split('\n'), reach).map(is => (is ? '#' : '.')).join('');
  assert.is(fenced('a\n```ts\nb\n```\nc'), '.###.');
  assert.is(fenced('````\n```\n````\nc'), '###.');
  assert.is(fenced('~~~\n```\n~~~\nc'), '###.');
  assert.is(fenced('```\n    ```\n```\nc'), '###.', 'four blanks make it a line of the code');
  assert.is(fenced('```\n``` ts\n```\nc'), '###.', 'a mark followed by words is not a closing mark');
  assert.is(fenced('```\nopen'), '##');
  assert.is(fenced('```a` is code```\nb'), '..', 'inline code');
  assert.is(fenced('- x\n\n      ```\n      # no\n      ```\nb', 'margin'), '......');
  assert.is(fenced('- x\n\n      ```\n      # no\n      ```\nb', 'inside'), '..###.');
  assert.is(fenced('> - ```\n> # no\n> ```\nb', 'inside'), '###.');
});

tests('opening and closing marks', () => {
  assert.is(openingFence('   ~~~~ sh'), '~~~~');
  assert.is(openingFence('    ```'), undefined);
  assert.is(openingFence('1. ```', 'inside'), '```');
  assert.ok(closesFence('`````  ', '```'));
  assert.not.ok(closesFence('~~~', '```'));
});

tests('a mark around a text is longer than any run in it', () => {
  assert.is(fenceAround('plain'), '```');
  assert.is(fenceAround('a ```` b'), '`````');
  assert.is(fenceAround('a ``` b', '~~~'), '~~~');
  assert.is(fenceAround('~~~', '~~~'), '~~~~');
});

tests('front matter is between the first line and the next mark', () => {
  const parts = (text: string) => {
    const found = findFrontMatter(text);
    return found && [text.slice(found.start, found.end), text.slice(found.bodyStart)];
  };
  assert.equal(parts('---\na: b\n---\nText'), ['a: b\n', 'Text']);
  assert.equal(parts('---\r\na: b\r\n... \r\nText'), ['a: b\r\n', 'Text']);
  assert.equal(parts('---\ra: b\r---\rText'), ['a: b\r', 'Text']);
  assert.equal(parts('---\n---'), ['', '']);
  assert.is(parts('---\na: b\n ---\n'), undefined);
  assert.is(parts('text\n---\n---\n'), undefined);
  assert.is(parts('--- x\n---\n'), undefined);
});

tests.run();
