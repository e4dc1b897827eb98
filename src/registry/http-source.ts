import type { Report } from '../diagnostics/diagnostic.ts';
import { lockOutdated } from '../generated/diagnostics.ts';
import { type Address, labelOf } from './address.ts';
import { explainFailure } from './explain.ts';
import { type HttpContext, openHttp } from './http.ts';
import { openLedger } from './ledger.ts';
import type { LockEntry } from './lock.ts';
import type { OpenSource } from './tree.ts';

/** Name of the HTTP registry in the lock: a configuration has one at most. */
const HTTP_SOURCE = 'registry';

/** Opens an HTTP registry; nothing is requested before the first file is read. */
export function openHttpSource(
  address: Address,
  authorization: string | undefined,
  pin: LockEntry | undefined,
  context: HttpContext & { readonly frozen: boolean; readonly hasLock: boolean },
  report: Report,
): OpenSource {
  const facts = { source: HTTP_SOURCE, kind: 'http', url: address.shown } as const;
  const ledger = openLedger(facts, pin, context, report);
  const pinned = [...(pin?.files.keys() ?? [])];
  const attempt = {
    address,
    hasToken: authorization !== undefined,
    hasKey: false,
    seconds: Math.ceil(context.limits.request / 1000),
    http: true,
  };
  const tree = openHttp(
    {
      ...context,
      id: labelOf(address),
      address,
      ...(authorization !== undefined && { authorization }),
      ledger,
      explain: (failure, url, at) =>
        report(explainFailure(failure, { ...attempt, url, tried: [url] }, { span: at })),
    },
    report,
  );
  return {
    registry: address.shown,
    tree,
    entry: ledger.entry,
    allows(path, at) {
      if (!context.frozen) return true;
      if (pinned.some(file => file === path || file === `${path}.prs` || file.startsWith(`${path}/`)))
        return true;
      report(lockOutdated({ what: `\`${path}\` of ${facts.source}` }, { span: at }));
      return false;
    },
  };
}
