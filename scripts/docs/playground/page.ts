/** The playground page: sources on one side, the output files of all tools on the other. */
import { autocompletion, type CompletionContext, snippet } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Compiled, Files, FromWorker, ToWorker } from './messages.ts';

const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const examples: Readonly<Record<string, Files>> = JSON.parse(byId('examples').textContent ?? '{}');

const worker = new Worker('playground-worker.js');
const waiting = new Map<number, (answer: FromWorker | undefined) => void>();
let lastId = 0;
worker.onmessage = ({ data }: MessageEvent<{ id: number; answer?: FromWorker; failed?: string }>) => {
  if (data.failed !== undefined) console.error(data.failed);
  waiting.get(data.id)?.(data.answer);
  waiting.delete(data.id);
};
function ask(message: ToWorker): Promise<FromWorker | undefined> {
  const id = ++lastId;
  worker.postMessage({ id, message });
  return new Promise(resolve => waiting.set(id, resolve));
}

/** Reads the state of the page from the URL, which makes it shareable. */
function readState(): Files | undefined {
  try {
    const bytes = Uint8Array.from(
      atob(location.hash.slice(1).replaceAll('-', '+').replaceAll('_', '/')),
      one => one.charCodeAt(0),
    );
    const files: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof files !== 'object' || files === null || Object.keys(files).length === 0) return undefined;
    return Object.fromEntries(
      Object.entries(files).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
  } catch {
    return undefined;
  }
}
function keepState(): void {
  const bytes = new TextEncoder().encode(JSON.stringify(files));
  const text = btoa(Array.from(bytes, one => String.fromCharCode(one)).join(''));
  window.history.replaceState(
    null,
    '',
    `#${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`,
  );
}

let files: Record<string, string> = { ...(readState() ?? Object.values(examples)[0]) };
let current = Object.keys(files).find(path => path.endsWith('.prs')) ?? Object.keys(files)[0]!;
let output: string | undefined;
let compiled: Compiled | undefined;

const prs = StreamLanguage.define({
  startState: () => ({ text: false }),
  token(stream, state: { text: boolean }) {
    if (stream.match('"""')) {
      state.text = !state.text;
      return 'string';
    }
    if (state.text) {
      while (!stream.eol() && !stream.match('"""', false)) stream.next();
      return 'string';
    }
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^@\p{L}[\p{L}\p{N}_-]*/u)) return 'keyword';
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*(?=\s*[!?]?:)/u)) return 'propertyName';
    if (stream.match(/^-?\d+(?:\.\d+)*/)) return 'number';
    stream.next();
    return null;
  },
});
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--soft)' },
  { tag: tags.string, color: 'var(--warn)' },
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
]);
const languageOf = (path: string) =>
  path.endsWith('.prs') ? prs : /\.ya?ml$/.test(path) ? yaml() : markdown();

