import type { Disk } from '../../host/host.ts';

/** Absolute paths that were looked at, whether something was there or not. */
export interface Looked {
  readonly files: Set<string>;
  readonly directories: Set<string>;
}

/** A disk that takes down what is read from it: what a compile depends on, and so what a watcher has to watch. */
export function recordingDisk<T extends Disk>(disk: T): { disk: T; looked: Looked } {
  const looked: Looked = { files: new Set(), directories: new Set() };
  const recording: T = Object.create(disk, {
    readBytes: {
      value: (path: string) => {
        looked.files.add(path);
        return disk.readBytes(path);
      },
    },
    stat: {
      value: (path: string) => {
        looked.files.add(path);
        return disk.stat(path);
      },
    },
    lstat: {
      value: (path: string) => {
        looked.files.add(path);
        return disk.lstat(path);
      },
    },
    list: {
      value: (path: string) => {
        looked.directories.add(path);
        return disk.list(path);
      },
    },
  });
  return { disk: recording, looked };
}
