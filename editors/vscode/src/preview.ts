/** Shows an output next to its sources while they are edited. Selecting a line highlights its counterpart. */
import * as vscode from 'vscode';
import type { Requests } from './requests.ts';

const scheme = 'instr-preview';
const { window, workspace } = vscode;
type Origins = readonly ({ readonly uri: string; readonly line: number } | null)[];

export function addPreview({ subscriptions }: vscode.ExtensionContext, client: Requests): void {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const shown = new Map<string, { readonly text: string; readonly origins: Origins }>();
  const backgroundColor = new vscode.ThemeColor('editor.findMatchHighlightBackground');
  const linked = window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor });

  async function show(uri: vscode.Uri): Promise<string> {
    const preview = await client.ask<{ text: string; origins: Origins }>('preview', uri.query, {
      path: uri.path.slice(1),
    });
    // While the sources have errors, the last valid output is shown.
    if (preview) shown.set(`${uri}`, preview);
    return shown.get(`${uri}`)?.text ?? '';
  }

  async function choose(): Promise<void> {
    const query = client.place();
    const outputs = (await client.ask<{ path: string; tools: string[] }[]>('outputs', query)) ?? [];
    const items = outputs.map(({ path, tools }) => ({ label: path, description: tools.join(', ') }));
    const placeHolder = 'File to show beside the sources';
    const chosen = await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
    if (!chosen) return;
    const uri = vscode.Uri.from({ scheme, path: `/${chosen.label}`, query });
    const document = await workspace.openTextDocument(uri);
    if (uri.path.endsWith('.mdc')) await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  const isSame = (uri: vscode.Uri, other: string) => `${uri}` === `${vscode.Uri.parse(other)}`;

  /** The output line that comes from this source line, or from the nearest one above it; -1 if there is none. */
  function nearest(output: vscode.Uri, source: vscode.Uri, line: number): number {
    const origins = shown.get(`${output}`)?.origins ?? [];
    const lines = origins.map(at => (at && at.line <= line && isSame(source, at.uri) ? at.line : -1));
    return lines.indexOf(Math.max(0, ...lines));
  }

  function follow({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    if (textEditor !== window.activeTextEditor) return;
    const { uri } = textEditor.document;
    const { line } = selections[0]!.active;
    textEditor.setDecorations(linked, []);
    const origin = shown.get(`${uri}`)?.origins[line];
    for (const editor of window.visibleTextEditors) {
      const other = editor.document.uri;
      const to = origin ? (isSame(other, origin.uri) ? origin.line : -1) : nearest(other, uri, line);
      if (to < 0) continue;
      const range = new vscode.Range(to, 0, to, 0);
      editor.setDecorations(linked, [range]);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  const refresh = () =>
    workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme).map(({ uri }) => changed.fire(uri));
  subscriptions.push(
    linked,
    vscode.commands.registerCommand('instr.preview', choose),
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: show,
    }),
    window.onDidChangeTextEditorSelection(follow),
    client.onChange(client.later(refresh, 300)),
  );
}
