import {
  serverIncomplete,
  serverSecret,
  serverTransport,
  serverUrl,
  serverVariable,
} from '../../generated/diagnostics.ts';
import { entryField } from '../../resolve/catalogue.ts';
import type { Node, ScalarNode } from '../../resolve/program.ts';
import { unknownNameAt } from '../../text/diagnostics/fixes.ts';
import { findSecrets } from '../../text/secrets.ts';
import type { Span } from '../../text/source.ts';
import { hasReference } from '../../text/variables.ts';
import { checkCommandLine } from '../command-line.ts';
import { deepScalars, fieldOf, firstSpan, lastSpan, objectEntries, scalarsOf, textOf } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

const transports: readonly string[] = entryField('mcpServers', 'transport')?.values ?? [];

/**
 * Checks servers that tools start or call. Their settings are usually committed and must not contain secrets.
 */
export const mcpServer: Rule = {
  name: 'mcp-server',
  severity: 'error',
  help: 'A server has a command (stdio) or a URL (http, sse), and takes secrets from the environment.',
  check: context => {
    for (const { name, node } of objectEntries(context.program, 'mcpServers'))
      checkServer(name, node, context);
  },
};

function checkServer(name: string, node: Node, { report }: RuleContext): void {
  const transport = fieldOf(node, 'transport') ?? fieldOf(node, 'type');
  const url = fieldOf(node, 'url');
  const word = textOf(transport) ?? (url ? 'http' : 'stdio');
  const kind = word === 'streamable-http' ? 'http' : word;
  if (!transports.includes(kind)) {
    const advice = `Known: ${transports.join(', ')}.`;
    const where = unknownNameAt(lastSpan(transport), word, transports, advice);
    report(serverTransport({ server: name, transport: word }, where));
  } else {
    const needed = kind === 'stdio' ? 'command' : 'url';
    const given = scalarsOf(fieldOf(node, needed)).some(item => String(item.value ?? '').trim() !== '');
    let problem = 'has neither `command` nor `url`';
    let advice = 'Add `command` for a server that runs on this computer, or `url` for one on the network.';
    if (transport) {
      problem = `uses ${kind} and needs \`${needed}\``;
      advice = `Add \`${needed}\`, or correct \`transport\`.`;
    } else if (url) {
      problem = 'has an empty `url`';
      advice = 'Write the address of the server as `url`.';
    }
    const span = lastSpan(transport) ?? firstSpan(node);
    if (!given) report(serverIncomplete({ server: name, problem, advice }, { span }));
  }
  checkCommandLine('mcpServers', name, fieldOf(node, 'command'), report);
  const address = textOf(url);
  if (
    address !== undefined &&
    address.trim() !== '' &&
    !hasReference(address) &&
    !/^(?:https?:\/\/[^/\s]|\$\{|\{\{)/i.test(address)
  ) {
    report(serverUrl({ server: name, url: address }, { span: lastSpan(url) }));
  }
  for (const { node: scalar, path } of deepScalars(node)) {
    const variable = filledIn(path, scalar);
    if (variable !== undefined) {
      report(serverVariable({ server: name, field: path.join('.'), variable }, { span: lastSpan(scalar) }));
    }
    const text = String(scalar.value ?? '');
    if (isSecret(path, text)) {
      const span = masked(lastSpan(scalar), text);
      report(serverSecret({ server: name, field: path.join('.') }, { span }));
    }
  }
}

/**
 * The variable whose value is compiled into what the program or server is given. It would be committed, and
 * tools can expand variables themselves.
 */
function filledIn([field]: readonly string[], { steps }: ScalarNode): string | undefined {
  const written = steps.at(-1);
  if (!written || written.layer.remote || (field !== 'env' && field !== 'headers')) return undefined;
  const { source, start, end } = written.span;
  // In JSON files `${…}` is left to the tool.
  if (source.name.endsWith('.json')) return undefined;
  const text = source.text.slice(start, end);
  return text.includes('"""') ? undefined : /\$\{([A-Za-z_]\w*)/.exec(text)?.[1];
}

/** The span with the secret masked, so that the message does not leak it. */
function masked(span: Span | undefined, value: string): Span | undefined {
  const at = span ? span.source.text.indexOf(value, span.start) : -1;
  if (!span || at === -1) return span;
  const { name, text } = span.source;
  const hidden = text.slice(0, at) + '*'.repeat(value.length) + text.slice(at + value.length);
  return { ...span, source: { name, text: hidden } };
}

/**
 * Whether a value has the shape of a credential, or is a literal in a field that can only contain a secret.
 */
function isSecret(path: readonly string[], value: string): boolean {
  if (findSecrets(value).length > 0) return true;
  if (hasReference(value)) return false;
  const literal = /^[^\s$<>{}*]{8,}$/.test(value.replace(/^(?:bearer|basic|token)\s+/i, ''));
  const key = path.at(-1) ?? '';
  if (path[0] === 'headers' && /^(?:proxy-)?authorization$/i.test(key)) return literal;
  const names = /(?:^|_|-)(?:token|secret|password|passwd|api_?-?key|access_?-?key|private_?-?key)$/i;
  return (path[0] === 'env' || path[0] === 'headers') && names.test(key) && literal && /\d/.test(value);
}
