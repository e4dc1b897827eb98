/** The benchmark measures the program independently of the machine's settings. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { measuredEnvironment } from '../../scripts/bench/measure.ts';

const tests = suite('bench');

tests('measured processes get no certificates, Node options, proxies or CI variables', () => {
  const disturbing = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'HTTPS_PROXY', 'http_proxy', 'NO_PROXY', 'CI', 'GITHUB_ACTIONS'];
  const given = Object.fromEntries([...disturbing, 'PATH', 'HOME'].map(name => [name, 'x']));
  assert.equal(measuredEnvironment(given), { PATH: 'x', HOME: 'x' });
});

tests.run();
