import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  type Position,
  type TextDocumentIdentifier,
} from 'vscode-languageserver';
import { readTextAt } from '../host/host.ts';
import { programFolder } from '../host/program-folder.ts';
import { formatSource } from '../syntax/format.ts';
import { parseDocument } from '../syntax/parse.ts';
import { once } from '../text/memo.ts';
import { configNames, isMarkdownPath } from '../text/places.ts';
import type { Source } from '../text/source.ts';
import { completionsAt, remoteCompletionsAt } from './completion.ts';
import {
  configurationCompletions,
  configurationDefinition,
  configurationHover,
  type Schema,
} from './configuration.ts';
import { quickFixes } from './findings.ts';
import { hoverAt, hoverInMarkdown } from './hover.ts';
import { commands, originLenses, reachLenses } from './lenses.ts';
import {
  definitionsAt,
  documentLinks,
  type Located,
  referencesAt,
  renameAt,
  renameableAt,
} from './navigation.ts';
import { foldsIn, symbolsIn } from './outline.ts';
import { driftOf, outputsOf, previewOf, requests } from './preview.ts';
import { type EditedProject, remoteSources, unitNamed } from './project.ts';
import { fileStart, lineStart, remoteName, toOffset, toPath, toRange } from './protocol.ts';
import type { Publisher } from './publish.ts';
import { semanticTokensOf } from './semantic-tokens.ts';
import type { Workspace } from './workspace.ts';

/** The open document of a request. */
interface OpenDocument {
  readonly path: string;
  readonly source: Source;
  readonly project: EditedProject | undefined;
}

interface DocumentParams {
  readonly textDocument: TextDocumentIdentifier;
}

const isSource = ({ path }: OpenDocument) => path.endsWith('.prs');

const isConfiguration = ({ path, project }: OpenDocument) =>
  project?.config === path || configNames.includes(basename(path));

const isGenerated = ({ project, source }: OpenDocument) => project?.recorded(source.name) !== undefined;

/** The program of a document, and its unit there. */
async function unitOf({ source, project }: OpenDocument) {
  const read = await project?.read();
  return { unit: read && unitNamed(read, source.name), read };
}

/** Quick fixes of the findings in a range; for an edited output also the command that absorbs it. */
async function codeActionsIn(
  document: OpenDocument,
  { textDocument, range }: CodeActionParams,
  publisher: Publisher,
): Promise<CodeAction[] | null> {
  await publisher.settled();
  if (!document.project) return null;
  const published = publisher.publishedIn(textDocument.uri);
  const fixes = quickFixes(published, range, await document.project.uris());
  if (!isGenerated(document) || published.length === 0) return fixes;
  const title = 'Move the edits of this file into the sources (prs absorb)';
  const command = { title, command: commands.absorb, arguments: [textDocument.uri] };
  const diagnostics = published.map(({ shown }) => shown);
  return [...fixes, { title, kind: CodeActionKind.QuickFix, diagnostics, command }];
}

/** Handlers of requests about documents: their result is `null` for others than they are for. */
function documentHandlers(workspace: Workspace) {
  /** Answers requests about open documents. */
  const open =
    <P extends DocumentParams, R>(answer: (document: OpenDocument, params: P) => R) =>
    (params: P): R | null => {
      const path = toPath(params.textDocument.uri);
      const text = path === undefined ? undefined : workspace.open.get(path);
      if (path === undefined || text === undefined) return null;
      const project = workspace.projectOf(path);
      return answer(
        { path, source: { name: project?.nameOf(path) ?? basename(path), text }, project },
        params,
      );
    };
  /** Answers requests about open `.prs` files. */
  const inSource = <R>(answer: (source: Source) => R) =>
    open<DocumentParams, R | null>(document => (isSource(document) ? answer(document.source) : null));
  /** Answers requests about open files of a program, and a place in them. */
  const inProgram = <P extends DocumentParams & { readonly position?: Position }, R>(
    answer: (place: Located, params: P) => R,
  ) =>
    open(async (document: OpenDocument, params: P) => {
      const { unit, read } = await unitOf(document);
      if (!document.project || !unit || !read) return null;
      const offset = params.position ? toOffset(document.source.text, params.position) : 0;
      return answer({ unit, offset, read, uriOf: await document.project.uris() }, params);
    });
  return { open, inSource, inProgram };
}

