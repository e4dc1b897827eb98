import { isPortable, portableName } from '../resolve/catalogue.ts';
import type { Entry, Node, ObjectNode, Program } from '../resolve/program.ts';
import { appliesToWholeEntry, overlaysIn } from '../resolve/sealed.ts';

/** The program as it is for each tool that has overlays. */
export function variantsOf(program: Program): Program[] {
  const tools = new Set<string>();
  for (const { name, entries } of program.blocks.values())
    for (const { node } of entries)
      if (node.kind === 'object')
        for (const [, { fields }] of overlaysIn(name, node))
          for (const tool of fields.keys()) tools.add(tool);
  return [...tools].map(tool => variantFor(program, tool));
}

function variantFor(program: Program, tool: string): Program {
  const blocks = [...program.blocks].map(([name, block]) => {
    const entries = block.entries.map(
      (entry): Entry =>
        entry.kind === 'field' && entry.node.kind === 'object'
          ? { ...entry, node: entryFor(name, entry.node, tool) }
          : entry,
    );
    return [name, { ...block, entries }] as const;
  });
  return { ...program, blocks: new Map(blocks) };
}

/** An entry with the overlay of a tool applied; keys that only the tool knows are not checked. */
function entryFor(block: string, node: ObjectNode, tool: string): ObjectNode {
  const overlays = overlaysIn(block, node);
  if (overlays.length === 0) return node;
  const fields = new Map(node.fields);
  for (const [at, { fields: members }] of overlays) {
    // Whether some tool has a native command line is checked for hooks without a command.
    if (block !== 'hooks') fields.delete(at);
    const changes = members.get(tool);
    if (changes?.kind === 'object') takeChanges(block, fields, changes);
  }
  return { ...node, fields };
}

function takeChanges(block: string, fields: Map<string, Node>, changes: ObjectNode): void {
  for (const [field, value] of changes.fields) {
    const name = portableName(block, field);
    // Native lines of a tool exist next to the portable command.
    if (block === 'hooks' && (name === 'line' || name === 'raw')) continue;
    if (appliesToWholeEntry(block, field, value) || !isPortable(block, name)) continue;
    for (const known of [...fields.keys()]) if (portableName(block, known) === name) fields.delete(known);
    const isAway = value.kind === 'scalar' && value.value === null;
    if (!isAway) fields.set(field, value);
    // `command` and `script` exclude each other.
    if (block === 'hooks' && field === 'command') fields.delete('script');
    if (block === 'hooks' && field === 'script') fields.delete('command');
  }
}
