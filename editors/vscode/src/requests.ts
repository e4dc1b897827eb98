/** What the other modules of the extension ask of the language server and of the editor. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

/** Access to the server and the editor for the other modules of the extension. */
export const requestsOf = (client: () => LanguageClient | undefined) => ({
  /** Sends a custom request to the server. */
  ask: async <T>(what: string, uri: string, more = {}): Promise<T | null | undefined> =>
    client()?.sendRequest<T | null>(`instr/${what}`, { uri, ...more }),
  /** URI of a file in the current project: the active file, or the configuration. */
  place: (): string => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const { uri } = vscode.window.activeTextEditor?.document ?? {};
    const configuration = folder && vscode.Uri.joinPath(folder.uri, 'instr.yaml');
    return String(uri?.scheme === 'file' ? uri : (configuration ?? ''));
  },
  onChange: (listener: () => void): vscode.Disposable =>
    vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === 'file' && listener()),
  /** Debounces a function by `delay` milliseconds. */
  later: (work: () => void, delay: number) => {
    let timer: NodeJS.Timeout | undefined;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(work, delay);
    };
  },
});
export type Requests = ReturnType<typeof requestsOf>;
