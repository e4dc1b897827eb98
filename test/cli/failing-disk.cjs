/**
 * Loaded before the built program (`node --require`): lets it die (`DISK_KILL=n`) at the n-th operation that changes
 * something below the current directory. `DISK_COUNT` names a file that gets the number of operations.
 */
const fs = require('node:fs');
const { resolve, sep } = require('node:path');

const { DISK_KILL, DISK_COUNT } = process.env;
const root = fs.realpathSync(process.cwd()) + sep;
const write = fs.writeFileSync;
let operations = 0;

/** The path that an operation changes; `undefined` for one that only reads. */
const changed = {
  openSync: ([path, flags]) => (flags === 'r' || flags === undefined ? undefined : path),
  mkdirSync: ([path]) => path,
  renameSync: ([, to]) => to,
  linkSync: ([, to]) => to,
  symlinkSync: ([, path]) => path,
  chmodSync: ([path]) => path,
  unlinkSync: ([path]) => path,
  rmdirSync: ([path]) => path,
  rmSync: ([path]) => path,
};

for (const [name, pathOf] of Object.entries(changed)) {
  const original = fs[name];
  fs[name] = (...args) => {
    const path = pathOf(args);
    if (typeof path !== 'string' || !resolve(path).startsWith(root)) return original(...args);
    operations++;
    if (operations === Number(DISK_KILL)) {
      process.kill(process.pid, 'SIGKILL');
      for (;;);
    }
    return original(...args);
  };
}

if (DISK_COUNT) process.on('exit', () => write(DISK_COUNT, String(operations)));
