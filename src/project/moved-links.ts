import { posix } from 'node:path';
import type { Unit } from '../resolve/program.ts';
import { findFrontMatter } from '../text/front-matter.ts';
import { normalizeInnerPath } from '../text/paths.ts';

/** A relative link that leads nowhere from an output that the change adds. */
export interface BrokenLink {
  readonly output: string;
  readonly link: string;
}

/** A relative link: its place in the text, and the path of the file that it leads to, from the root. */
interface Link {
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/**
 * Follows Markdown sources that are written into another folder by a change. When all outputs with the text of a
 * source leave one folder for another, the relative links in the source are rewritten. When the
 * text is in several folders, the links of the source stay, and those that lead nowhere in a new output are returned.
 * `before` and `after` are the texts of outputs by path; `exists` tests a path from the root.
 */
export async function moveLinks(
  units: readonly Unit[],
  { before, after }: Readonly<Record<'before' | 'after', ReadonlyMap<string, string>>>,
  exists: (path: string) => boolean,
): Promise<{ readonly edits: ReadonlyMap<string, string>; readonly broken: readonly BrokenLink[] }> {
  const edits = new Map<string, string>();
  const broken: BrokenLink[] = [];
  for (const unit of units) {
    if (unit.kind !== 'document' && unit.kind !== 'item') continue;
    const { text, name } = unit.source;
    const bodyStart = findFrontMatter(text)?.bodyStart ?? 0;
    const body = text.slice(bodyStart).trim().replaceAll('\r\n', '\n');
    if (body === '') continue;
    const [old, now] = [before, after].map(outputs => pathsWith(body, outputs));
    const from = onlyFolder(old!);
    if (from === undefined) continue;
    const moved = now!.filter(path => posix.dirname(path) !== from && !old!.includes(path));
    if (moved.length === 0) continue;
    const links = await linksIn(text, bodyStart, from, exists);
    const to = onlyFolder(now!);
    if (to === undefined) {
      for (const output of moved)
        for (const { start, end } of links) {
          const link = text.slice(start, end);
          if (!exists(targetOf(link, posix.dirname(output)) ?? '')) broken.push({ output, link });
        }
    } else if (links.length > 0) edits.set(name, withLinks(text, links, to));
  }
  return { edits, broken };
}

const pathsWith = (body: string, outputs: ReadonlyMap<string, string>): string[] =>
  [...outputs].flatMap(([path, text]) => (text.includes(body) ? [path] : []));

const onlyFolder = (paths: readonly string[]): string | undefined => {
  const folders = new Set(paths.map(path => posix.dirname(path)));
  return folders.size === 1 ? [...folders][0] : undefined;
};

function withLinks(text: string, links: readonly Link[], folder: string): string {
  let changed = text;
  for (const { start, end, target } of [...links].reverse()) {
    const [path, rest] = splitUrl(text.slice(start, end));
    const moved = posix.relative(`/${folder}`, `/${target}`) || '.';
    const url = `${moved}${path.endsWith('/') ? '/' : ''}${rest}`;
    changed = `${changed.slice(0, start)}${url}${changed.slice(end)}`;
  }
  return changed;
}

/**
 * The destinations of links, images and definitions that lead to a file below the root, in text order. A path with
 * `../` needs no such file: it can be one that a build makes.
 */
async function linksIn(
  text: string,
  bodyStart: number,
  folder: string,
  exists: (path: string) => boolean,
): Promise<Link[]> {
  const { parse, postprocess, preprocess } = await import('micromark');
  const body = text.slice(bodyStart);
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(body, undefined, true)),
  );
  return events.flatMap(([kind, token]): Link[] => {
    if (kind !== 'enter' || !/^(?:resource|definition)DestinationString$/.test(token.type)) return [];
    const [start, end] = [bodyStart + token.start.offset, bodyStart + token.end.offset];
    const target = targetOf(text.slice(start, end), folder);
    const isLink = target !== undefined && (text.startsWith('../', start) || exists(target));
    return isLink ? [{ start, end, target }] : [];
  });
}

/** The path, from the root, that a relative link leads to; `undefined` for other links and outside of the root. */
function targetOf(url: string, folder: string): string | undefined {
  const [path] = splitUrl(url);
  if (path === '' || /^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(path)) return undefined;
  return normalizeInnerPath(folder === '.' ? path : `${folder}/${path}`);
}

/** The path of a URL, and its query and fragment. */
function splitUrl(url: string): readonly [string, string] {
  const at = url.search(/[?#]/);
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
}
