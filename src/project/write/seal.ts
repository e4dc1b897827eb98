/**
 * State below `.instr/.state` controls what is written, deleted and owned, and a repository could contain such files.
 * Therefore state has a seal: an HMAC of its content, kind and real project path, with a secret of the user. State
 * without a valid seal is ignored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { dirname } from 'node:path';
import { homeFolder } from '../../host/home.ts';
import { type Disk, ignoreHostErrors } from '../../host/host.ts';
import { pathBelow } from '../../host/relative-path.ts';
import { secretPath, userSecret } from '../../host/user-secret.ts';

/** The kind of a sealed text, which prevents swapping files. */
export type SealedKind = 'run' | 'written' | 'others' | 'manifest';

/** The project of sealed texts. */
export interface SealedPlace {
  readonly root: string;
  readonly disk: Disk;
}

const head = /^\{"seal":"([0-9a-f]{64})",?/;

/** Adds the seal as first field of a JSON object. Without a secret, the seal is invalid. */
export function sealText(text: string, kind: SealedKind, place: SealedPlace): string {
  const seal = sealOf(text, kind, place, true)?.toString('hex') ?? '0'.repeat(64);
  return `{"seal":"${seal}"${/^\{\s*\}/.test(text) ? '' : ','}${text.slice(1)}`;
}

/** Removes the seal; `undefined` if it is not valid. */
export function unsealText(text: string, kind: SealedKind, place: SealedPlace): string | undefined {
  const [start, hex] = head.exec(text) ?? [];
  if (start === undefined || hex === undefined) return undefined;
  const content = `{${text.slice(start.length)}`;
  const seal = sealOf(content, kind, place, false);
  return seal && timingSafeEqual(seal, Buffer.from(hex, 'hex')) ? content : undefined;
}

function sealOf(text: string, kind: SealedKind, place: SealedPlace, create: boolean): Buffer | undefined {
  const secret = secretFor(place, create);
  if (!secret) return undefined;
  const root = place.disk.realpath(place.root) ?? place.root;
  return createHmac('sha256', secret)
    .update(`${JSON.stringify([kind, root])}\n${text}`)
    .digest();
}

/**
 * The secret of the user. A secret inside the project may have come with it, so it is not used, except if the project
 * is the home folder.
 */
function secretFor({ root, disk }: SealedPlace, create: boolean): Uint8Array | undefined {
  const path = secretPath(process.env);
  const real = disk.realpath(root) ?? root;
  const home = homeFolder(process.env);
  // The state folder may be unreadable.
  return ignoreHostErrors(() => {
    const folder = disk.realpath(dirname(path)) ?? dirname(path);
    const isInside = [root, real].some(one =>
      [path, folder].some(place => pathBelow(one, place) !== undefined),
    );
    return isInside && root !== home && real !== home ? undefined : userSecret(path, create);
  });
}
