/** Runs the compiler and the language service in a worker, without network requests. */
import { completionsAt } from '../../../src/lsp/completion.ts';
import { hoverAt } from '../../../src/lsp/hover.ts';
import { previewOf } from '../../../src/lsp/preview.ts';
import { EditedProject } from '../../../src/lsp/project.ts';
import { textFiles, virtualContext } from '../../../src/project/session/given.ts';
import type { Files, FromWorker, ToWorker } from './messages.ts';

const root = '/project';

const worldOf = (files: Files) => virtualContext(root, textFiles(files), () => {});

function openProject(files: Files): EditedProject {
  return new EditedProject(root, `${root}/instr.yaml`, worldOf(files));
}

let project = openProject({});
let files: Files = {};

async function compile(output: string | undefined): Promise<FromWorker> {
  const [findings, planned] = await Promise.all([project.findings(), project.planned(true)]);
  const depth = (path: string) => path.split('/').length;
  // Files near the root, such as main files, come first.
  const entries = (planned?.entries ?? [])
    .filter(({ content }) => content !== undefined)
    .sort((a, b) => depth(a.path) - depth(b.path));
  const shown = entries.find(({ path }) => path === output) ?? entries[0];
  const preview = shown && (await previewOf(project, shown.path));
  return {
    kind: 'compiled',
    findings: findings.map(({ code, severity, message, hint, span, file }) => ({
      code,
      severity,
      message: hint === undefined ? message : `${message}\n${hint}`,
      file: span?.source.name ?? file ?? 'instr.yaml',
      from: span?.start ?? 0,
      to: span?.end ?? 0,
    })),
    outputs: entries.map(({ path, targets, bytes }) => ({ path, targets, bytes })),
    omissions: planned?.omissions.map(({ target, source, advice }) => ({ target, source, advice })) ?? [],
    shown:
      shown && preview
        ? {
            path: shown.path,
            text: preview.text,
            origins: preview.origins.map(one => one && { file: placeOf(one.uri), line: one.line }),
          }
        : undefined,
  };
}

const placeOf = (uri: string): string => decodeURIComponent(uri.replace(`file://${root}/`, ''));

async function answer(message: ToWorker): Promise<FromWorker> {
  if (message.kind === 'compile') {
    files = message.files;
    project = openProject(files);
    return compile(message.output);
  }
  const { path, offset } = message;
  const source = { name: path, text: message.text };
  if (message.kind === 'hover') {
    const found = hoverAt(source, offset, await project.compiled());
    const contents = found?.contents as { value: string } | undefined;
    return { kind: 'hover', text: contents?.value };
  }
  const around = {
    path: `${root}/${path}`,
    root,
    disk: worldOf(files).disk,
    read: await project.read(),
  };
  const items = completionsAt(source, offset, around).map(({ label, detail, insertText, textEdit }) => ({
    label,
    ...(detail !== undefined && { detail }),
    text: insertText ?? label,
    length:
      textEdit && 'range' in textEdit ? textEdit.range.end.character - textEdit.range.start.character : 0,
  }));
  return { kind: 'completion', items };
}

const scope = globalThis as unknown as {
  onmessage: (event: { data: { id: number; message: ToWorker } }) => void;
  postMessage(value: { id: number; answer?: FromWorker; failed?: string }): void;
};

/** Requests are processed one by one, so that answers arrive in order. */
let queue: Promise<void> = Promise.resolve();
scope.onmessage = ({ data: { id, message } }) => {
  queue = queue.then(async () => {
    try {
      scope.postMessage({ id, answer: await answer(message) });
    } catch (error) {
      scope.postMessage({
        id,
        failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  });
};
