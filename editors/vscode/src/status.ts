/** The status bar: whether the output files are up to date. */
import * as vscode from 'vscode';
import type { Requests } from './requests.ts';

/** The icon and the command of each state. */
const marks = {
  right: ['check', 'instr.preview'],
  stale: ['sync', 'instr.compile'],
  stopped: ['warning', 'instr.absorbAll'],
  broken: ['error', 'workbench.actions.view.problems'],
} as const;

/** Adds the status bar item. `missing` explains why the expected program does not run. */
export function showStatus(
  { subscriptions }: vscode.ExtensionContext,
  client: Requests,
  missing: () => string | undefined,
): void {
  const item = vscode.window.createStatusBarItem('instr.status', vscode.StatusBarAlignment.Left);
  item.name = 'instr';
  const look = async () => {
    type Drift = { readonly state: keyof typeof marks; readonly text: string; readonly detail: string };
    const drift = await client.ask<Drift>('drift', client.place());
    if (!drift) return item.hide();
    const [mark, command] = marks[drift.state];
    Object.assign(item, {
      text: `$(${mark}) instr${drift.text && `: ${drift.text}`}`,
      tooltip: [drift.detail, missing()].filter(Boolean).join('\n\n'),
      command,
    });
    item.show();
  };
  const soon = client.later(() => void look().catch(() => item.hide()), 500);
  const files = vscode.workspace.createFileSystemWatcher('**/*');
  const events = [
    files.onDidChange,
    files.onDidCreate,
    files.onDidDelete,
    vscode.window.onDidChangeActiveTextEditor,
  ];
  subscriptions.push(item, files, client.onChange(soon), ...events.map(event => event(soon)));
  soon();
}
