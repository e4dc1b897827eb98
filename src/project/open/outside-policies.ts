import { resolve } from 'node:path';
import { configFileMissing, policyAlias } from '../../generated/diagnostics.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import {
  type ChainOptions,
  type Layer,
  mayBeReference,
  readChain,
  readSharedChain,
} from '../config/chain.ts';
import type { ConfigContext } from '../session/world.ts';
import { withForwardSlashes } from './root.ts';
import { sharedConfigs } from './shared-config.ts';

const hint =
  'Give a path, relative to the working directory, or an address without a protocol: `git.example.com/lumen/instructions/company.yaml`.';

/**
 * The configurations of `--policy`, each with what it extends: paths start at the working directory, references to
 * registries say their host, because names of registries are what the project makes of them. What cannot be read has
 * been reported.
 */
export async function readOutsidePolicies(
  wanted: readonly string[],
  context: ConfigContext & Pick<ChainOptions, 'root' | 'reader'>,
  report: Report,
): Promise<Layer[][]> {
  const { root, reader, cwd } = context;
  const { open } = sharedConfigs({ ...context, report }, { pinned: false }, () => {});
  const options: ChainOptions = { root, reader, openShared: open };
  const chains: Layer[][] = [];
  for (const text of wanted) {
    const path = withForwardSlashes(resolve(cwd, text));
    if (reader.exists(path)) {
      chains.push(await readChain(path, options, report));
      continue;
    }
    if (text.startsWith('@') || !mayBeReference(text)) {
      report(
        text.startsWith('@')
          ? policyAlias({ reference: text })
          : configFileMissing({ path: text }, { file: text, hint }),
      );
      continue;
    }
    const at = { source: { name: '--policy', text }, start: 0, end: text.length };
    const request = { reference: text, settings: {}, root, at, policies: [], placeOf: () => undefined };
    const found = await open(request, report);
    if (found) chains.push(await readSharedChain(found, text, options, report));
  }
  return chains.filter(chain => chain.length > 0);
}
