/** `--format sarif` writes a log for viewers and code scanning. */
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sarifReport } from '../../src/cli/report/sarif.ts';
import { pages } from '../../src/generated/pages.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { project, prs, write } from './prs.ts';
import { sarifShape } from './sarif-shape.ts';

const isSarif = new Ajv({ allErrors: true }).compile(sarifShape);

/** Returns the run of a log, after checking the log against the schema. */
function runOf(text: string) {
  assert.ok(isSarif(JSON.parse(text)), JSON.stringify(isSarif.errors, null, 1));
  return JSON.parse(text).runs[0];
}

const facts = { version: '1.0.0', exitCode: 1, folder: '', configuration: 'instr.yaml' };
const entry = '@meta { id: "sample" syntax: "1.5.0" }\n\n@standards {\n  code: ["Small"]\n}\n@standrads { code: ["Late"] }\n';
const files = { 'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\n', '.instr/project.prs': entry };

const tests = suite('SARIF');

tests('a finding has its location and the page of its code', () => {
  const folder = project(files);
  const { status, stdout, stderr } = prs(folder, ['validate', '--format', 'sarif']);
  const [finding] = JSON.parse(prs(folder, ['validate', '--json']).stdout).diagnostics;
  assert.is(status, 0, stderr);
  assert.is(stderr, '');
  const run = runOf(stdout);
  const [result] = run.results;
  assert.is(result.ruleId, finding.code);
  assert.is(result.level, 'warning');
  assert.is(result.message.text, `${finding.message}\nhelp: ${finding.hint}`);
  assert.equal(result.locations[0].physicalLocation, {
    artifactLocation: { uri: '.instr/project.prs', uriBaseId: '%SRCROOT%' },
    region: { startLine: 6, startColumn: finding.column, endLine: 6, endColumn: finding.endColumn },
  });
  const rule = run.tool.driver.rules[result.ruleIndex];
  assert.is(rule.id, finding.code);
  assert.ok(rule.help.markdown.includes(pages[finding.code]!.page));
  assert.not.match(rule.shortDescription.text, /[{}]/);
  write(folder, '.instr/project.prs', entry.replace('standrads', 'standards'));
  const mended = prs(folder, ['validate', '--format', 'sarif']);
  assert.equal(runOf(mended.stdout).results, [], 'a log without findings closes the alerts');
});

tests('exit codes match other formats and are recorded in the log', () => {
  const folder = project(files);
  const strict = prs(folder, ['validate', '--strict', '--quiet', '--format', 'sarif']);
  assert.is(strict.status, 1);
  assert.equal(runOf(strict.stdout).invocations, [{ executionSuccessful: true, exitCode: 1 }]);
  const none = prs(project({}), ['validate', '--format', 'sarif']);
  assert.is(none.status, 2);
  const run = runOf(none.stdout);
  assert.equal(run.invocations, [{ executionSuccessful: false, exitCode: 2 }]);
  assert.equal(run.results[0].locations[0].physicalLocation.region, { startLine: 1 });
});

tests('paths are relative to the repository root, whatever the working directory', () => {
  const folder = project({ 'my docs/instr.yaml': files['instr.yaml'], 'my docs/.instr/project.prs': entry, 'my docs/src/x': '' });
  const onGitHub = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder };
  const { stdout, stderr } = prs(`${folder}/my docs/src`, ['validate', '--format', 'sarif'], onGitHub);
  assert.is(runOf(stdout).results[0].locations[0].physicalLocation.artifactLocation.uri, 'my%20docs/.instr/project.prs');
  assert.is(stderr, '', 'no annotations may be printed');
  const annotated = prs(`${folder}/my docs/src`, ['validate', '--format', 'github'], onGitHub);
  assert.match(annotated.stderr, /^::warning file=my docs\/\.instr\/project\.prs,line=6/);
});

tests('rejects sarif together with --json, and for commands that have their own result', () => {
  const folder = project(files);
  const both = prs(folder, ['validate', '--json', '--format', 'sarif']);
  assert.is(both.status, 2);
  const compile = prs(folder, ['compile', '--dry-run', '--format', 'sarif']);
  assert.is(compile.status, 2);
  assert.match(compile.stderr, /It takes text or github/);
  assert.match(prs(folder, ['validate', '--format', 'html']).stderr, /It takes text, github or sarif/);
});

tests('the log is valid and has no secrets, whatever a finding contains', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const source = { name: 'C:/x y/ä.prs', text: 'one\ntwo\n' };
  const span = { source, start: 4, end: 4 };
  const found: Diagnostic[] = [
    { code: 'PRS1001', severity: 'error', message: 'whole' },
    { code: 'PRS1002', severity: 'info', message: `see [a](b) and ${secret}`, file: '@acme/base:1/x.prs', rule: 'r', target: 't' },
    { code: 'PRS1001', severity: 'warning', message: 'm', span, related: [{ message: 'n', span }], fixes: [
      { title: 'Put it in', edits: [{ span, text: 'x' }, { span: { source, start: 0, end: 3 }, text: '' }] },
      { title: 'Show it', edits: [{ span, text: secret }] },
    ] },
  ];
  const text = JSON.stringify(sarifReport(found, { ...facts, folder: 'sub' }));
  const { results, tool } = runOf(text);
  assert.not.match(text, secret);
  assert.equal(tool.driver.rules.map(({ id }: { id: string }) => id), ['PRS1001', 'PRS1002']);
  assert.equal(results.map(({ ruleIndex }: { ruleIndex: number }) => ruleIndex), [0, 1, 0]);
  const placeOf = (at: number) => results[at].locations[0].physicalLocation.artifactLocation;
  assert.equal(placeOf(0), { uri: 'sub/instr.yaml', uriBaseId: '%SRCROOT%' });
  assert.equal(placeOf(1), { uri: 'sub/%40acme/base%3A1/x.prs', uriBaseId: '%SRCROOT%' });
  assert.equal(placeOf(2), { uri: 'file:///C%3A/x%20y/%C3%A4.prs' });
  assert.is(results[1].level, 'note');
  assert.match(results[1].message.text, 'see \\[a](b) and ');
  assert.equal(results[1].properties, { rule: 'r', target: 't' });
});

tests('every page of the catalogue gives a rule', () => {
  const found = Object.keys(pages).map((code): Diagnostic => ({ code, severity: 'error', message: 'm' }));
  assert.is(runOf(JSON.stringify(sarifReport(found, facts))).tool.driver.rules.length, found.length);
});

tests.run();
