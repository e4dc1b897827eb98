/** Whether a lower-case host name refers to this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(host);

/** Finds an unencrypted URL (http, ws, git) that leaves this machine; returns it without user and path. */
export function findInsecureUrl(text: string): string | undefined {
  if (!text.includes('://')) return undefined;
  const lower = text.toLowerCase();
  // Compiling the regular expression below takes longer than most runs: skip it when nothing can match.
  if (!lower.includes('http://') && !lower.includes('ws://') && !lower.includes('git://')) return undefined;
  const match = /\b(?:http|ws|git):\/\/(?:[^\s/@"']*@)?(\[[^\]\s]*\]|[^\s/:"'?#]+)/i.exec(text);
  if (!match) return undefined;
  const host = match[1]!.toLowerCase();
  return isLoopback(host) || host.startsWith('$') || host.startsWith('{')
    ? undefined
    : `${match[0].split('://')[0]}://${host}`;
}