async function complete(context: CompletionContext) {
  if (!current.endsWith('.prs')) return null;
  const text = context.state.doc.toString();
  const answer = await ask({ kind: 'completion', path: current, text, offset: context.pos });
  if (answer?.kind !== 'completion' || answer.items.length === 0) return null;
  return {
    from: context.pos - answer.items[0]!.length,
    options: answer.items.map(item => ({
      label: item.label,
      ...(item.detail !== undefined && { detail: item.detail }),
      apply: snippet(item.text.replace(/\$(\d)/g, '#{$1}').replace('#{0}', '#{}')),
    })),
  };
}
const hover = hoverTooltip(async (view, offset) => {
  if (!current.endsWith('.prs')) return null;
  const answer = await ask({ kind: 'hover', path: current, text: view.state.doc.toString(), offset });
  if (answer?.kind !== 'hover' || answer.text === undefined) return null;
  const dom = document.createElement('pre');
  dom.className = 'hover';
  dom.textContent = answer.text.replace(/\*\*|```\w*\n?/g, '');
  return { pos: offset, create: () => ({ dom }) };
});

const extensions = (path: string) => [
  lineNumbers(),
  history(),
  keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
  EditorView.lineWrapping,
  syntaxHighlighting(colours),
  languageOf(path),
  autocompletion({ override: [complete] }),
  hover,
  EditorView.contentAttributes.of({
    'aria-label': `Source ${path}`,
    'aria-describedby': 'leave',
    tabindex: '0',
  }),
  EditorView.updateListener.of(update => {
    if (!update.docChanged) return;
    files[current] = update.state.doc.toString();
    soon();
  }),
];
const view = new EditorView({ parent: byId('editor') });

function open(path: string, line?: number): void {
  current = path;
  view.setState(EditorState.create({ doc: files[path] ?? '', extensions: extensions(path) }));
  if (line !== undefined && line < view.state.doc.lines) {
    const at = view.state.doc.line(line + 1);
    view.dispatch({
      selection: { anchor: at.from, head: at.to },
      effects: EditorView.scrollIntoView(at.from, { y: 'center' }),
    });
  }
  showTabs();
  showFindings();
}

function showTabs(): void {
  const tabs = Object.keys(files).map(path => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = path;
    tab.setAttribute('aria-pressed', String(path === current));
    const worst = compiled?.findings.some(one => one.file === path && one.severity === 'error');
    tab.classList.toggle('wrong', worst === true);
    tab.onclick = () => open(path);
    return tab;
  });
  const hadFocus = byId('tabs').contains(document.activeElement);
  byId('tabs').replaceChildren(...tabs);
  if (hadFocus) tabs.find(tab => tab.textContent === current)?.focus();
}

function showFindings(): void {
  const length = view.state.doc.length;
  const own = (compiled?.findings ?? []).filter(({ file }) => file === current);
  const shown = own.map(({ from, to, severity, message, code }) => ({
    from: Math.min(from, length),
    to: Math.min(Math.max(to, from), length),
    severity,
    message: `${code}: ${message}`,
  }));
  view.dispatch(setDiagnostics(view.state, shown));
  const errors = (compiled?.findings ?? []).filter(({ severity }) => severity !== 'info');
  // Unchanged findings are not rendered again, because screen readers would repeat them.
  const state = JSON.stringify(errors);
  if (byId('findings').dataset.state === state) return;
  byId('findings').dataset.state = state;
  byId('findings').replaceChildren(
    ...errors.slice(0, 5).map(finding => {
      const line = document.createElement('button');
      line.type = 'button';
      line.className = finding.severity;
      line.textContent = `${finding.file}: ${finding.message.split('\n')[0]}`;
      line.onclick = () => {
        const before = (files[finding.file] ?? '').slice(0, finding.from);
        if (finding.file in files) open(finding.file, before.split('\n').length - 1);
      };
      return line;
    }),
  );
}

function showOutput(): void {
  if (!compiled) return;
  const choice = byId<HTMLSelectElement>('outputs');
  choice.replaceChildren(
    ...compiled.outputs.map(({ path, targets }) => {
      const option = new Option(`${path}: ${targets.join(', ')}`, path);
      option.selected = path === compiled?.shown?.path;
      return option;
    }),
  );
  const { shown } = compiled;
  const lines = (shown?.text ?? '')
    .replace(/\n$/, '')
    .split('\n')
    .map((text, at) => {
      const origin = shown?.origins[at];
      const line = document.createElement(origin ? 'button' : 'div');
      line.className = 'line';
      line.textContent = text || ' ';
      if (origin) {
        line.tabIndex = -1;
        line.title = `from ${origin.file}:${origin.line + 1}`;
        line.onclick = () => {
          byId('explain').textContent =
            `${shown?.path}:${at + 1} comes from ${origin.file}:${origin.line + 1}`;
          if (origin.file in files) open(origin.file, origin.line);
        };
      }
      return line;
    });
  byId('result').replaceChildren(...lines);
  const file = compiled.outputs.find(({ path }) => path === shown?.path);
  const bytes = compiled.outputs.reduce((sum, one) => sum + one.bytes, 0);
  byId('sizes').textContent = file
    ? `${file.bytes} bytes, about ${Math.ceil(file.bytes / 4)} tokens; ${compiled.outputs.length} files with ${bytes} bytes in all`
    : 'Nothing is written while there are errors.';
  const omissions = compiled.omissions.filter(({ target }) => file?.targets.includes(target));
  byId('omissions').replaceChildren(
    ...omissions.map(({ target, source, advice }) => {
      const item = document.createElement('li');
      item.textContent = `${target} has no place for ${source}. ${advice}`;
      return item;
    }),
  );
  byId('omitted').hidden = omissions.length === 0;
  byId('omitted-count').textContent = String(omissions.length);
}

async function compile(): Promise<void> {
  keepState();
  const answer = await ask({ kind: 'compile', files: { ...files }, output });
  if (answer?.kind !== 'compiled') return;
  // While there are errors, the last valid output is shown.
  compiled = answer.shown || !compiled ? answer : { ...compiled, findings: answer.findings };
  showTabs();
  showFindings();
  showOutput();
  document.body.dataset.state = 'ready';
}
byId('result').onkeydown = event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const lines = [...byId('result').querySelectorAll('button')];
  const at = lines.indexOf(document.activeElement as HTMLButtonElement);
  lines[Math.max(0, at + step)]?.focus();
  event.preventDefault();
};
let timer = 0;
function soon(): void {
  document.body.dataset.state = 'busy';
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void compile(), 200);
}

byId<HTMLSelectElement>('outputs').onchange = event => {
  output = (event.target as HTMLSelectElement).value;
  byId('explain').textContent = '';
  document.body.dataset.state = 'busy';
  void compile();
};
const picker = byId<HTMLSelectElement>('example');
picker.replaceChildren(...Object.keys(examples).map(name => new Option(name, name)));
picker.onchange = () => {
  files = { ...examples[picker.value] };
  output = undefined;
  compiled = undefined;
  open(Object.keys(files).find(path => path.endsWith('.prs')) ?? Object.keys(files)[0]!);
  void compile();
};
open(current);
void compile();
