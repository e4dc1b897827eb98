import { EmitMemory } from '../../emit/memory.ts';
import { sha256 } from '../../host/hash.ts';
import type { WritableDisk } from '../../host/host.ts';
import { keepItems } from '../../model/keep-items.ts';
import type { Model } from '../../model/model.ts';
import { type Encode, encodeText } from '../../plan/collect.ts';
import { createParser } from '../../syntax/parse.ts';
import { sameData } from '../../text/equal.ts';
import { chooseBuilds } from '../open/builds.ts';
import type { Context, Memory } from '../open/context.ts';
import { openProject } from '../open/open.ts';
import { keepContents } from '../write/kept-contents.ts';

/**
 * Makes a memory for compiles of one project and one request that follow one another. It finds again what was made
 * from the same things; nothing in it changes what a compile gives.
 */
export function createMemory(): Memory {
  const models = new Map<string | undefined, Model>();
  const contents = keepContents();
  return {
    parse: createParser(),
    open: whileSameReads(openProject),
    choose: oncePerProject(chooseBuilds),
    model: (model, build) => {
      const earlier = models.get(build);
      const kept = earlier ? keepItems(model, earlier) : model;
      models.set(build, kept);
      return kept;
    },
    emit: new EmitMemory(),
    plan: { encode: oncePerFile(encodeText), hash: oncePerContent(sha256) },
    contents,
  };
}

const oncePerFile = (encode: Encode): Encode => {
  const known = new WeakMap<Parameters<Encode>[0], Uint8Array>();
  return (file, text) => {
    const bytes = known.get(file) ?? encode(file, text);
    known.set(file, bytes);
    return bytes;
  };
};

/** Nobody writes into contents, so that one that is the same object has the same hash. */
const oncePerContent = (hash: typeof sha256): typeof sha256 => {
  const known = new WeakMap<Uint8Array, string>();
  return bytes => {
    const digest = known.get(bytes) ?? hash(bytes);
    known.set(bytes, digest);
    return digest;
  };
};

/** The builds of a project follow from it; what was found with them is told each time. */
function oncePerProject(choose: typeof chooseBuilds): typeof chooseBuilds {
  const known = new WeakMap<object, { result: ReturnType<typeof chooseBuilds>; found: Found }>();
  return (project, choice, context) => {
    let last = known.get(project);
    if (!last) {
      const found: Found = [];
      const result = choose(project, choice, { ...context, report: finding => void found.push(finding) });
      last = { result, found };
      known.set(project, last);
    }
    last.found.forEach(context.report);
    return last.result;
  };
}

type Found = Parameters<Context['report']>[0][];

const methods = ['readBytes', 'stat', 'lstat', 'list', 'realpath', 'readLink'] as const;

interface Look {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly answer: unknown;
}

/**
 * An action whose result follows from what it reads: when the disk gives the same answers, the last result and its
 * findings count again. A disk that fails is asked anew.
 */
function whileSameReads<T>(action: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  let last: { looks: Look[]; result: T; found: Found } | undefined;
  const isSame = (disk: WritableDisk) => {
    try {
      return last?.looks.every(({ method, path, answer }) => sameData(disk[method](path), answer)) ?? false;
    } catch {
      return false;
    }
  };
  return async context => {
    if (!isSame(context.disk)) {
      last = undefined;
      const looks: Look[] = [];
      const found: Found = [];
      let failed = false;
      const disk: WritableDisk = Object.create(context.disk);
      for (const method of methods) {
        const value = (path: string) => {
          try {
            const answer = context.disk[method](path);
            looks.push({ method, path, answer });
            return answer;
          } catch (error) {
            failed = true;
            throw error;
          }
        };
        Object.defineProperty(disk, method, { value });
      }
      const report: Context['report'] = finding => void found.push(finding);
      const result = await action({ ...context, disk, report });
      if (!failed) last = { looks, result, found };
      found.forEach(context.report);
      return result;
    }
    last!.found.forEach(context.report);
    return last!.result;
  };
}
