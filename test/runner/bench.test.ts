/** What the bench measures is the program, not the machine it happens to run on. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { measuredEnvironment } from '../../scripts/bench/measure.ts';

const tests = suite('bench');

tests('measured processes see no certificates, options of Node, proxies or CI', () => {
  const disturbing = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'HTTPS_PROXY', 'http_proxy', 'NO_PROXY', 'CI', 'GITHUB_ACTIONS'];
  const given = Object.fromEntries([...disturbing, 'PATH', 'HOME'].map(name => [name, 'x']));
  assert.equal(measuredEnvironment(given), { PATH: 'x', HOME: 'x' });
});

tests.run();
