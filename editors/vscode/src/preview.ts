/** Shows an output beside its sources while they are edited: the line of one side leads to the line of the other. */
import * as vscode from 'vscode';
import type { Client } from './client.ts';

const scheme = 'instr-preview';

interface Preview {
  readonly text: string;
  readonly origins: readonly ({ readonly uri: string; readonly line: number } | null)[];
}

export function addPreview({ subscriptions }: vscode.ExtensionContext, client: Client): void {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const shown = new Map<string, Preview>();
  const linked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
  });

  async function show(uri: vscode.Uri): Promise<string> {
    const given = await client.ask<Preview>('preview', uri.query, { path: uri.path.slice(1) });
    // While the sources have errors, what was there before them stays.
    if (given) shown.set(uri.toString(), given);
    return shown.get(uri.toString())?.text ?? '';
  }

  async function choose(): Promise<void> {
    const query = client.place();
    const outputs = (await client.ask<{ path: string; tools: string[] }[]>('outputs', query)) ?? [];
    const items = outputs.map(({ path, tools }) => ({ label: path, description: tools.join(', ') }));
    const placeHolder = 'File to show beside the sources';
    const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
    if (!chosen) return;
    const uri = vscode.Uri.from({ scheme, path: `/${chosen.label}`, query });
    const document = await vscode.workspace.openTextDocument(uri);
    if (uri.path.endsWith('.mdc')) await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
  }

  const editorWith = (wanted: (uri: vscode.Uri) => boolean) =>
    vscode.window.visibleTextEditors.find(({ document }) => wanted(document.uri));
  const isSame = (uri: vscode.Uri, other: string) => uri.toString() === vscode.Uri.parse(other).toString();

  function follow({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    if (textEditor !== vscode.window.activeTextEditor) return;
    const { uri } = textEditor.document;
    const { line } = selections[0]!.active;
    textEditor.setDecorations(linked, []);
    if (uri.scheme === scheme) {
      const origin = shown.get(uri.toString())?.origins[line];
      if (origin)
        mark(
          editorWith(other => isSame(other, origin.uri)),
          origin.line,
        );
      return;
    }
    const output = editorWith(other => other.scheme === scheme);
    const origins = (output && shown.get(output.document.uri.toString())?.origins) ?? [];
    // The nearest line of this source, at the caret or above it, that came out.
    const lines = origins.map(at => (at && at.line <= line && isSame(uri, at.uri) ? at.line : -1));
    const best = Math.max(-1, ...lines);
    if (best >= 0) mark(output, lines.indexOf(best));
  }

  function mark(editor: vscode.TextEditor | undefined, line: number): void {
    const range = new vscode.Range(line, 0, line, 0);
    editor?.setDecorations(linked, [range]);
    editor?.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  let timer: NodeJS.Timeout | undefined;
  const refresh = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) changed.fire(uri);
    }, 300);
  };
  subscriptions.push(
    linked,
    vscode.commands.registerCommand('instr.preview', choose),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: show,
    }),
    vscode.window.onDidChangeTextEditorSelection(follow),
    client.onChange(refresh),
  );
}
