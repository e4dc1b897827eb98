import type { RequestListener } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redirectTarget } from '../../src/registry/http.ts';
import { megabyte } from '../../src/text/sizes.ts';
import { everyFile, folder, limits, run } from './support/setup.ts';
import { makeCertificate, serve, type Web } from './support/web.ts';

const test = suite('http registry');

/** Runs a test with a server that is closed at the end of the test. */
function withServer(name: string, listener: RequestListener, body: (web: Web) => Promise<void>): void {
  test(name, async () => {
    const web = await serve(listener);
    try {
      await body(web);
    } finally {
      await web.close();
    }
  });
}

const files: Readonly<Record<string, string>> = {
  '/r/@org/base.prs': 'base',
  '/r/@org/base@1.2.0.prs': 'base 1.2.0',
  '/r/@org/a%20b%3F%23%25.prs': 'escaped',
};

const plain: RequestListener = (request, response) => {
  const text = files[request.url!];
  if (text === undefined) response.writeHead(404).end('no');
  else response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
};

withServer('reads plain files, also by version', plain, async ({ origin }) => {
  const { read, locate, codes } = run({ registry: { url: `${origin}/r/` } });
  assert.is(await read('@org/base'), 'base');
  assert.is(await read('@org/base', '1.2.0'), 'base 1.2.0');
  assert.is(await read('@org/a b?#%'), 'escaped');
  assert.is(await read('@org/none'), undefined);
  const found = await locate('@org/base', '1.2.0');
  assert.equal(found!.layer, { reference: '@org/base', remote: true, registry: `${origin}/r/`, version: '1.2.0' });
  assert.is(await found!.tree.list('@org'), undefined);
  assert.is(await found!.tree.read('../x'), undefined);
  assert.equal(codes(), []);
});

const tagged: RequestListener = (request, response) => {
  if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
  else response.writeHead(200, { etag: '"one"' }).end('tagged');
};

withServer('revalidates after the ttl, with the entity tag', tagged, async ({ origin, requests }) => {
  let time = 1_000_000;
  const cacheDir = folder();
  const read = () => run({ registry: { url: origin, cache: { ttl: 1000 } } }, { cacheDir, clock: () => new Date(time) }).read('@org/a');
  assert.is(await read(), 'tagged');
  time += 999;
  assert.is(await read(), 'tagged');
  assert.is(requests.length, 1);
  time += 1;
  assert.is(await read(), 'tagged');
  assert.equal(requests.map(({ etag }) => etag), [undefined, '"one"']);
  time += 999;
  assert.is(await read(), 'tagged');
  assert.is(requests.length, 2);
});

withServer('without a cache sends requests in every run, and stores nothing', plain, async ({ origin, requests }) => {
  const cacheDir = folder();
  const config = { registry: { url: `${origin}/r`, cache: { enabled: false } } };
  assert.is(await run(config, { cacheDir }).read('@org/base'), 'base');
  assert.is(await run(config, { cacheDir }).read('@org/base'), 'base');
  assert.is(requests.length, 2);
  assert.equal(everyFile(cacheDir), []);
});

test('uses a stale copy with a warning when the server is unreachable, and reports an error without one', async () => {
  const web = await serve(plain);
  const cacheDir = folder();
  const config = { registry: { url: `${web.origin}/r`, cache: { ttl: 0 } } };
  assert.is(await run(config, { cacheDir }).read('@org/base'), 'base');
  await web.close();
  const second = run(config, { cacheDir });
  assert.is(await second.read('@org/base'), 'base');
  assert.equal(second.codes(), ['PRS9009']);
  assert.is(await second.read('@org/other'), undefined);
  assert.equal(second.codes(), ['PRS9009', 'PRS9008']);
});

withServer('repairs a corrupt cache', plain, async ({ origin }) => {
  const { writeFileSync, truncateSync } = await import('node:fs');
  const cacheDir = folder();
  const config = { registry: { url: `${origin}/r` } };
  const damages: ((path: string, text: string) => void)[] = [
    path => writeFileSync(path, ''),
    (path, text) => truncateSync(path, text.length - 1),
    path => truncateSync(path, 40),
    (path, text) => writeFileSync(path, text.replace(/base$/, 'evil')),
    (path, text) => writeFileSync(path, text.replace('"size":4', '"size":3')),
  ];
  for (const damage of damages) {
    assert.is(await run(config, { cacheDir }).read('@org/base'), 'base');
    for (const { path, text } of everyFile(cacheDir)) damage(path, text);
    const healed = run(config, { cacheDir });
    assert.is(await healed.read('@org/base'), 'base');
    assert.equal(healed.codes(), []);
  }
});

