/**
 * State below `.instr/.state` steers what is written, deleted and owned, and a repository can bring such files along.
 * What is written there carries a seal: an HMAC of its content, of what it is and of the real path of the project, by
 * the secret of this user. Only state with a right seal is used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { dirname } from 'node:path';
import { homeFolder } from '../../host/home.ts';
import { type Disk, HostError } from '../../host/host.ts';
import { secretPath, userSecret } from '../../host/user-secret.ts';
import { pathBelow } from '../open/root.ts';

/** What a sealed text is, so that none passes for another one. */
export type SealedKind = 'run' | 'written' | 'others' | 'manifest';

/** Where sealed texts belong. */
export interface SealedPlace {
  readonly root: string;
  readonly disk: Disk;
}

const head = /^\{"seal":"([0-9a-f]{64})",?/;

/** Puts the seal into the text of a JSON object, as its first field. Without a secret, it is one that is never right. */
export function sealText(text: string, kind: SealedKind, place: SealedPlace): string {
  const seal = sealOf(text, kind, place, true)?.toString('hex') ?? '0'.repeat(64);
  return `{"seal":"${seal}"${/^\{\s*\}/.test(text) ? '' : ','}${text.slice(1)}`;
}

/** Takes the seal out again. Gives `undefined` for a text that this user did not write here for this project. */
export function unsealText(text: string, kind: SealedKind, place: SealedPlace): string | undefined {
  const [start, hex] = head.exec(text) ?? [];
  if (start === undefined || hex === undefined) return undefined;
  const content = `{${text.slice(start.length)}`;
  const seal = sealOf(content, kind, place, false);
  return seal && timingSafeEqual(seal, Buffer.from(hex, 'hex')) ? content : undefined;
}

/** Whether there is a secret, by which state can be recognised. */
export const hasSecret = (place: SealedPlace): boolean => secretFor(place, false) !== undefined;

function sealOf(text: string, kind: SealedKind, place: SealedPlace, create: boolean): Buffer | undefined {
  const secret = secretFor(place, create);
  if (!secret) return undefined;
  const root = place.disk.realpath(place.root) ?? place.root;
  return createHmac('sha256', secret)
    .update(`${JSON.stringify([kind, root])}\n${text}`)
    .digest();
}

/** A secret that lies in the project could have come with it; the home folder as a project holds the user's own. */
function secretFor({ root, disk }: SealedPlace, create: boolean): Uint8Array | undefined {
  const path = secretPath(process.env);
  const real = disk.realpath(root) ?? root;
  const home = homeFolder(process.env);
  try {
    const folder = disk.realpath(dirname(path)) ?? dirname(path);
    const isInside = [root, real].some(
      one => folder === one || [path, folder].some(place => pathBelow(one, place) !== undefined),
    );
    return isInside && root !== home && real !== home ? undefined : userSecret(path, create);
  } catch (error) {
    // The state folder cannot be looked at.
    if (error instanceof HostError) return undefined;
    throw error;
  }
}