/** Registers the handlers of requests about documents. */
export function registerRequests(connection: Connection, workspace: Workspace, publisher: Publisher): void {
  const { open, inSource, inProgram } = documentHandlers(workspace);
  const configurationSchema = once((): Schema => {
    const text = readTextAt(workspace.disk, join(programFolder ?? '', 'schema', 'config.schema.json'));
    return text === undefined ? {} : (JSON.parse(text) as Schema);
  });

  connection.onHover(
    open(async (document, { position }) => {
      const { source, project } = document;
      const offset = toOffset(source.text, position);
      if (isConfiguration(document)) return configurationHover(source, offset, configurationSchema());
      if (isSource(document)) return hoverAt(source, offset, await project?.compiled());
      const { unit } = await unitOf(document);
      return unit ? hoverInMarkdown(unit, offset, await project?.compiled()) : null;
    }),
  );

  connection.onCompletion(
    open(async (document, { position }) => {
      const { path, source, project } = document;
      const offset = toOffset(source.text, position);
      if (isConfiguration(document)) return configurationCompletions(source, offset, configurationSchema());
      if (!isSource(document)) return null;
      const root = project?.root ?? dirname(path);
      const around = { path, root, disk: workspace.disk, read: await project?.read() };
      return [
        ...(await remoteCompletionsAt(source, offset, around)),
        ...completionsAt(source, offset, around),
      ];
    }),
  );

  const inUnit = inProgram(definitionsAt);
  connection.onDefinition(
    open(async (document, params) => {
      const { source, project } = document;
      if (!project) return null;
      if (isGenerated(document)) {
        const origins = await project.origins(source.name, source.text);
        const { file, line = 1, column = 1 } = origins[params.position.line] ?? {};
        if (file === undefined) return null;
        return [{ uri: (await project.uris())(file), range: lineStart(line - 1, column - 1) }];
      }
      if (!isConfiguration(document)) return inUnit(params);
      const offset = toOffset(source.text, params.position);
      const path = configurationDefinition(source, offset, project.root, workspace.disk);
      return path === undefined ? [] : [{ uri: pathToFileURL(path).href, range: fileStart }];
    }),
  );

  connection.onReferences(inProgram((place, { context }) => referencesAt(place, context.includeDeclaration)));
  connection.onPrepareRename(inProgram(renameableAt));
  connection.onRenameRequest(inProgram((place, { newName }) => renameAt(place, newName)));
  connection.onDocumentLinks(inProgram(documentLinks));
  connection.onDocumentSymbol(inSource(source => symbolsIn(parseDocument(source, () => {}))));
  connection.onFoldingRanges(inSource(foldsIn));
  connection.onDocumentFormatting(
    inSource(source => {
      const newText = formatSource(source, () => {});
      if (newText === undefined || newText === source.text) return null;
      return [{ range: toRange({ source, start: 0, end: source.text.length }), newText }];
    }),
  );
  const tokensIn = inSource(semanticTokensOf);
  connection.languages.semanticTokens.on(params => tokensIn(params) ?? { data: [] });

  connection.onCodeLens(
    open(async (document, { textDocument }) => {
      const { path, source, project } = document;
      if (!project) return null;
      if (isGenerated(document)) return originLenses(source.name, source.text, project, await project.uris());
      if (!isSource(document) && !isMarkdownPath(path)) return null;
      const { unit } = await unitOf(document);
      const compiled = await project.compiled();
      return unit && compiled ? reachLenses(unit, textDocument.uri, compiled) : null;
    }),
  );

  connection.onCodeAction(open((document, params) => codeActionsIn(document, params, publisher)));
  registerProjectRequests(connection, workspace);
}

/** Registers the handlers of custom requests, and of requests for sources of registries. */
function registerProjectRequests(connection: Connection, workspace: Workspace): void {
  /** Answers a custom request about the project of a file. */
  const onProject = <P extends TextDocumentIdentifier>(
    request: string,
    answer: (project: EditedProject, params: P) => Promise<unknown>,
  ) =>
    connection.onRequest(request, (params: P) => {
      const project = workspace.projectAt(params.uri);
      return project ? answer(project, params) : null;
    });
  onProject(requests.outputs, outputsOf);
  onProject(requests.preview, (project, { path }: TextDocumentIdentifier & { readonly path: string }) =>
    previewOf(project, path),
  );
  onProject(requests.drift, driftOf);

  connection.workspace.textDocumentContent.on(async ({ uri }) => {
    const name = remoteName(uri);
    for (const project of workspace.projects) {
      const text = name === undefined ? undefined : remoteSources(await project.read()).get(name);
      if (text !== undefined) return { text };
    }
    return null;
  });
}
