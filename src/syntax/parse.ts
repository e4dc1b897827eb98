import { nestingTooDeep } from '../generated/diagnostics.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { Declaration, Document } from './ast.ts';
import { constructDeclaration } from './construct.ts';
import { type Chunk, cutDeclaration, hasBody, nestingLimit } from './cut.ts';
import { explainFailure } from './explain.ts';
import type { Failure } from './hints.ts';
import { spanOf } from './lexer.ts';
import { parseTokens } from './parser.ts';
import { recoverDeclaration } from './recover.ts';
import type { DeclarationTree } from './tree.ts';

/** After this many retries the rest of a file is cut in strict mode, which keeps the time linear. */
const maxRetries = 20;

/**
 * Parses a file. One error is reported of each declaration. Items that cannot be parsed are left out; the
 * items around them are kept. Never throws.
 */
export function parseDocument(source: Source, report: Report): Document {
  const declarations: Declaration[] = [];
  let retries = 0;
  let at = 0;
  let broken = false;
  let isBroken = false;
  let chunk: Chunk | undefined;
  for (;;) {
    chunk = cutDeclaration(source, at, retries >= maxRetries);
    if (!chunk) break;
    if (broken && chunk.overclosed && !hasBody(chunk.tokens)) {
      // The rest of a broken declaration is not reported again.
      at = chunk.end;
      continue;
    }
    let result = parseChunk(chunk);
    // The lexer has scanned to the end of the file for each unclosed text.
    if (chunk.tokens.at(-1)!.type === 'openText') retries++;
    if ('failure' in result && isDoubtful(chunk, result.failure)) {
      retries++;
      chunk = cutDeclaration(source, at, true)!;
      result = parseChunk(chunk);
    }
    at = chunk.end;
    broken = 'failure' in result;
    isBroken ||= broken;
    if ('failure' in result) report(result.failure.problem);
    const tree = 'failure' in result ? recoverDeclaration(chunk) : result.tree;
    if (tree) declarations.push(constructDeclaration(tree, report));
  }
  return { source, declarations, ...(isBroken && { isBroken }) };
}

interface ParseProblem {
  readonly problem: Diagnostic;
  /** Offset of the failure. */
  readonly offset: number;
}

function parseChunk(chunk: Chunk): { readonly tree: DeclarationTree } | { readonly failure: ParseProblem } {
  if (chunk.tooDeep) {
    const problem = nestingTooDeep({ limit: nestingLimit }, { span: spanOf(chunk.tooDeep) });
    return { failure: { problem, offset: chunk.tooDeep.start } };
  }
  const outcome = parseTokens(chunk.tokens);
  if (outcome.ok) return { tree: outcome.tree };
  const failure: Failure = { chunk, at: outcome.at, expected: outcome.expected };
  return {
    failure: { problem: explainFailure(failure), offset: chunk.tokens[outcome.at]?.start ?? chunk.end },
  };
}

/**
 * Whether to cut a chunk again in strict mode, at the first line that looks like a declaration. An error
 * before that line in a chunk with balanced brackets is unrelated to it.
 */
function isDoubtful(chunk: Chunk, failure: ParseProblem): boolean {
  if (chunk.doubt === undefined) return false;
  return failure.offset >= chunk.doubt || chunk.unclosed.length > 0;
}
