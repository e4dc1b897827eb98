/** Every page of the catalogue gives a reason, and has a wrong and a right example that behave as stated. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCommands } from '../../src/cli/help.ts';
import { sample } from '../support/depth.ts';
import { type Fence, type Findings, inPairs, isText, readPages, runExample } from './examples.ts';
import { allMessages, messagesFile } from './messages.ts';

/** Codes whose examples are prose, with the reason why they cannot be run. All other examples consist of files and commands. */
const inWords: Readonly<Record<string, string>> = {
  PRS2006: 'a test that runs as root may read everything',
  PRS2009: 'needs a hundred thousand files',
  PRS2102: 'needs a chain of a hundred files',
  PRS2302: 'needs a hundred megabytes of text',
  PRS4014: 'a description of that length hides the example',
  PRS6005: 'depends on the date, and is reported to contributors only',
  PRS6008: 'is reported to contributors only',
  PRS6006: 'depends on the date, and is reported to contributors only',
  PRS6007: 'is reported to contributors only',
  PRS8016: 'needs a full disk',
  PRS8017: 'needs two runs at the same moment',
  PRS8018: 'needs a run that is killed at the right moment',
  PRS8022: 'needs another program that writes at the same moment',
  PRS8023: 'needs a disk that fails half-way',
  PRS8024: 'needs a run that is killed at the right moment',
  PRS8034: 'needs the journal of another user',
  PRS9004: 'needs a registry on the network',
  PRS9007: 'needs a registry on the network',
  PRS9008: 'needs a registry on the network',
  PRS9009: 'needs a registry on the network',
  PRS9010: 'needs a registry on the network',
  PRS9011: 'needs a registry on the network',
  PRS9016: 'needs a registry on the network',
  PRS9017: 'needs a machine without git',
  PRS9018: 'needs a registry on the network',
  PRS9019: 'needs a registry on the network',
  PRS9020: 'needs a registry on the network',
  PRS9023: 'needs a registry on the network',
  PRS9101: 'needs a registry that changes what it has published',
  PRS9480: 'needs an assistant that calls the server',
  PRS9481: 'needs an assistant that calls the server',
  PRS9482: 'needs an assistant that calls the server',
  PRS9710: 'a test that runs as root may read everything',
  PRS9718: 'needs a person who presses Ctrl-C',
};

/** Other codes that a wrong example cannot avoid. */
const alsoWrong: Readonly<Record<string, readonly string[]>> = {
  PRS2210: ['PRS4004'],
  PRS8014: ['PRS2015'],
  PRS8015: ['PRS2015'],
  PRS8027: ['PRS2015'],
  PRS9012: ['PRS4042'],
};

const pages = readPages();
const tests = suite('catalogue');

tests('every page has a reason and both examples', () => {
  const incomplete = pages.filter(
    ({ why, wrong, right }) => why.length < 20 || wrong.length === 0 || right.length === 0,
  );
  assert.equal(incomplete.map(({ code }) => code), []);
});

tests('only examples that cannot be run are prose', () => {
  const found = pages.filter(({ wrong, right }) => isText(wrong) || isText(right)).map(({ code }) => code);
  assert.equal(found, Object.keys(inWords).sort());
});

const commands = new Map((await describeCommands()).map(info => [info.name, info]));

tests('commands of examples exist', () => {
  const unknown = pages.flatMap(({ code, right }) =>
    right
      .filter(({ language, file }) => language === 'sh' && file === undefined)
      .flatMap(({ text }) => [...text.matchAll(/(?:^|&& |[A-Z_]+=\S+ )prs +([a-z-]+)([^&\n]*)/gm)])
      .filter(([, name, rest]) => {
        const known = commands.get(name!)?.options.flatMap(({ names }) => names);
        return !known || [...rest!.matchAll(/ (--?[a-z][a-z-]*)/g)].some(([, option]) => !known.includes(option!));
      })
      .map(([line]) => `${code}: ${line}`),
  );
  assert.equal(unknown, []);
});

interface Example {
  readonly code: string;
  readonly kind: 'wrong' | 'right';
  readonly fences: readonly Fence[];
}

const isScript = (fences: readonly Fence[]) => fences.some(({ language, file }) => language === 'sh' && file === undefined);

/** Examples with commands take almost all of the time, so only a part of their pages is run. */
const pagesToRun = [
  ...pages.filter(({ wrong, right }) => !isScript(wrong) && !isScript(right)),
  ...sample(pages.filter(({ wrong, right }) => isScript(wrong) || isScript(right))),
];

const examples: readonly Example[] = pagesToRun.flatMap(({ code, wrong, right }) =>
  [
    { code, kind: 'wrong' as const, fences: wrong },
    { code, kind: 'right' as const, fences: right },
  ].filter(({ fences }) => !isText(fences)),
);

const results: readonly (Findings | Error)[] = await inPairs(examples, ({ fences }) =>
  runExample(fences).catch((error: Error) => error),
);

examples.forEach(({ code, kind }, index) => {
  tests(`${code} ${kind}`, () => {
    const findings = results[index]!;
    if (findings instanceof Error) throw findings;
    const { all, last, serious } = findings;
    if (kind === 'wrong') assert.ok(all.includes(code), `expected ${code}; reported: ${all.join(', ') || 'nothing'}`);
    else assert.not.ok(last.includes(code), 'the right example must not report the code');
    const expected = kind === 'wrong' ? [code, ...(alsoWrong[code] ?? [])] : [];
    const others = serious.filter(found => !expected.includes(found.code));
    assert.equal(others.map(found => `${found.code} ${found.message}`), []);
  });
});

tests('every exception is still needed', () => {
  assert.equal(Object.keys(alsoWrong).filter(code => !pages.some(page => page.code === code)), []);
  const needless = Object.entries(alsoWrong).flatMap(([code, also]) => {
    if (!pagesToRun.some(page => page.code === code)) return [];
    const index = examples.findIndex(example => example.code === code && example.kind === 'wrong');
    const found = results[index];
    return also.filter(other => !(found && !(found instanceof Error) && found.all.includes(other)));
  });
  assert.equal(needless, []);
});

tests('messages.txt is up to date', () => {
  const text = readFileSync(messagesFile, 'utf8');
  assert.fixture(text, allMessages(), 'run: npx tsx test/diagnostics/messages.ts');
});

tests.run();
