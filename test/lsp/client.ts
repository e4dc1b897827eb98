/** An editor for tests: a client of the built program, over its standard input and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, InitializeResult, Position, PublishDiagnosticsParams } from 'vscode-languageserver';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { environment, program } from '../cli/prs.ts';

export interface Client {
  readonly pid: number;
  readonly capabilities: InitializeResult['capabilities'];
  /** The last diagnostics of each document. */
  readonly told: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Messages and documents that the server asked to show. */
  readonly shown: readonly unknown[];
  uri(path: string): string;
  /** Opens a file, or a text that is not on disk. */
  open(path: string, text?: string): void;
  /** Replaces the whole text. */
  change(path: string, text: string): void;
  save(path: string): void;
  close(path: string): void;
  /** Notifies the server about changed files. */
  touched(...paths: string[]): void;
  ask<T>(method: string, path: string, more?: object): Promise<T>;
  at<T>(method: string, path: string, position: Position, more?: object): Promise<T>;
  request<T>(method: string, parameters: object): Promise<T>;
  /** The next diagnostics of a document. */
  next(path: string): Promise<readonly Diagnostic[]>;
  /** Waits until the diagnostics of a document satisfy the condition. */
  until(path: string, wanted: (found: readonly Diagnostic[]) => boolean, what: string): Promise<readonly Diagnostic[]>;
  /** Shuts the server down as editors do. Returns its exit code. */
  end(): Promise<number | null>;
}

export async function connect(folder: string, extra: NodeJS.ProcessEnv = {}): Promise<Client> {
  const child: ChildProcess = spawn(process.execPath, [program, 'lsp', '--stdio', `--clientProcessId=${process.pid}`], {
    cwd: folder,
    env: environment(extra),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  const connection: MessageConnection = createMessageConnection(
    new StreamMessageReader(child.stdout!),
    new StreamMessageWriter(child.stdin!),
  );
  const told = new Map<string, readonly Diagnostic[]>();
  const shown: unknown[] = [];
  let listeners: ((message: PublishDiagnosticsParams) => void)[] = [];
  connection.onNotification('textDocument/publishDiagnostics', (message: PublishDiagnosticsParams) => {
    told.set(message.uri, message.diagnostics);
    for (const listener of [...listeners]) listener(message);
  });
  connection.onNotification('window/showMessage', message => void shown.push(message));
  connection.onRequest('window/showMessageRequest', message => {
    shown.push(message);
    return null;
  });
  connection.onRequest('window/showDocument', message => {
    shown.push(message);
    return { success: true };
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  const uri = (path: string) => (path.includes(':') ? path : pathToFileURL(join(folder, path)).href);
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  await connection.sendNotification('initialized', {});
  const versions = new Map<string, number>();
  const version = (path: string) => {
    versions.set(path, (versions.get(path) ?? 0) + 1);
    return versions.get(path)!;
  };
  const notify = (method: string, parameters: object) => void connection.sendNotification(method, parameters);
  const waitFor = (path: string, wanted: (found: readonly Diagnostic[]) => boolean, what: string) =>
    new Promise<readonly Diagnostic[]>((resolve, reject) => {
      const timer = setTimeout(() => {
        listeners = listeners.filter(one => one !== listener);
        reject(new Error(`timed out waiting until ${what}: ${JSON.stringify(told.get(uri(path)), null, 1)}`));
      }, 60_000);
      const listener = (message: PublishDiagnosticsParams) => {
        if (message.uri !== uri(path) || !wanted(message.diagnostics)) return;
        clearTimeout(timer);
        listeners = listeners.filter(one => one !== listener);
        resolve(message.diagnostics);
      };
      listeners.push(listener);
    });
  const textDocument = (path: string) => ({ uri: uri(path) });
  return {
    pid: child.pid!,
    capabilities,
    told,
    shown,
    uri,
    open: (path, text = readFileSync(join(folder, path), 'utf8')) =>
      notify('textDocument/didOpen', {
        textDocument: { ...textDocument(path), languageId: 'prs', version: version(path), text },
      }),
    change: (path, text) =>
      notify('textDocument/didChange', {
        textDocument: { ...textDocument(path), version: version(path) },
        contentChanges: [{ text }],
      }),
    save: path => notify('textDocument/didSave', { textDocument: textDocument(path) }),
    close: path => notify('textDocument/didClose', { textDocument: textDocument(path) }),
    touched: (...paths) =>
      notify('workspace/didChangeWatchedFiles', { changes: paths.map(path => ({ uri: uri(path), type: 2 })) }),
    ask: (method, path, more = {}) =>
      connection.sendRequest(`textDocument/${method}`, { textDocument: textDocument(path), ...more }),
    at: (method, path, position, more = {}) =>
      connection.sendRequest(`textDocument/${method}`, { textDocument: textDocument(path), position, ...more }),
    request: (method, parameters) => connection.sendRequest(method, parameters),
    next: path => waitFor(path, () => true, 'something is said'),
    until: (path, wanted, what) => {
      const now = told.get(uri(path));
      return now && wanted(now) ? Promise.resolve(now) : waitFor(path, wanted, what);
    },
    end: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const code = await ended;
      connection.dispose();
      return code;
    },
  };
}

/** The position of a mark in a text, and the text without it. */
export function marked(text: string, mark = '|'): { text: string; position: Position } {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`no ${mark} in the text`);
  const before = text.slice(0, at).split('\n');
  return {
    text: text.slice(0, at) + text.slice(at + mark.length),
    position: { line: before.length - 1, character: before.at(-1)!.length },
  };
}
