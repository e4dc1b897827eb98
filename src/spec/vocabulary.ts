import { findBlock } from '../resolve/catalogue.ts';

/** Fields that the model computes for the items of a collection, beside those of the block catalogue. */
const computed: Readonly<Record<string, readonly string[]>> = {
  guards: ['name', 'globs'],
  commands: ['name'],
  skills: ['name'],
  agents: ['name'],
  workflows: ['name'],
  topics: ['name', 'title', 'content'],
  hooks: [
    'name',
    'id',
    'argv',
    'program',
    'arguments',
    'shell',
    'powershell',
    'directory',
    'nativeEvent',
    'eventShape',
    'wrapped',
    'timeout',
  ],
  mcpServers: ['name', 'argv', 'program', 'arguments', 'commandLine', 'transport'],
  plugins: ['name'],
};

/** Block of a collection, where the names differ. */
const blockOf: Readonly<Record<string, string>> = { commands: 'shortcuts' };

/** The words a spec may use in `from:` for a collection; `undefined` for documents, which have only `meta.…`. */
export function fieldsOf(collection: string): readonly string[] | undefined {
  const own = computed[collection];
  const fields = findBlock(blockOf[collection] ?? collection)?.entry?.fields ?? [];
  return own && [...new Set([...own, ...fields.map(field => field.name)])].sort();
}
