/** Starts the language server of the project for VS Code, and the commands that run the program in a terminal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node';
import { addPreview } from './preview.ts';
import { showStatus } from './status.ts';

const remoteScheme = 'instr-source';
let client: LanguageClient | undefined;

/** What the parts of the extension ask the server beside the protocol. */
const asking = {
  ask: async <T>(what: string, uri: string, more = {}): Promise<T | null | undefined> =>
    client?.sendRequest<T | null>(`instr/${what}`, { uri, ...more }),
  /** A file of the project that somebody works on. */
  place: (): string => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const { uri } = vscode.window.activeTextEditor?.document ?? {};
    const configuration = folder && vscode.Uri.joinPath(folder.uri, 'instr.yaml');
    return String(uri?.scheme === 'file' ? uri : (configuration ?? ''));
  },
  onChange: (listener: () => void): vscode.Disposable =>
    vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === 'file' && listener()),
};
export type Client = typeof asking;

/** The program to run: the one somebody named, the one the project has installed, else the one of this extension. */
function programOf(context: vscode.ExtensionContext): string {
  const named = vscode.workspace.getConfiguration('instr').get<string>('program');
  if (named) return named;
  // What a folder brings runs only where its user trusts it.
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const installed = folders
    .map(({ uri }) => join(uri.fsPath, 'node_modules', 'instr', 'dist', 'prs.cjs'))
    .find(path => existsSync(path));
  return installed ?? context.asAbsolutePath(join('dist', 'program', 'prs.cjs'));
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const module = programOf(context);
  const run = { module, args: ['lsp'], transport: TransportKind.stdio };
  const server: ServerOptions = { run, debug: run };
  client = new LanguageClient('instr', 'instr', server, {
    documentSelector: [
      { scheme: 'file', language: 'prs' },
      { scheme: 'file', pattern: '**/instr.{yaml,yml}' },
      { scheme: 'file', pattern: '**/.instr/**/*.md' },
      { scheme: 'file', pattern: '**/*.{md,mdc}' },
    ],
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{prs,md,mdc,yaml,yml,json,toml}'),
    },
  });
  await client.start();
}

/** Runs the program where the user sees what it says. */
function inTerminal(context: vscode.ExtensionContext, ...args: readonly string[]): void {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const terminal = vscode.window.createTerminal({
    name: `prs ${args[0]}`,
    ...(folder && { cwd: folder.uri }),
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
  terminal.show();
  const quote = (word: string) => JSON.stringify(word);
  terminal.sendText([quote(process.execPath), quote(programOf(context)), ...args.map(quote)].join(' '));
}

/** Shows the very text that a tool is given. */
async function view(context: vscode.ExtensionContext): Promise<void> {
  const tool = await vscode.window.showInputBox({ prompt: 'Id of the tool' });
  if (tool) inTerminal(context, 'view', '--as', tool);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, run: () => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`instr.${name}`, run));
  command('compile', () => inTerminal(context, 'compile'));
  command('view', () => view(context));
  command('absorbAll', () => inTerminal(context, 'absorb'));
  command('migrate', () => inTerminal(context, 'migrate'));
  command('restart', async () => {
    await client?.stop();
    await start(context);
  });
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(remoteScheme, {
      provideTextDocumentContent: async uri => {
        const answer = await client?.sendRequest<{ text: string } | null>('workspace/textDocumentContent', {
          uri: uri.toString(),
        });
        return answer?.text ?? '';
      },
    }),
  );
  addPreview(context, asking);
  await start(context);
  showStatus(context, asking);
}

export const deactivate = (): Promise<void> | undefined => client?.stop();
