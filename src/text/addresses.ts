/** Whether a host name, in lower case, stands for this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(host);

/** The http address in a text that does not stay on this computer, without user and path. */
export function insecureAddress(text: string): string | undefined {
  if (!text.includes('://')) return undefined;
  const lower = text.toLowerCase();
  // The expression below takes longer to be made than most runs to find no such address.
  if (!lower.includes('http://') && !lower.includes('ws://') && !lower.includes('git://')) return undefined;
  const match = /\b(?:http|ws|git):\/\/(?:[^\s/@"']*@)?(\[[^\]\s]*\]|[^\s/:"'?#]+)/i.exec(text);
  if (!match) return undefined;
  const host = match[1]!.toLowerCase();
  return isLoopback(host) || host.startsWith('$') || host.startsWith('{')
    ? undefined
    : `${match[0].split('://')[0]}://${host}`;
}
