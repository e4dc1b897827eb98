import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  Connection,
  Position,
  TextDocumentIdentifier,
  TextEdit,
} from 'vscode-languageserver';
import { readTextAt } from '../host/host.ts';
import { programFolder } from '../host/program-folder.ts';
import { formatSource } from '../syntax/format.ts';
import { parseDocument } from '../syntax/parse.ts';
import { once } from '../text/memo.ts';
import { isMarkdownPath } from '../text/places.ts';
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
import { commands, originLenses, originsOf, reachLenses } from './lenses.ts';
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
import { fileStart, remoteName, toOffset, toPath, toRange } from './protocol.ts';
import type { Publisher } from './publish.ts';
import { semanticTokensOf } from './semantic-tokens.ts';
import type { Workspace } from './workspace.ts';

/** The open document of a request. */
interface OpenDocument {
  readonly path: string;
  readonly source: Source;
  readonly project: EditedProject | undefined;
}

const silent = () => {};

/** Registers the handlers of requests about documents. */
export function registerRequests(connection: Connection, workspace: Workspace, publisher: Publisher): void {
  const documentOf = ({ uri }: TextDocumentIdentifier): OpenDocument | undefined => {
    const path = toPath(uri);
    const text = path === undefined ? undefined : workspace.open.get(path);
    if (path === undefined || text === undefined) return undefined;
    const project = workspace.projectOf(path);
    return { path, source: { name: project?.nameOf(path) ?? basename(path), text }, project };
  };
  const isSource = ({ path }: OpenDocument) => path.endsWith('.prs');
  const openSource = (textDocument: TextDocumentIdentifier) => {
    const one = documentOf(textDocument);
    return one && isSource(one) ? one.source : undefined;
  };
  const isConfiguration = ({ path, project }: OpenDocument) =>
    project?.config === path || /^instr\.ya?ml$/.test(basename(path));

  /** The program of a document, and its unit there. */
  const unitOf = async ({ source, project }: OpenDocument) => {
    const read = await project?.read();
    return { unit: read && unitNamed(read, source.name), read };
  };
  const located = async (
    textDocument: TextDocumentIdentifier,
    position?: Position,
  ): Promise<Located | undefined> => {
    const one = documentOf(textDocument);
    const { unit, read } = one?.project ? await unitOf(one) : {};
    if (!one?.project || !unit || !read) return undefined;
    const offset = position ? toOffset(one.source.text, position) : 0;
    return { unit, offset, read, uriOf: await one.project.uris() };
  };

  const configurationSchema = once((): Schema => {
    const text = readTextAt(workspace.disk, join(programFolder ?? '', 'schema', 'config.schema.json'));
    return text === undefined ? {} : (JSON.parse(text) as Schema);
  });

  connection.onHover(async ({ textDocument, position }) => {
    const one = documentOf(textDocument);
    if (!one) return null;
    const offset = toOffset(one.source.text, position);
    if (isConfiguration(one)) return configurationHover(one.source, offset, configurationSchema()) ?? null;
    if (isSource(one)) return hoverAt(one.source, offset, await one.project?.compiled()) ?? null;
    const { unit } = await unitOf(one);
    return (unit && hoverInMarkdown(unit, offset, await one.project?.compiled())) ?? null;
  });

  connection.onCompletion(async ({ textDocument, position }): Promise<CompletionItem[]> => {
    const one = documentOf(textDocument);
    if (!one) return [];
    const offset = toOffset(one.source.text, position);
    if (isConfiguration(one)) return configurationCompletions(one.source, offset, configurationSchema());
    if (!isSource(one)) return [];
    const root = one.project?.root ?? join(one.path, '..');
    const read = await one.project?.read();
    const around = { path: one.path, root, disk: workspace.disk, read };
    return [
      ...(await remoteCompletionsAt(one.source, offset, around)),
      ...completionsAt(one.source, offset, around),
    ];
  });

  connection.onDefinition(async ({ textDocument, position }) => {
    const one = documentOf(textDocument);
    if (!one?.project) return [];
    const { project, source } = one;
    if (isGenerated(one)) {
      const origin = (await originsOf(source.name, source.text, project))[position.line];
      if (!origin?.file) return [];
      const start = { line: origin.line - 1, character: origin.column - 1 };
      return [{ uri: (await project.uris())(origin.file), range: { start, end: start } }];
    }
    if (isConfiguration(one)) {
      const path = configurationDefinition(
        source,
        toOffset(source.text, position),
        project.root,
        workspace.disk,
      );
      return path === undefined ? [] : [{ uri: pathToFileURL(path).href, range: fileStart }];
    }
    const found = await located(textDocument, position);
    return found ? definitionsAt(found) : [];
  });

  connection.onReferences(async ({ textDocument, position, context }) => {
    const found = await located(textDocument, position);
    return found ? referencesAt(found, context.includeDeclaration) : [];
  });

  connection.onPrepareRename(async ({ textDocument, position }) => {
    const found = await located(textDocument, position);
    const span = found && renameableAt(found);
    return span ? toRange(span) : null;
  });

  connection.onRenameRequest(async ({ textDocument, position, newName }) => {
    const found = await located(textDocument, position);
    return found ? renameAt(found, newName) : null;
  });

  connection.onDocumentSymbol(({ textDocument }) => {
    const source = openSource(textDocument);
    return source ? symbolsIn(parseDocument(source, silent)) : [];
  });

  connection.onFoldingRanges(({ textDocument }) => {
    const source = openSource(textDocument);
    return source ? foldsIn(source) : [];
  });

  connection.onDocumentFormatting(({ textDocument }): TextEdit[] => {
    const source = openSource(textDocument);
    const text = source && formatSource(source, silent);
    if (!source || text === undefined || text === source.text) return [];
    return [{ range: toRange({ source, start: 0, end: source.text.length }), newText: text }];
  });

  connection.onDocumentLinks(async ({ textDocument }) => {
    const found = await located(textDocument);
    return found ? documentLinks(found) : [];
  });

  connection.languages.semanticTokens.on(({ textDocument }) => {
    const source = openSource(textDocument);
    return source ? semanticTokensOf(source) : { data: [] };
  });

  connection.onCodeLens(async ({ textDocument }) => {
    const one = documentOf(textDocument);
    if (!one?.project) return [];
    if (isGenerated(one))
      return originLenses(one.source.name, one.source.text, one.project, await one.project.uris());
    if (!isSource(one) && !isMarkdownPath(one.path)) return [];
    const { unit } = await unitOf(one);
    const compiled = await one.project.compiled();
    return unit && compiled ? reachLenses(unit, textDocument.uri, compiled) : [];
  });

  connection.onCodeAction(async ({ textDocument, range }): Promise<CodeAction[]> => {
    const one = documentOf(textDocument);
    await publisher.settled();
    if (!one?.project) return [];
    const published = publisher.publishedIn(textDocument.uri);
    const fixes = quickFixes(published, range, await one.project.uris());
    if (!isGenerated(one) || published.length === 0) return fixes;
    const title = 'Move the edits of this file into the sources (prs absorb)';
    const command = { title, command: commands.absorb, arguments: [textDocument.uri] };
    return [...fixes, { title, kind: 'quickfix', diagnostics: published.map(({ shown }) => shown), command }];
  });

  connection.onRequest(requests.outputs, async ({ uri }: TextDocumentIdentifier) => {
    const project = workspace.projectAt(uri);
    return project ? outputsOf(project) : [];
  });
  connection.onRequest(requests.preview, async ({ uri, path }: TextDocumentIdentifier & { path: string }) => {
    const project = workspace.projectAt(uri);
    return (project && (await previewOf(project, path))) ?? null;
  });
  connection.onRequest(requests.drift, async ({ uri }: TextDocumentIdentifier) => {
    const project = workspace.projectAt(uri);
    return (project && (await driftOf(project))) ?? null;
  });

  connection.workspace.textDocumentContent.on(async ({ uri }) => {
    const name = remoteName(uri);
    for (const project of workspace.projects) {
      const text = name === undefined ? undefined : remoteSources(await project.read()).get(name);
      if (text !== undefined) return { text };
    }
    return null;
  });

  function isGenerated({ project, source }: OpenDocument): boolean {
    return project?.recorded(source.name) !== undefined;
  }
}
