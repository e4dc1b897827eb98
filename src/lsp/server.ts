import {
  CodeActionKind,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ProposedFeatures,
  type ServerCapabilities,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { absorbProject } from '../project/absorb/absorb.ts';
import type { CompileContext } from '../project/session/world.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { shownMessage } from '../text/diagnostics/shown.ts';
import { commands } from './lenses.ts';
import { lineStart, remoteScheme, toPath } from './protocol.ts';
import { Publisher } from './publish.ts';
import { reachList } from './reach.ts';
import { registerRequests } from './requests.ts';
import { legend } from './semantic-tokens.ts';
import { Workspace } from './workspace.ts';

/** Characters that trigger completion. */
const triggers = ['@', '.', '/', '"', ':', ' ', '-'];

const capabilities: ServerCapabilities = {
  textDocumentSync: {
    openClose: true,
    change: TextDocumentSyncKind.Incremental,
    save: { includeText: false },
  },
  hoverProvider: true,
  completionProvider: { triggerCharacters: triggers },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  documentFormattingProvider: true,
  documentLinkProvider: {},
  codeLensProvider: {},
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  executeCommandProvider: { commands: Object.values(commands) },
  semanticTokensProvider: { legend, full: true },
  workspace: { textDocumentContent: { schemes: [remoteScheme] } },
};

/**
 * Serves one editor over standard input and output until it disconnects; returns the exit code of the
 * protocol.
 */
export async function serve(world: CompileContext, version: string): Promise<number> {
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  const workspace = new Workspace({ ...world, report: () => {}, progress: () => {} });
  const documents = new TextDocuments(TextDocument);
  const publisher = new Publisher(
    workspace,
    message => void connection.sendDiagnostics(message),
    text => connection.console.error(text),
  );
  let watches = false;

  connection.onInitialize(({ capabilities: client }: InitializeParams): InitializeResult => {
    watches = client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'prs', version },
      capabilities,
    };
  });

  connection.onInitialized(() => {
    if (!watches) return;
    void connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*' }],
    });
  });

  const edit = (uri: string, text?: string) => {
    const path = toPath(uri);
    if (path === undefined) return;
    workspace.edit(path, text);
    publisher.soon(path);
  };
  documents.onDidChangeContent(({ document }) => edit(document.uri, document.getText()));
  documents.onDidClose(({ document }) => edit(document.uri));
  documents.onDidSave(({ document }) => {
    const path = toPath(document.uri);
    // A client without file watching does not report changes, so anything may have changed.
    workspace.changed(watches && path !== undefined ? [path] : undefined);
    if (path !== undefined) publisher.soon(path);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const paths = changes
      .flatMap(({ uri }) => toPath(uri) ?? [])
      .filter(path => !/[\\/]\.git[\\/]/.test(path));
    if (paths.length === 0) return;
    workspace.changed(paths);
    publisher.all();
  });

  registerRequests(connection, workspace, publisher);

  const show = (type: MessageType, message: string) =>
    connection.sendNotification('window/showMessage', { type, message });
  connection.onExecuteCommand(async ({ command, arguments: given = [] }) => {
    if (command === commands.reach) {
      const compiled = await workspace.projectAt(String(given[0]))?.compiled();
      await show(MessageType.Info, compiled ? reachList(String(given[1]), compiled) : '');
    }
    if (command === commands.open) {
      const selection = lineStart(Math.max(0, Number(given[1]) - 1));
      await connection.window.showDocument({ uri: String(given[0]), takeFocus: true, selection });
    }
    if (command === commands.absorb) {
      const { ok, text } = await absorbFile(String(given[0]), workspace);
      await show(ok ? MessageType.Info : MessageType.Warning, text);
      workspace.changed();
      publisher.all();
    }
  });

  documents.listen(connection);
  return new Promise(resolve => {
    let exitCode = 1;
    connection.onShutdown(() => {
      exitCode = 0;
    });
    connection.onExit(() => resolve(exitCode));
    process.stdin.on('end', () => resolve(exitCode));
    connection.listen();
  });
}

/** Moves the edits of a generated file into the sources, like `prs absorb`; returns a summary. */
async function absorbFile(uri: string, workspace: Workspace): Promise<{ ok: boolean; text: string }> {
  const path = toPath(uri);
  const project = workspace.projectAt(uri);
  if (path === undefined || !project) return { ok: false, text: 'This file belongs to no project.' };
  const unsaved = workspace.unsaved().map(project.nameOf);
  if (unsaved.length > 0) return { ok: false, text: `Save ${unsaved.join(', ')} first.` };
  const findings: Diagnostic[] = [];
  const context = project.context(finding => void findings.push(finding));
  const absorbed = await absorbProject({ files: [path], added: false, dryRun: false }, context);
  const errors = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => shownMessage(message));
  if (typeof absorbed === 'string' || errors.length > 0)
    return { ok: false, text: errors.join('\n') || 'Nothing was changed.' };
  const refused = absorbed.hunks.filter(({ state }) => state === 'refused');
  const applied = absorbed.hunks.length - refused.length;
  const reasons = [...new Set(refused.flatMap(({ reason }) => reason ?? []))];
  const text = `${applied} of ${absorbed.hunks.length} edits were moved into the sources.`;
  return { ok: refused.length === 0, text: [text, ...reasons].join('\n') };
}