const guarded: RequestListener = (request, response) => {
  const expected = request.url!.startsWith('/basic') ? `Basic ${btoa('user:s3cret-pass')}` : 'Bearer s3cret-token';
  if (request.headers.authorization === expected) response.end('guarded');
  else response.writeHead(401).end();
};

withServer('sends bearer and basic credentials; the variable takes precedence over the literal', guarded, async ({ origin }) => {
  const environment = { TOKEN: 's3cret-token', PAIR: 'user:s3cret-pass' };
  const bearer = { type: 'bearer', token: 'wrong', tokenEnvVar: 'TOKEN' } as const;
  assert.is(await run({ registry: { url: origin, auth: bearer } }, { environment }).read('@a/b'), 'guarded');
  const basic = { type: 'basic', tokenEnvVar: 'PAIR' } as const;
  assert.is(await run({ registry: { url: `${origin}/basic`, auth: basic } }, { environment }).read('@a/b'), 'guarded');
  const literal = { type: 'bearer', token: 's3cret-token', tokenEnvVar: 'UNSET' } as const;
  assert.is(await run({ registry: { url: origin, auth: literal } }, { environment }).read('@a/b'), 'guarded');
});

withServer('reports refused access without the credentials', guarded, async ({ origin }) => {
  const cacheDir = folder();
  const auth = { type: 'bearer', token: 'wr0ng-token' } as const;
  const wrong = run({ registry: { url: origin, auth } }, { cacheDir });
  assert.is(await wrong.read('@a/b'), undefined);
  assert.equal(wrong.codes(), ['PRS9004']);
  assert.not.match(wrong.text() + wrong.progress.join(), 'wr0ng-token');
  const unset = run({ registry: { url: origin, auth: { type: 'bearer', tokenEnvVar: 'UNSET_TOKEN' } } }, { environment: {} });
  assert.is(await unset.read('@a/b'), undefined);
  assert.equal(unset.codes(), ['PRS9020', 'PRS9004']);
  assert.match(unset.text(), 'UNSET_TOKEN');
  const inUrl = run({ registry: { url: origin.replace('//', '//user:pa55word@') } }, { cacheDir });
  assert.is(await inUrl.read('@a/b'), undefined);
  assert.not.match(inUrl.text() + inUrl.progress.join(), 'pa55word');
  for (const { path, text } of everyFile(cacheDir)) assert.not.match(text, /wr0ng-token|pa55word/, path);
});

withServer('the cache and the used entries contain no credentials', guarded, async ({ origin }) => {
  const { registries, read, cacheDir } = run({ registry: { url: origin, auth: { type: 'bearer', token: 's3cret-token' } } });
  assert.is(await read('@a/b'), 'guarded');
  assert.not.match(JSON.stringify(registries.used()), 's3cret');
  for (const { path, text } of everyFile(cacheDir)) assert.not.match(text, 's3cret-token', path);
});

test('does not send credentials to another origin after a redirect', async () => {
  const other = await serve(plain);
  const web = await serve((request, response) => {
    if (request.url === '/r/@org/base.prs') response.writeHead(302, { location: '/moved/base.prs' }).end();
    else if (request.url === '/r/@org/away.prs') {
      response.writeHead(307, { location: `${other.origin.replace('//', '//u:p@')}/r/@org/base.prs` }).end();
    } else response.end('moved');
  });
  try {
    const auth = { type: 'bearer', token: 's3cret-token' } as const;
    const { read, codes } = run({ registry: { url: `${web.origin}/r`, auth } });
    assert.is(await read('@org/base'), 'moved');
    assert.equal(web.requests.map(({ authorization }) => authorization), ['Bearer s3cret-token', 'Bearer s3cret-token']);
    assert.is(await read('@org/away'), 'base');
    assert.equal(other.requests.map(({ authorization }) => authorization), [undefined]);
    assert.equal(codes(), []);
  } finally {
    await web.close();
    await other.close();
  }
});

