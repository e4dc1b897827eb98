import type { Rule } from './rule.ts';
import { blockShape } from './rules/block-shape.ts';

import { emptyBlock, unknownBlock } from './rules/blocks.ts';
import { guardReading, requiredGuards } from './rules/guards.ts';
import { hookCommand } from './rules/hook-command.ts';
import { insecureUrl } from './rules/insecure-url.ts';
import { knownNames } from './rules/known-names.ts';
import { lostWords } from './rules/lost-words.ts';
import { mcpServer } from './rules/mcp-server.ts';
import { agentMetadata, skillMetadata } from './rules/metadata.ts';
import { permissionSubject } from './rules/permission-subject.ts';
import { requiredMeta } from './rules/required-meta.ts';
import { guardRequires, skillRequires } from './rules/requires.ts';
import { staleReference } from './rules/stale-reference.ts';
import { hiddenUnicode, injectionPhrase, secretLiteral } from './rules/texts.ts';
import { unusedParam } from './rules/unused-param.ts';

/** Rules whose findings other phases report: they have only a name and a severity here. */
const externalRules: readonly Rule[] = [
  {
    name: 'duplicate-name',
    severity: 'error',
    help: 'Use each name only once in the same braces.',
  },
  {
    name: 'param-type',
    severity: 'error',
    help: 'Arguments and defaults of parameters have the declared type.',
  },
  {
    name: 'reference-path',
    severity: 'error',
    help: 'Files that a skill references exist.',
  },
  {
    name: 'syntax-version',
    severity: 'warning',
    help: 'A file uses only what the syntax version it declares has.',
  },
  {
    name: 'output-size',
    severity: 'warning',
    help: 'Generated files stay below the limits of the tool that reads them.',
  },
  {
    name: 'output-is-source',
    severity: 'warning',
    help: 'No source is at a path where a tool would load more than the source itself.',
  },
  {
    name: 'target-ended',
    severity: 'warning',
    help: 'The tools of all targets are still offered.',
  },
];

/** All built-in rules by name: what `validation.rules` may set and `prs explain --rules` lists. */
export const rules: readonly Rule[] = [
  agentMetadata,
  blockShape,
  emptyBlock,
  guardReading,
  guardRequires,
  hiddenUnicode,
  hookCommand,
  injectionPhrase,
  insecureUrl,
  knownNames,
  lostWords,
  mcpServer,
  permissionSubject,
  requiredGuards,
  requiredMeta,
  secretLiteral,
  skillMetadata,
  skillRequires,
  staleReference,
  unknownBlock,
  unusedParam,
  ...externalRules,
].sort((a, b) => (a.name < b.name ? -1 : 1));
