import { once } from './memo.ts';

/** A kind of credential that is recognised by its shape. */
interface SecretShape {
  /** What it is, in words that fit "looks like …". */
  readonly title: string;
  readonly pattern: RegExp;
}

/** Prefixes and lengths as the issuers document them, so that false positives are rare. */
const secretShapes: readonly SecretShape[] = [
  {
    title: 'a GitHub token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{60,244})\b/g,
  },
  {
    title: 'a GitLab token',
    pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,64}\b/g,
  },
  { title: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { title: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20,250}\b/g },
  {
    title: 'a Slack webhook',
    pattern: /\bhooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{20,}/g,
  },
  {
    title: 'an API key',
    pattern: /\bsk-(?:ant-|proj-|live-|svcacct-|or-v1-)[A-Za-z0-9_-]{24,250}/g,
  },
  { title: 'an API key', pattern: /\bsk-[A-Za-z0-9]{40,64}\b/g },
  { title: 'a Stripe key', pattern: /\b[rs]k_live_[A-Za-z0-9]{16,250}\b/g },
  { title: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { title: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { title: 'a PyPI token', pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,250}/g },
  { title: 'a Hugging Face token', pattern: /\bhf_[A-Za-z]{34}\b/g },
  { title: 'a SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/g },
  { title: 'a Docker token', pattern: /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,64}\b/g },
  {
    title: 'a private key',
    pattern: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    title: 'a signed token (JWT)',
    pattern: /\beyJ[A-Za-z0-9_-]{15,2000}\.eyJ[A-Za-z0-9_-]{15,2000}\.[A-Za-z0-9_-]{20,1000}/g,
  },
];

const mayHold = (text: string): boolean => anyShape().test(text);

const anyShape = once(
  () => new RegExp([...secretShapes.map(({ pattern }) => pattern.source), '://[^\\s/@]*@'].join('|')),
);

/** A password in a URL: `https://user:password@host`. Placeholders in brackets or braces do not count. */
const userInfo = /(:\/\/)([^\s/@:"'`<>{}$*]{0,80}:[^\s/@"'`<>{}$*]{1,200})(?=@[\w[.-])/g;

/** Example passwords of documentation and local set-ups, and hosts for which a password is harmless. */
const everydayWord =
  /^(?:.{1,3}|pass(?:word|wd)?|secret|token|postgres|root|admin|user|guest|test|x-oauth-basic)$/i;
const ownHost =
  /^(?:localhost|127\.|\[::1\]|db\b|postgres\b|redis\b|host\b|(?:[\w-]+\.)*example(?:\.\w+)?\b)/i;

/** Finds everything that looks like a credential, in order. Placeholders of documentation are skipped. */
export function findSecrets(text: string): { title: string; start: number; end: number }[] {
  const found: { title: string; start: number; end: number }[] = [];
  if (!mayHold(text)) return found;
  for (const { title, pattern } of secretShapes) {
    for (const match of text.matchAll(pattern)) {
      if (!isPlaceholder(match[0]))
        found.push({ title, start: match.index, end: match.index + match[0].length });
    }
  }
  return [...found, ...findPasswords(text)].sort((a, b) => a.start - b.start);
}

function findPasswords(text: string): { title: string; start: number; end: number }[] {
  const found: { title: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(userInfo)) {
    const password = match[2]!.slice(match[2]!.indexOf(':') + 1);
    const host = text.slice(match.index + match[0].length + 1, match.index + match[0].length + 80);
    if (isPlaceholder(password) || everydayWord.test(password) || ownHost.test(host)) continue;
    const start = match.index + match[1]!.length;
    found.push({ title: 'a password in an address', start, end: start + match[2]!.length });
  }
  return found;
}

/**
 * `AKIAXXXXXXXXXXXXXXXX`, `ghp_example…`: one repeated letter, a counting sequence, or a word that says so.
 */
function isPlaceholder(text: string): boolean {
  return (
    /(.)\1{5}/.test(text) ||
    /example|placeholder|your[-_]|redacted|changeme|dummy/i.test(text) ||
    /123456789|abcdefgh/i.test(text)
  );
}

/**
 * Replaces each character of everything that looks like a credential by `*`, so that offsets do not change.
 */
export function maskSecrets(text: string): string {
  if (!mayHold(text)) return text;
  let result = text;
  for (const { pattern } of secretShapes) result = result.replace(pattern, stars);
  return result.replace(userInfo, (_all, scheme: string, info: string) => scheme + stars(info));
}

/** The same for a configuration file, in which every `token:` and every user of an https URL is a secret. */
export function maskConfiguration(text: string): string {
  return maskSecrets(text)
    .replace(
      /(\btoken["']?[ \t]*:[ \t]+["']?)([^\s"',}#][^\n"',}#]*)/g,
      (_all, key: string, value: string) => key + stars(value),
    )
    .replace(/(https?:\/\/)([^\s/@"']+)(?=@)/g, (_all, scheme: string, info: string) => scheme + stars(info));
}

const stars = (text: string): string => '*'.repeat(text.length);
