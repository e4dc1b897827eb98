import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, listening } from './ports.ts';
import { folder } from './setup.ts';

/** Names of the programs that are missing to run an ssh server. */
export function missingForSsh(): string[] {
  const needed = { sshd: ['/usr/sbin/sshd', '/usr/local/sbin/sshd'], ssh: ['/usr/bin/ssh', '/usr/local/bin/ssh'], 'ssh-keygen': ['/usr/bin/ssh-keygen', '/usr/local/bin/ssh-keygen'] };
  return Object.entries(needed)
    .filter(([, places]) => !places.some(existsSync))
    .map(([name]) => name);
}

/** Creates a key pair. Returns the path of the private key. */
export function makeKey(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  return path;
}

export interface Ssh {
  /** `ssh://user@127.0.0.1:port` */
  readonly base: string;
  /** The key that the server accepts. */
  readonly key: string;
  /** A key that the server does not accept. */
  readonly otherKey: string;
  /** Sets the known host key of the client: the real key, another one, or nothing. */
  readonly remember: (what: 'real' | 'other' | 'nothing') => void;
  readonly close: () => void;
}

/**
 * Starts an ssh server on loopback that accepts one key, and configures git in this process to use a client with that
 * key.
 */
export async function startSsh(): Promise<Ssh> {
  // An ssh agent of the user must not affect the tests.
  delete process.env.SSH_AUTH_SOCK;
  const home = folder();
  const key = makeKey(join(home, "my keys 100% o'k"), 'id_test');
  const otherKey = makeKey(home, 'id_other');
  const hostKey = makeKey(home, 'host');
  const wrongHostKey = makeKey(home, 'wrong-host');
  const authorized = join(home, 'authorized');
  writeFileSync(authorized, readFileSync(`${key}.pub`));
  const port = await freePort();
  const config = join(home, 'sshd_config');
  writeFileSync(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${authorized}`,
      `PidFile ${join(home, 'pid')}`,
      'PermitRootLogin yes',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'StrictModes no',
      '',
    ].join('\n'),
  );
  // Debian's server requires this directory when it is started by root, but its package creates it only at boot.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(existsSync)!;
  const server = spawn(program, ['-D', '-e', '-f', config], { stdio: 'ignore' });
  const close = (): void => {
    server.kill();
  };
  process.on('exit', close);
  const known = join(home, 'known_hosts');
  const client = join(home, 'ssh_config');
  writeFileSync(client, `Host *\n  UserKnownHostsFile "${known}"\n  GlobalKnownHostsFile /dev/null\n`);
  process.env.GIT_SSH_COMMAND = `ssh -F '${client}'`;
  await listening(port);
  return {
    base: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    key,
    otherKey,
    remember(what) {
      const file = what === 'real' ? hostKey : wrongHostKey;
      writeFileSync(known, what === 'nothing' ? '' : `[127.0.0.1]:${port} ${readFileSync(`${file}.pub`, 'utf8')}`);
    },
    close,
  };
}

/** Starts an agent that offers a key to every ssh of this process. Returns a function that stops it. */
export async function startAgent(key: string): Promise<() => void> {
  const socket = join(folder(), 'agent');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  for (let attempt = 0; attempt < 200 && !existsSync(socket); attempt += 1) await sleep(10);
  process.env.SSH_AUTH_SOCK = socket;
  execFileSync('ssh-add', ['-q', key], { stdio: 'ignore' });
  return () => {
    delete process.env.SSH_AUTH_SOCK;
    agent.kill();
  };
}