withServer(
  'refuses redirects to other protocols, redirect loops and redirects without a target',
  (request, response) => {
    const location = { '/ftp.prs': 'ftp://example.com/a', '/file.prs': 'file:///etc/hostname', '/loop.prs': '/loop.prs' }[request.url!.replace('/@a', '')];
    response.writeHead(302, location === undefined ? {} : { location }).end();
  },
  async ({ origin, requests }) => {
    const { read, codes } = run({ registry: { url: origin } });
    for (const name of ['ftp', 'file', 'loop', 'nowhere']) assert.is(await read(`@a/${name}`), undefined);
    assert.equal(codes(), ['PRS9019', 'PRS9019', 'PRS9019', 'PRS9019']);
    assert.is(requests.length, 9);
  },
);

const certificate = makeCertificate(folder());
if (!certificate && !process.env.CI) test.skip('skipped: openssl is not installed', () => {});
else {
  test('refuses a redirect from https to plain http', async () => {
    assert.ok(certificate, 'openssl, which this test needs');
    const web = await serve(plain);
    const secure = await serve((request, response) => {
      response.writeHead(302, { location: web.origin + request.url! }).end();
    }, certificate);
    // The certificate of this server is self-signed. The test is about the target of the redirect.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const { read, codes } = run({ registry: { url: `${secure.origin}/r` } });
      assert.is(await read('@org/base'), undefined);
      assert.equal(codes(), ['PRS9019']);
      assert.is(web.requests.length, 0);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      await secure.close();
      await web.close();
    }
  });
}

test('does not send credentials over plain http, except to this machine', async () => {
  const auth = { type: 'bearer', token: 's3cret-token' } as const;
  const { read, codes, text } = run({ registry: { url: 'http://registry.example.invalid', auth } });
  assert.is(await read('@a/b'), undefined);
  assert.equal(codes(), ['PRS9012']);
  assert.not.match(text(), 's3cret-token');
});

/** Fails `failures` times for each path, then serves it. */
function busy(failures: number, status: number, headers: Record<string, string> = {}): RequestListener {
  let count = 0;
  return (_request, response) => {
    count += 1;
    if (count <= failures) response.writeHead(status, headers).end();
    else response.end('at last');
  };
}

withServer('retries three times while the server is busy', busy(3, 503), async ({ origin, requests }) => {
  const { read, codes } = run({ registry: { url: origin } });
  assert.is(await read('@a/b'), 'at last');
  assert.is(requests.length, 4);
  assert.equal(codes(), []);
});

withServer('gives up after the fourth attempt', busy(4, 500), async ({ origin, requests }) => {
  const { read, codes, text } = run({ registry: { url: origin } });
  assert.is(await read('@a/b'), undefined);
  assert.is(requests.length, 4);
  assert.equal(codes(), ['PRS9008']);
  assert.match(text(), 'status 500 4 times');
});

withServer('waits as long as the server requests', busy(1, 429, { 'retry-after': '1' }), async ({ origin }) => {
  const before = Date.now();
  assert.is(await run({ registry: { url: origin } }).read('@a/b'), 'at last');
  assert.ok(Date.now() - before >= 990);
});

withServer('does not wait longer than its limit', busy(1, 429, { 'retry-after': '3600' }), async ({ origin, requests }) => {
  const { read, codes } = run({ registry: { url: origin } });
  assert.is(await read('@a/b'), undefined);
  assert.is(requests.length, 1);
  assert.equal(codes(), ['PRS9008']);
});

