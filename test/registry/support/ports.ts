import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Finds an unused loopback port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

/** Waits until something accepts connections at a port. */
export async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const open = await new Promise<boolean>(done => {
      const socket = connect(port, '127.0.0.1', () => done(true));
      socket.on('error', () => done(false));
      socket.on('connect', () => socket.destroy());
    });
    if (open) return;
    await sleep(25);
  }
  throw new Error(`nothing listens at port ${port}`);
}
