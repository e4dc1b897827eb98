import { nestingTooDeep } from '../generated/diagnostics.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { Declaration, Document } from './ast.ts';
import { constructDeclaration } from './construct.ts';
import { type Chunk, cutDeclaration, hasBody, nestingLimit } from './cut.ts';
import { explainFailure } from './explain.ts';
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
  for (;;) {
    let chunk = cutDeclaration(source, at, retries >= maxRetries);
    if (!chunk) break;
    // The rest of a broken declaration is not reported again.
    if (broken && chunk.overclosed && !hasBody(chunk.tokens)) {
      at = chunk.end;
      continue;
    }
    let result = parseChunk(chunk);
    // The lexer has scanned to the end of the file for each unclosed text.
    if (chunk.tokens.at(-1)!.type === 'openText') retries++;
    if ('problem' in result && isDoubtful(chunk, result.offset)) {
      retries++;
      chunk = cutDeclaration(source, at, true)!;
      result = parseChunk(chunk);
    }
    at = chunk.end;
    broken = 'problem' in result;
    isBroken ||= broken;
    if ('problem' in result) report(result.problem);
    const tree = 'problem' in result ? recoverDeclaration(chunk) : result;
    if (tree) declarations.push(constructDeclaration(tree, report));
  }
  return { source, declarations, ...(isBroken && { isBroken }) };
}

/** A syntax error and its offset. */
interface ParseProblem {
  readonly problem: Diagnostic;
  readonly offset: number;
}

function parseChunk(chunk: Chunk): DeclarationTree | ParseProblem {
  if (chunk.tooDeep) {
    const problem = nestingTooDeep({ limit: nestingLimit }, { span: spanOf(chunk.tooDeep) });
    return { problem, offset: chunk.tooDeep.start };
  }
  const outcome = parseTokens(chunk.tokens);
  if (outcome.ok) return outcome.tree;
  const problem = explainFailure({ chunk, at: outcome.at, expected: outcome.expected });
  return { problem, offset: chunk.tokens[outcome.at]?.start ?? chunk.end };
}

/**
 * Whether to cut a chunk again in strict mode, at the first line that looks like a declaration. An error
 * before that line in a chunk with balanced brackets is unrelated to it.
 */
const isDoubtful = ({ doubt, unclosed }: Chunk, offset: number): boolean =>
  doubt !== undefined && (offset >= doubt || unclosed.length > 0);
