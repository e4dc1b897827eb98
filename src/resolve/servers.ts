import { serversBroken, serversUnread } from '../generated/diagnostics.ts';
import { isObject, type UnknownObject } from '../text/data.ts';
import { removingField } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import { hasReference, markReference, writeReferences } from '../text/variables.ts';
import { readYaml, type YamlFile } from '../text/yaml.ts';
import { fieldOfKey } from './catalogue.ts';
import { type DataReading, type Draft, dataNode, newBlock, newDraft, scalar, setField } from './draft.ts';
import type { ProvenanceStep, ScalarNode, ServersUnit } from './program.ts';
import { isFirst, type Run } from './run.ts';

/**
 * A variable in a list of servers: `${NAME}` in upper case, and the unambiguous forms `${NAME:-default}` and
 * `${env:NAME}`. `${workspaceFolder}` and similar ones are variables of a tool; `$${` is an escaped `${`.
 */
const placeholder = /\$(\$\{)|\$\{(?:([A-Z_][A-Z0-9_]*)|env:([A-Za-z_]\w*)|([A-Za-z_]\w*):-([^{}]*))\}/g;

/** Marks the references to variables in a value of a list of servers. */
const markVariables = (text: string): string =>
  text.replace(
    placeholder,
    (_, escaped?: string, plain?: string, named?: string, bound?: string, fallback?: string) =>
      escaped ??
      markReference({
        name: (plain ?? named ?? bound)!,
        ...(bound !== undefined && { fallback: fallback! }),
      }),
  );

/** The inverse of `markVariables`. */
export const writeVariables = (text: string): string =>
  writeReferences(
    text,
    ({ name, fallback }) =>
      fallback !== undefined
        ? `\${${name}:-${fallback}}`
        : /[a-z]/.test(name)
          ? `\${env:${name}}`
          : `\${${name}}`,
    piece => piece.replace(placeholder, whole => `$${whole}`),
  );

/** The servers of a file in the usual JSON form of tools: `{ "mcpServers": { … } }`. */
export function serversDraft(unit: ServersUnit, run: Run): Draft {
  const draft = newDraft();
  // JSON is valid YAML, and the YAML reader gives the span of every value.
  const file = readYaml(unit.source);
  const { data, problems } = file;
  const servers = isObject(data) && isObject(data.mcpServers) ? data.mcpServers : undefined;
  if (isFirst(run, `servers ${unit.id}`)) reportProblems(unit, file, servers, run);
  if (!servers || problems.length > 0) return draft;
  const start = { source: unit.source, start: 0, end: 0 };
  const declared = (span: Span): ProvenanceStep[] => [{ operation: 'declare', span, layer: unit.layer }];
  const reading: DataReading = {
    stepsAt: path => declared(file.spanOf(path) ?? start),
    fieldAt: (key, path) => (path.length === 2 && fieldOfKey('mcpServers', key)) || key,
    scalarAt: (value, path, steps) => {
      const isText = typeof value === 'string' && path.length > 2;
      const marked = isText ? markVariables(value) : (value as ScalarNode['value']);
      if (isText && hasReference(String(marked))) run.hasReferences = true;
      return scalar(marked, false, steps);
    },
  };
  const span = file.spanOf(['mcpServers'], 'key') ?? start;
  const block = newBlock('mcpServers', declared(span));
  for (const [name, server] of Object.entries(servers))
    setField(block, name, dataNode(server, ['mcpServers', name], reading));
  draft.blocks.set('mcpServers', block);
  return draft;
}

function reportProblems(
  { source, isPart }: ServersUnit,
  { data, problems: [first], spanOf }: YamlFile,
  servers: UnknownObject | undefined,
  { report }: Run,
): void {
  if (first) report(serversBroken({ problem: first.title, advice: first.advice }, { span: first.span }));
  else if (!servers) {
    const advice = 'Write an object with `mcpServers`, and in it one object for each server.';
    const problem = isObject(data) ? '`mcpServers` is missing' : 'it is no object';
    report(serversBroken({ problem, advice }, { span: { source, start: 0, end: 0 } }));
  }
  for (const key of servers && !isPart ? Object.keys(data as UnknownObject) : []) {
    if (key === 'mcpServers' || key === '$schema') continue;
    const fixes = removingField(part => spanOf([key], part), key);
    report(serversUnread({ key }, { span: spanOf([key], 'key'), fixes }));
  }
}