withServer(
  'accepts a date to wait for',
  busy(1, 503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
  async ({ origin, requests }) => {
    const { read } = run({ registry: { url: origin } });
    assert.is(await read('@a/b'), undefined);
    assert.is(requests.length, 1);
  },
);

withServer('stops waiting for a server that never answers', () => {}, async ({ origin }) => {
  const { read, codes } = run({ registry: { url: origin } }, { limits: { ...limits, request: 150 } });
  assert.is(await read('@a/b'), undefined);
  assert.equal(codes(), ['PRS9007']);
});

withServer(
  'stops reading a body that never ends',
  (_request, response) => {
    response.write('begin');
  },
  async ({ origin }) => {
    const { read, codes } = run({ registry: { url: origin } }, { limits: { ...limits, request: 150 } });
    assert.is(await read('@a/b'), undefined);
    assert.equal(codes(), ['PRS9007']);
  },
);

withServer(
  'refuses a truncated body',
  (request, response) => {
    if (request.url === '/@a/length.prs') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
    } else response.writeHead(200, { 'transfer-encoding': 'chunked' }).write('half');
    setTimeout(() => response.socket?.destroy(), 20);
  },
  async ({ origin }) => {
    const { read, codes, cacheDir } = run({ registry: { url: origin } });
    assert.is(await read('@a/length'), undefined);
    assert.is(await read('@a/chunked'), undefined);
    assert.equal(codes(), ['PRS9018', 'PRS9018']);
    assert.equal(everyFile(cacheDir), []);
  },
);

withServer(
  'refuses answers that are not plain files',
  (request, response) => {
    if (request.url === '/@a/page.prs') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else if (request.url === '/@a/zip.prs') response.writeHead(200, { 'content-encoding': 'gzip' }).end('xx');
    else response.writeHead(418).end();
  },
  async ({ origin }) => {
    const { read, codes } = run({ registry: { url: origin } });
    for (const name of ['page', 'zip', 'teapot']) assert.is(await read(`@a/${name}`), undefined);
    assert.equal(codes(), ['PRS9018', 'PRS9018', 'PRS9018']);
  },
);

withServer(
  'does not read a file over the size limit to its end',
  (request, response) => {
    if (request.url === '/@a/announced.prs') response.writeHead(200, { 'content-length': String(5 * megabyte + 1) });
    let written = 0;
    const more = (): void => {
      while (written < 50_000_000 && !response.destroyed) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) {
          response.once('drain', more);
          return;
        }
      }
    };
    if (request.url === '/@a/announced.prs') response.write('x');
    else more();
  },
  async ({ origin }) => {
    const { read, codes, text } = run({ registry: { url: origin } });
    assert.is(await read('@a/announced'), undefined);
    assert.is(await read('@a/endless'), undefined);
    assert.equal(codes(), ['PRS9018', 'PRS9018']);
    assert.match(text(), '5 MB');
  },
);

withServer(
  'reads a file of exactly the size limit',
  (_request, response) => response.end('x'.repeat(5 * megabyte)),
  async ({ origin }) => {
    assert.is((await run({ registry: { url: origin } }).read('@a/b'))?.length, 5 * megabyte);
  },
);

test('contacts an unreachable server once, and reports it once', async () => {
  const web = await serve(() => {});
  const { read, codes } = run({ registry: { url: web.origin } }, { limits: { ...limits, request: 100 } });
  try {
    for (const name of ['a', 'b', 'c']) assert.is(await read(`@a/${name}`), undefined);
    assert.equal(codes(), ['PRS9007']);
    assert.is(web.requests.length, 1);
  } finally {
    await web.close();
  }
});

withServer('a file that the server cannot deliver does not stop the others', (request, response) => {
  if (request.url === '/@a/broken.prs') response.writeHead(500).end();
  else response.end('fine');
}, async ({ origin }) => {
  const { read, codes } = run({ registry: { url: origin } });
  assert.is(await read('@a/broken'), undefined);
  assert.is(await read('@a/good'), 'fine');
  assert.equal(codes(), ['PRS9008']);
});

test('requires a web URL for an HTTP registry', async () => {
  for (const url of ['git@example.com:a/b', 'file:///tmp', 'javascript:alert(1)', '-x']) {
    const { read, codes } = run({ registry: { url } });
    assert.is(await read('@a/b'), undefined);
    assert.equal(codes(), ['PRS9003'], url);
  }
});

test('refuses a redirect from a remote server to this machine', () => {
  const leads = (from: string, to: string) => 'url' in redirectTarget(from, to);
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '2130706433', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]']) {
    assert.not(leads('https://registry.example/a.prs', `https://${host}/a.prs`), host);
    assert.ok(leads('http://127.0.0.1:8080/a.prs', `http://${host}/a.prs`), host);
  }
  assert.ok(leads('https://registry.example/a.prs', 'https://files.example/a.prs'));
  assert.ok(leads('https://registry.example/a.prs', '/b.prs'));
});

test.run();
