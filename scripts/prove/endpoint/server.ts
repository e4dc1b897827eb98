/** A model endpoint on the loopback interface that implements the APIs of the vendors and records all requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../src/text/data.ts';
import { anthropic } from './anthropic.ts';
import { augment } from './augment.ts';
import { gemini } from './gemini.ts';
import type { Model } from './model.ts';
import { chat, responses } from './openai.ts';
import { type Asked, type Json, json, type Reply } from './protocol.ts';

const protocols = [anthropic, responses, chat, gemini, augment];

/** A canned answer to a request that is not for a model, from a file in `targets/proof/`. */
export interface Canned {
  /** A pattern for the path with its query. */
  readonly path: string;
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
}

/** One recorded request. */
export interface Captured {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Present if the request was for a model. */
  readonly asked?: Asked;
}

export interface Endpoint {
  readonly port: number;
  readonly captured: readonly Captured[];
  close(): Promise<void>;
}

/** Answers a message of the Model Context Protocol; returns nothing for a notification. */
export type Server = (message: Json) => Json | undefined;

/** Starts an endpoint. `server` answers requests to `/mcp`. */
export async function openEndpoint(
  model: Model,
  server: Server,
  canned: readonly Canned[] = [],
): Promise<Endpoint> {
  const captured: Captured[] = [];
  const http = createServer((request, response) => {
    void readBody(request).then(body => {
      const path = request.url ?? '/';
      const [plain = '/'] = path.split('?');
      const entry = {
        method: request.method ?? 'GET',
        path,
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
        ),
        body,
      };
      const protocol =
        entry.method === 'POST' && isObject(body) ? protocols.find(one => one.path.test(plain)) : undefined;
      if (protocol) {
        const asked = protocol.read(body as Json, path);
        captured.push({ ...entry, asked });
        send(response, 200, protocol.write(model.answer(asked), asked));
        return;
      }
      captured.push(entry);
      if (plain === '/mcp') sendMcp(response, entry.method, body, server);
      else sendCanned(response, path, canned);
    });
  });
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done));
  return {
    port: (http.address() as AddressInfo).port,
    captured,
    close: () =>
      new Promise(done => {
        http.closeAllConnections();
        http.close(() => done());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = await expand(Buffer.concat(chunks), request.headers['content-encoding']);
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Decompresses a request body; some clients compress theirs. */
async function expand(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes;
  const zlib = await import('node:zlib');
  const zstd = (zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync;
  if (encoding === 'gzip') return zlib.gunzipSync(bytes);
  if (encoding === 'br') return zlib.brotliDecompressSync(bytes);
  if (encoding === 'deflate') return zlib.inflateSync(bytes);
  return encoding === 'zstd' && zstd ? zstd(bytes) : bytes;
}

function send(response: ServerResponse, status: number, { type, body }: Reply): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' });
  response.end(body);
}

function sendMcp(response: ServerResponse, method: string, body: unknown, server: Server): void {
  const answer = method === 'POST' && isObject(body) ? server(body) : undefined;
  if (answer) send(response, 200, json(answer));
  else response.writeHead(method === 'POST' ? 202 : 405).end();
}

/** Answers other requests, such as start-up calls: with a canned answer if one matches, otherwise with an empty object. */
function sendCanned(response: ServerResponse, path: string, canned: readonly Canned[]): void {
  const found = canned.find(one => new RegExp(one.path).test(path));
  const body = found?.body ?? {};
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  send(response, found?.status ?? 200, { type: found?.type ?? 'application/json', body: text });
}
