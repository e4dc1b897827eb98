/** What Node has in every module and a page has not: with this injected, the library imports it where it uses it. */
export { Buffer } from 'node:buffer';
export { default as process } from 'node:process';
export { setImmediate } from 'node:timers';
