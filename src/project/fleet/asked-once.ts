import type { WritableDisk } from '../../host/host.ts';

const methods = ['readBytes', 'list', 'stat', 'lstat', 'realpath', 'readLink'] as const;

/**
 * A disk that is asked each question once: a plan writes nothing, and sees a repository as it was at one moment. A
 * failure is asked again.
 */
export function askedOnce(disk: WritableDisk): WritableDisk {
  // Failing to open what is not there takes ten times as long as seeing that.
  const readBytes = (path: string) => {
    const found = once.stat(path);
    return found && disk.readBytes(path, found.kind === 'file' ? found.size : undefined);
  };
  const remembered = methods.map(method => {
    const answers = new Map<string, unknown>();
    const ask = method === 'readBytes' ? readBytes : disk[method];
    const value = (path: string) => {
      if (answers.has(path)) return answers.get(path);
      const answer = ask(path);
      answers.set(path, answer);
      return answer;
    };
    return [method, { value }] as const;
  });
  const once: WritableDisk = Object.create(disk, Object.fromEntries(remembered));
  return once;
}
