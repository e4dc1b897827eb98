import { dirname, join } from 'node:path';
import type { WritableDisk } from '../../host/host.ts';
import { overlayDisk } from '../../host/overlay.ts';
import type { SourceFile } from './write-sources.ts';

/** A disk on which files are written already. */
export function withFiles(files: readonly SourceFile[], root: string, below: WritableDisk): WritableDisk {
  const disk = overlayDisk(below);
  for (const { path, text, executable } of files) {
    disk.makeDirectory(dirname(join(root, path)));
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    disk.writeBytes(join(root, path), bytes, { mode: executable ? 0o755 : 0o644 });
  }
  return disk;
}
