/**
 * The built program, staying: it runs one command line after the other, each in its own folder and environment. Only the
 * start of a process is left out. Descriptor 3 brings requests, 4 takes exit codes; a line each, as JSON. A run that leaves
 * anything behind ends this process as it would have ended its own.
 */
const { subscribe } = require('node:diagnostics_channel');
const { readSync, writeSync } = require('node:fs');

const [program] = process.argv.slice(2);
const { exit, stdin } = process;
let isRunning = false;
let start = 0;

process.uptime = () => (performance.now() - start) / 1000;

const answer = (status, isLast) => writeSync(4, `${JSON.stringify({ status, isLast })}\n`);

/** Connections that a run made; one that is kept for the next request is no active resource. */
const sockets = new Set();
subscribe('net.client.socket', ({ socket }) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});

/** Whether nothing of a run is left: streams, timers, servers, child processes, work to do at the end. */
const isClean = () =>
  stdin.readableFlowing === null &&
  !stdin.readableDidRead &&
  sockets.size === 0 &&
  process.getActiveResourcesInfo().length === 0 &&
  ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].every(event => process.listenerCount(event) === (event === 'exit' ? 1 : 0));

// Also of a run that has nothing more to do without having called for its end, as a server whose input is closed.
process.on('exit', status => isRunning && answer(status, true));

// The program names a code only where it ends in the midst of something.
process.exit = code => {
  if (code !== undefined) exit(code);
  // What calls for the end is still under way itself.
  setImmediate(() => {
    if (!isClean()) exit();
    isRunning = false;
    answer(process.exitCode ?? 0, false);
    next();
  });
};

function readRequest() {
  const bytes = Buffer.alloc(1 << 16);
  let text = '';
  while (!text.endsWith('\n')) {
    const length = readSync(3, bytes);
    if (length === 0) exit(0);
    text += bytes.toString('latin1', 0, length);
  }
  return JSON.parse(Buffer.from(text, 'latin1').toString());
}

function next() {
  const { cwd, args, environment } = readRequest();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(cwd);
  process.argv.splice(1, Infinity, program, ...args);
  process.exitCode = undefined;
  process.removeAllListeners('uncaughtException');
  // Its parts stay loaded; the first of them is what runs.
  delete require.cache[program];
  start = performance.now();
  isRunning = true;
  require(program);
}

next();
