import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpGet } from '../../src/host/download.ts';
import { serve } from './support/web.ts';

const test = suite('proxies');

const get = (url: string) => httpGet({ url, headers: {}, limit: 10_000, size: 1000 });

/** Runs with these environment variables. */
async function withVariables(variables: Readonly<Record<string, string>>, run: () => Promise<void>): Promise<void> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap(name => [name, name.toLowerCase()]);
  const before = names.map(name => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  Object.assign(process.env, variables);
  try {
    await run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

test('sends plain http requests through the proxy', async () => {
  const proxy = await serve((_, response) => response.end('through the proxy'));
  await withVariables({ http_proxy: proxy.origin }, async () => {
    const result = await get('http://registry.invalid/base.prs');
    assert.is('body' in result && Buffer.from(result.body).toString(), 'through the proxy');
    assert.equal(proxy.requests.map(({ url }) => url), ['http://registry.invalid/base.prs']);
  });
  await proxy.close();
});

test('opens a tunnel for https', async () => {
  const { createServer } = await import('node:http');
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url!);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>(done => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as { port: number };
  await withVariables({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, async () => {
    await get('https://registry.invalid/base.prs');
    assert.equal(asked, ['registry.invalid:443']);
  });
  proxy.close();
});

test('reports an invalid proxy URL', async () => {
  await withVariables({ HTTP_PROXY: 'http://user:secret@[' }, async () => {
    const result = await get('http://registry.invalid/base.prs');
    assert.is('failure' in result && result.failure.kind, 'network');
    assert.not.match(JSON.stringify(result), 'secret');
  });
});

test('bypasses the proxy for NO_PROXY and this machine', async () => {
  const proxy = await serve((_, response) => response.end('proxy'));
  const web = await serve((_, response) => response.end('direct'));
  await withVariables({ HTTP_PROXY: proxy.origin, NO_PROXY: '.invalid' }, async () => {
    const refused = await get('http://registry.invalid/base.prs');
    assert.is('failure' in refused && refused.failure.kind, 'network');
    const direct = await get(`${web.origin}/base.prs`);
    assert.is('body' in direct && Buffer.from(direct.body).toString(), 'direct');
    assert.equal(proxy.requests, []);
  });
  await Promise.all([proxy.close(), web.close()]);
});

test.run();
