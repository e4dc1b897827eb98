import type { Nodes, PhrasingContent, RootContent } from 'mdast';
import { words as data } from '../../../generated/import.ts';
import { once } from '../../../text/memo.ts';
import { wordsIn } from './markdown.ts';

/** The weight of a word inside a heading relative to the whole heading. */
const containedShare = 0.85;

/** The words of `conventions/import.yaml` by which import classifies sections, prepared on first use. */
export const importWords = once(() => ({
  data,
  personas: data.personas.map(expression => new RegExp(expression, 'u')),
  forbids: data.forbids.map(expression => new RegExp(expression, 'u')),
  asks: new Set(data.asks.trim().split(/\s+/)),
  programs: new Set(data.programs.trim().split(/\s+/)),
  shells: new Set(data.shells),
  stack: new Set(data.stack),
  /** Headings below which slash commands are commands to import. */
  commands: new Set(data.commands),
}));

/** Normalizes a heading: numbering, punctuation and markup are removed. */
export function plainHeading(title: string): string {
  return title
    .toLowerCase()
    .replace(/['’`*_]/g, '')
    .replace(/\s&\s/g, ' and ')
    .replace(/^[\s\d.()#:>-]+(?=\p{L})/u, '')
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}

/** The votes of a heading, the best one for each block. */
function headingVotes(title: string): ReadonlyMap<string, number> {
  const plain = plainHeading(title);
  const padded = ` ${plain} `;
  const votes = new Map<string, number>();
  const add = ({ block }: { readonly block: string }, weight: number) =>
    votes.set(block, Math.max(weight, votes.get(block) ?? 0));
  for (const word of data.headings) if (word.equals?.includes(plain)) add(word, word.weight);
  if (votes.size > 0) return votes;
  for (const word of data.headings)
    for (const text of word.contains ?? []) {
      // A heading that begins with the words counts as much as the words alone.
      if (padded.startsWith(` ${text} `)) add(word, word.weight);
      else if (padded.includes(` ${text} `)) add(word, word.weight * containedShare);
    }
  // Languages with compound words have the words inside of others.
  for (const word of data.headings)
    if (word.within?.some(text => plain.includes(text))) add(word, word.weight);
  return votes;
}

/** Whether a text begins like the description of a persona. */
export function startsPersona(text: string): boolean {
  const start = openingOf(text);
  return importWords().personas.some(expression => expression.test(start));
}

/** The first line of a text as the expressions match it: lower case, without markup at its start. */
function openingOf(text: string): string {
  return text
    .trimStart()
    .slice(0, 300)
    .split('\n', 1)[0]!
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(
      /^(?:\/\/|[#>*_\s\p{Extended_Pictographic}]|\ufe0f|(?:important|note|critical|mandatory|warning|tip)\s*:|\[!\w+\])+/u,
      '',
    )
    .trim();
}

/** The block that a section belongs to, and the confidence (0 to 1). */
export interface Classification {
  readonly block: string;
  readonly confidence: number;
}

/** A section with at least this share of prohibitions is a list of prohibitions. */
const allForbid = 0.8;

/** Classifies a section by its heading and content. `leaning` adds weight by position in the document. */
export function classify(
  title: string,
  nodes: readonly RootContent[],
  leaning: ReadonlyMap<string, number> = new Map(),
): Classification {
  const evidence = gatherEvidence(nodes);
  const votes = new Map(leaning);
  const named = headingVotes(title);
  const namesCommands = named.has('shortcuts') || importWords().commands.has(plainHeading(title));
  for (const [block, weight] of named) add(votes, block, weight);
  for (const [block, weight] of votesOfContent(evidence, namesCommands)) add(votes, block, weight);
  return verdictOf(votes);
}

function add(votes: Map<string, number>, block: string, weight: number): void {
  votes.set(block, (votes.get(block) ?? 0) + weight);
}

function votesOfContent({ traits, total }: Evidence, namesCommands: boolean): Map<string, number> {
  const { weights } = data;
  const votes = new Map<string, number>();
  if (total === 0) return votes;
  const share = (trait: Trait) => (traits.get(trait) ?? 0) / total;
  const forbids = share('forbids');
  add(votes, 'standards', weights.asks * (share('asks') + forbids));
  if (forbids >= allForbid) add(votes, 'restrictions', weights.forbids * forbids);
  add(
    votes,
    'knowledge',
    weights.runs * share('runs') + weights.links * share('links') + weights.shows * share('shows'),
  );
  add(
    votes,
    'context',
    weights.paths * share('paths') + weights.names * share('names') + weights.tells * share('tells'),
  );
  // Routes look like slash commands; only the heading says whether these are for the agent.
  if (namesCommands) add(votes, 'shortcuts', weights.slashes * share('slashes'));
  else add(votes, 'context', weights.names * share('slashes'));
  return votes;
}

/** A section without any votes becomes knowledge. */
function verdictOf(votes: ReadonlyMap<string, number>): Classification {
  let best: Classification = { block: 'knowledge', confidence: 0 };
  let second = 0;
  for (const [block, weight] of votes) {
    if (weight > best.confidence) {
      second = best.confidence;
      best = { block, confidence: weight };
    } else if (weight > second) second = weight;
  }
  if (best.confidence <= 0) return best;
  const lead = (best.confidence - second) / best.confidence;
  const confidence = Math.min(1, best.confidence) * (0.5 + lead / 2);
  return { block: best.block, confidence: Math.round(confidence * 100) / 100 };
}

/** What kind of statement a list item, a standalone sentence or a code block is. */
type Trait = 'asks' | 'forbids' | 'runs' | 'paths' | 'links' | 'slashes' | 'names' | 'tells' | 'shows';

/** The number of statements of each kind. */
interface Evidence {
  readonly traits: ReadonlyMap<Trait, number>;
  readonly total: number;
}

/** The weight of a code block, in statements. */
const weightOfCode = 2;

/** Counts the statements in the nodes of a section, ignoring headings and tables. */
function gatherEvidence(nodes: readonly RootContent[]): Evidence {
  const traits = new Map<Trait, number>();
  let total = 0;
  const count = (trait: Trait, by = 1) => {
    traits.set(trait, (traits.get(trait) ?? 0) + by);
    total += by;
  };
  const visit = (node: Nodes, next?: Nodes): void => {
    if (node.type === 'paragraph') {
      const text = wordsIn(node);
      // A sentence that only introduces a code block is not counted.
      if (next?.type === 'code' && text.trimEnd().endsWith(':')) return;
      for (const statement of statementsOf(text)) count(traitOfText(statement, node.children));
    } else if (node.type === 'code') count(traitOfCode(node.lang ?? '', node.value), weightOfCode);
    else if (node.type === 'list') for (const { children } of node.children) visitItem(children);
    else if (node.type === 'blockquote') for (const child of node.children) visit(child);
  };
  const visitItem = ([head, ...below]: readonly Nodes[]): void => {
    if (head?.type === 'paragraph') count(traitOfText(wordsIn(head), head.children));
    else if (head) visit(head);
    for (const child of below) visit(child);
  };
  for (const [index, node] of nodes.entries()) visit(node, nodes[index + 1]);
  return { traits, total };
}

/** Splits text into statements: lines that all begin like sentences; wrapped prose is one statement. */
function statementsOf(text: string): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const apart =
    lines.length > 1 && lines.every(line => /^\s*(?:\/\/\s*|["'*\-\d.]+\s*)*[\p{Lu}"]/u.test(line));
  return apart ? lines : [text];
}

function traitOfText(text: string, content: readonly PhrasingContent[]): Trait {
  const plain = text.trim();
  if (/^`?\/[a-z][\w:-]*(?: [[<][^\]>]*[\]>])?`?(?:\s*[:–—-]|\s*$)/i.test(plain)) return 'slashes';
  if (isLink(plain, content)) return 'links';
  const raw = plain.toLowerCase();
  const start = openingOf(text);
  const { label, rest } = splitLabel(start);
  if (
    importWords().forbids.some(
      expression => expression.test(start) || expression.test(rest) || expression.test(raw),
    )
  )
    return 'forbids';
  if (isCommand(plain, label)) return 'runs';
  if (isRequest(start) || (label !== '' && isRequest(rest))) return 'asks';
  if (/\b(must|should|always|never|required|mandatory)\b/.test(raw.slice(0, 400))) return 'asks';
  if (plain.length <= 60 && plain.split(/\s+/).length <= 6 && !/[.!?]$/.test(plain)) return 'names';
  return 'tells';
}

/** Whether a text begins with an imperative, perhaps after a clause: `For small fixes, extend a test`. */
function isRequest(text: string): boolean {
  if (
    importWords().asks.has(
      /^(?:always |please |then |first,? |also |only )?(\p{Ll}[\p{Ll}-]*)/u.exec(text)?.[1] ?? '',
    )
  )
    return true;
  const after =
    /^(?:for|in|if|when|whenever|to|before|after|on|with|during|where|unless|while) [^,.:]{1,100}, (?:always |please )?([a-z][a-z-]*)/.exec(
      text,
    );
  return importWords().asks.has(after?.[1] ?? '');
}

/** Splits `**label**: rest` and removes the markup. */
function splitLabel(text: string): { label: string; rest: string } {
  const match = /^([^:]{1,60}?)(?::|\s[–—-]\s)\**\s*(.*)$/.exec(text);
  return match ? { label: match[1]!, rest: match[2]!.replace(/^[*_\s]+/, '') } : { label: '', rest: text };
}

/** Whether a text is little more than a link. */
function isLink(text: string, content: readonly PhrasingContent[]): boolean {
  const at = content.findIndex(node => node.type === 'link' || node.type === 'linkReference');
  if (at === -1) return /^@[\w./~-]+$/.test(text);
  const before = content.slice(0, at).map(wordsIn).join('').trim();
  if (at === 0 || before === '') return true;
  return /^(?:see|read|refer to|check|visit|[\w ]{1,30}:)(?: the| also)?$/i.test(before) && text.length < 200;
}

const firstCode = (text: string): string => /`([^`]+)`/.exec(text)?.[1] ?? '';

function startsProgram(code: string): boolean {
  const [program = '', argument] = code
    .replace(/^(?:\$|>|sudo)\s+/, '')
    .trim()
    .split(/\s+/, 2);
  const name = program.replace(/^(?:\.{0,2}\/)*(?:[\w.-]+\/)*/, '').replace(/\.(?:sh|bat|cmd|exe)$/, '');
  if (/\.(?:sh|bat|ps1)$/.test(program)) return true;
  return (
    importWords().programs.has(name) &&
    (argument !== undefined || code.startsWith('./') || name === code.trim())
  );
}

/** Whether an item is about its command line, with little more than a name for it. */
function isCommand(text: string, label: string): boolean {
  const code = firstCode(text);
  if (code === '' || !startsProgram(code) || !/\s/.test(code.trim())) {
    return /^\$ /.test(text) || (label !== '' && code !== '' && startsProgram(code) && text.length < 60);
  }
  const others = text
    .replace(/\([^)]*\)/g, '')
    .replace(/`[^`]*`/g, '')
    .trim()
    .split(/\s+/)
    .filter(word => /\p{L}/u.test(word));
  return text.startsWith('`') || others.length <= 9;
}

function traitOfCode(language: string, text: string): Trait {
  if (/[├└│]/.test(text)) return 'paths';
  if (importWords().shells.has(language.toLowerCase())) return 'runs';
  if (language !== '') return 'shows';
  const lines = text.split('\n').filter(line => line.trim() !== '' && !line.trim().startsWith('#'));
  if (lines.length > 0 && lines.every(line => startsProgram(line.trim()))) return 'runs';
  return 'shows';
}
