/** The VS Code extension: starts the language server and registers the commands. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { addPreview } from './preview.ts';
import { requestsOf } from './requests.ts';
import { showStatus } from './status.ts';

const remoteScheme = 'instr-source';
let client: LanguageClient | undefined;

const requests = requestsOf(() => client);

/** The program that is bundled with the extension. */
const ownProgram = (context: vscode.ExtensionContext): string =>
  context.asAbsolutePath(join('dist', 'program', 'prs.cjs'));

/** The program to run: the configured one, the one installed in the project, or the bundled one. */
function programOf(context: vscode.ExtensionContext): string {
  const named = vscode.workspace.getConfiguration('instr').get<string>('program');
  if (named && existsSync(named)) return named;
  // A program in the workspace only runs if the workspace is trusted.
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const installed = folders
    .map(({ uri }) => join(uri.fsPath, 'node_modules', 'instr', 'dist', 'prs.cjs'))
    .find(path => existsSync(path));
  return installed ?? ownProgram(context);
}

/** Explains in the status bar tooltip why the configured or installed program does not run. */
function missingProgram(context: vscode.ExtensionContext): string | undefined {
  const named = vscode.workspace.getConfiguration('instr').get<string>('program');
  const isOwn = programOf(context) === ownProgram(context);
  if (named && !existsSync(named))
    return `The setting instr.program names ${named}, which does not exist; ${isOwn ? 'the program of this extension' : 'the one of the project'} runs instead.`;
  if (!isOwn) return undefined;
  return vscode.workspace.isTrusted
    ? `The program of this extension runs: the project has none installed (npm install --save-dev instr).`
    : 'The program of this extension runs: this folder is not trusted.';
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const server = { module: programOf(context), args: ['lsp'], transport: TransportKind.stdio };
  const pattern = '**/{instr.yaml,instr.yml,*.md,*.mdc}';
  client = new LanguageClient('instr', 'instr', server, {
    documentSelector: [{ language: 'prs' }, { pattern }].map(what => ({ scheme: 'file', ...what })),
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{prs,md,mdc,yaml,yml,json,toml}'),
    },
  });
  await client.start();
}

/** Runs the program in a terminal. No shell is used, because arguments may contain names of workspace folders. */
async function inTerminal(context: vscode.ExtensionContext, ...args: readonly string[]): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = `prs ${args[0]}`;
  const run = new vscode.ProcessExecution(process.execPath, [programOf(context), ...args], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
    ...(folder && { cwd: folder.uri.fsPath }),
  });
  const scope = folder ?? vscode.TaskScope.Workspace;
  await vscode.tasks.executeTask(new vscode.Task({ type: 'process' }, scope, name, 'instr', run));
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const restart = () => client?.stop().then(() => start(context));
  const commands: Record<string, () => unknown> = {
    compile: () => inTerminal(context, 'compile'),
    absorbAll: () => inTerminal(context, 'absorb'),
    migrate: () => inTerminal(context, 'migrate'),
    // Shows the exact text that a tool loads.
    view: async () => {
      const tool = await vscode.window.showInputBox({ prompt: 'Id of the tool' });
      if (tool) inTerminal(context, 'view', '--as', tool);
    },
    restart: () => restart(),
  };
  const remoteText = async (uri: vscode.Uri) => {
    const request = client?.sendRequest<{ text: string } | null>('workspace/textDocumentContent', {
      uri: `${uri}`,
    });
    return (await request)?.text ?? '';
  };
  context.subscriptions.push(
    // The program installed in the project may be used now.
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`instr.${name}`, run)),
    vscode.workspace.registerTextDocumentContentProvider(remoteScheme, {
      provideTextDocumentContent: remoteText,
    }),
  );
  addPreview(context, requests);
  await start(context);
  showStatus(context, requests, () => missingProgram(context));
}

export const deactivate = (): Promise<void> | undefined => client?.stop();
