import { catalogue } from '../generated/blocks.ts';
import { findBlock, isTextField } from '../resolve/catalogue.ts';

/** Fields that the model computes for the items of a collection, beside those of the block catalogue, and what they are. */
export const computedFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  guards: { name: 'Its name.' },
  commands: { name: 'Its name, without the slash.' },
  skills: { name: 'Its name.' },
  agents: { name: 'Its name, or the one that is shown.', id: 'Its name, for tools that show another one.' },
  workflows: { name: 'Its name.' },
  topics: {
    name: 'The key of the topic in `@standards`.',
    title: 'Its heading.',
    content: 'What stands below the heading.',
  },
  hooks: {
    name: 'Its name.',
    id: 'The same, for tools that identify hooks by a key.',
    nativeEvent: "The tool's own name of the event, from `hooks.events`.",
    eventShape: 'The `shape` of that event, to choose a variant by.',
    shell: 'The command for a POSIX shell, started in the right directory.',
    powershell: 'The same for PowerShell.',
    wrapped: 'The same as a call of `sh -c`, for tools that start programs without a shell.',
    argv: 'Program and arguments as a list.',
    program: 'The first part of it.',
    arguments: 'The other parts; absent when there are none.',
    directory: 'Where it runs, relative to the project; absent for the project itself.',
    timeout: 'How long it may take, in the unit of `hooks.timeoutUnit`.',
  },
  mcpServers: {
    name: 'Its name.',
    transport: '`stdio`, `http` or `sse`, also where the source does not say it.',
    argv: 'Program and arguments as a list.',
    program: 'The first part of it.',
    arguments: 'The other parts; absent when there are none.',
    commandLine: 'All of it as one POSIX command.',
    disabled: '`true` when the source switches it off; absent otherwise.',
  },
  plugins: { name: 'Its name.' },
};

/** Block of a collection, where the names differ. */
export const blockOf: Readonly<Record<string, string>> = { commands: 'shortcuts' };

/** Whether a field of a collection takes a text and nothing else. */
export const takesText = (collection: string, field: string): boolean =>
  isTextField(blockOf[collection] ?? collection, field);

/** The words a spec may use in `from:` for a collection; `undefined` for documents, which have only `meta.…`. */
export function fieldsOf(collection: string): readonly string[] | undefined {
  const own = computedFields[collection];
  const fields = findBlock(blockOf[collection] ?? collection)?.entry?.fields ?? [];
  return own && [...new Set([...Object.keys(own), ...fields.map(field => field.as ?? field.name)])].sort();
}

/** Which of these words stands for a field that has another name in sources: `globs` for `applyTo`. */
export const wordFor = (name: string, words: readonly string[]): string | undefined =>
  catalogue.blocks
    .flatMap(block => block.entry?.fields ?? [])
    .find(({ name: own, keys = [], as }) => as && words.includes(as) && [own, ...keys].includes(name))?.as;
