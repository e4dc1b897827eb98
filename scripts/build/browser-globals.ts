/** Node globals that browsers do not have. The build injects this file, so that the library imports them where it uses them. */
export { Buffer } from 'node:buffer';
export { default as process } from 'node:process';
export { setImmediate } from 'node:timers';
