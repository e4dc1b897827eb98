/** HTTP servers for tests, with and without certificates. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface Web {
  readonly origin: string;
  /** All requests so far: method, path and relevant headers. */
  readonly requests: readonly {
    readonly url: string;
    readonly authorization: string | undefined;
    readonly etag: string | undefined;
  }[];
  readonly close: () => Promise<void>;
}

/** A key and a certificate for 127.0.0.1. `path` is the file of the certificate. */
export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly path: string;
}

/** Creates a certificate with `openssl`. Returns `undefined` if it is not installed. */
export function makeCertificate(directory: string): Certificate | undefined {
  const [key, path] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  args.push('-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', path);
  const { error, status } = spawnSync('openssl', args, { stdio: 'ignore' });
  return error || status !== 0 ? undefined : { key: readFileSync(key), cert: readFileSync(path), path };
}

/** Starts a web server on loopback that answers with `listener`. Uses TLS if there is a certificate. */
export async function serve(listener: RequestListener, certificate?: Certificate): Promise<Web> {
  const requests: Web['requests'][number][] = [];
  const answer: RequestListener = (request, response) => {
    const { authorization, 'if-none-match': etag } = request.headers;
    requests.push({ url: request.url!, authorization, etag });
    listener(request, response);
  };
  const server: Server = certificate ? createSecureServer(certificate, answer) : createServer(answer);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Serves the repositories below a folder with git's own server program. `allow` may refuse a request. */
export function gitOverHttp(root: string, allow: (request: IncomingMessage, response: ServerResponse) => boolean): RequestListener {
  return (request, response) => {
    if (!allow(request, response)) return;
    const [path, query = ''] = request.url!.split('?');
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(path!),
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_ADDR: '127.0.0.1',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(backend.stdin);
    backend.stdin.on('error', () => {});
    let head = Buffer.alloc(0);
    let started = false;
    backend.stdout.on('data', (chunk: Buffer) => {
      if (started) {
        response.write(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      started = true;
      for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
        const [name, value] = line.split(/:\s*/, 2) as [string, string];
        if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.write(head.subarray(end + 4));
    });
    backend.stdout.on('end', () => response.end());
  };
}

/** Accepts only requests whose password is `token`. */
export const withToken =
  (token: string) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
    if (Buffer.from(encoded, 'base64').toString().split(':')[1] === token) return true;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return false;
  };
