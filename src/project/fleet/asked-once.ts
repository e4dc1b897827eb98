import type { WritableDisk } from '../../host/host.ts';
import { interceptReads, questions } from '../../host/intercept-reads.ts';

/**
 * A disk that is asked each question once: a plan writes nothing, and sees a repository as it was at one moment. A
 * failure is asked again.
 */
export function askedOnce(disk: WritableDisk): WritableDisk {
  const known = new Map(questions.map(question => [question, new Map<string, unknown>()]));
  // Failing to open what is not there takes ten times as long as seeing that.
  const readBytes = (path: string) => {
    const found = once.stat(path);
    return found && disk.readBytes(path, found.kind === 'file' ? found.size : undefined);
  };
  const once = interceptReads(disk, (question, path) => {
    const answers = known.get(question)!;
    if (!answers.has(path))
      answers.set(path, question === 'readBytes' ? readBytes(path) : disk[question](path));
    return answers.get(path);
  });
  return once;
}
