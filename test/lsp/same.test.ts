/** The language server reports the same diagnostics as `prs validate`, for every project of the tests. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Diagnostic } from 'vscode-languageserver';
import type { Diagnostic as JsonDiagnostic } from '../../src/generated/types/report.ts';
import { project, prs } from '../cli/prs.ts';
import { root } from '../support/compile.ts';
import { sample } from '../support/depth.ts';
import { connect } from './client.ts';

const projects = ['compile', 'config', 'policy', 'projects'].flatMap(area =>
  readdirSync(join(root, 'test', area), { recursive: true, encoding: 'utf8' })
    .filter(path => /(?:^|[\\/])instr\.ya?ml$/.test(path))
    .map(path => join(root, 'test', area, path)),
);

const severities = { error: 1, warning: 2, info: 3 } as const;

/** A diagnostic of a report in the form that editors receive. */
const asTold = ({ code, severity, message, hint, line = 1, column = 1, endLine = 1, endColumn = 1 }: JsonDiagnostic) =>
  JSON.stringify([
    code,
    severities[severity],
    hint === undefined ? message : `${message}\n${hint}`,
    [line - 1, column - 1, endLine - 1, endColumn - 1],
  ]);

const said = ({ code, severity, message, range: { start, end } }: Diagnostic) =>
  JSON.stringify([code, severity, message, [start.line, start.character, end.line, end.character]]);

const tests = suite('server and command line');
/** One server for all projects, as in an editor that stays open. */
const base = project({});
const client = await connect(base);
// Waiting for diagnostics does not keep the process alive.
const waiting = setInterval(() => {}, 1000);
tests.after(async () => {
  clearInterval(waiting);
  await client.end();
});

tests('there are many projects', () => assert.ok(projects.length > 60, `${projects.length}`));

for (const [number, configuration] of sample(projects).entries()) {
  const name = relative(join(root, 'test'), dirname(configuration));
  tests(name, async () => {
    const below = `project-${number}`;
    const folder = join(base, below);
    cpSync(dirname(configuration), folder, { recursive: true });
    const file = relative(dirname(configuration), configuration);
    const { stdout } = prs(folder, ['validate', '--json']);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: JsonDiagnostic[] };
    client.open(`${below}/${file}`);
    // Adds a line at the end and removes it again, so that cached state of the edit would show.
    client.change(`${below}/${file}`, '# \n');
    client.change(`${below}/${file}`, readFileSync(join(folder, file), 'utf8'));
    const wanted = diagnostics.map(asTold).sort();
    const own = client.uri(`${below}/`);
    const found = () => [...client.told].flatMap(([uri, told]) => (uri.startsWith(own) ? told.map(said) : [])).sort();
    for (const end = Date.now() + 60_000; JSON.stringify(found()) !== JSON.stringify(wanted) && Date.now() < end; )
      await new Promise(resolve => setTimeout(resolve, 20));
    assert.equal(found(), wanted);
    client.close(`${below}/${file}`);
  });
}

tests.run();
