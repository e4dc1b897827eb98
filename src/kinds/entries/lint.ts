import type { EntriesFile } from '../../generated/types/target.ts';
import type { DataPath } from '../../text/yaml.ts';
import { lintEvents, lintHookFacts } from '../lint/hooks.ts';
import { fieldsAt, type Linter, lintField, lintShape } from '../lint/lint.ts';
import { lintPermissionFacts } from '../lint/permissions.ts';

/** Checks entries of the kind `entries`. */
export const linter: Linter<EntriesFile> = {
  placeholders: [],
  shares: 'file',
  lint: (file, at, lint) => {
    const fields = fieldsAt(file);
    if ((file.by === undefined) === (file.entry === undefined))
      lint.fault(at, 'an entry needs either `entry`, or `by` with `variants`', 'Keep one of the two forms.');
    if (file.by !== undefined) lintField(lint, [...at, 'by'], file.by, fields);
    for (const [variant, shape] of Object.entries(file.variants ?? {}))
      lintShape(lint, [...at, 'variants', variant], shape, fields);
    if ((file.of === 'hooks') !== (file.hooks !== undefined)) {
      lint.fault(
        at,
        'the facts in `hooks` go with `of: hooks`, and only with it',
        'Add them, or name another collection.',
      );
    }
    if (file.of === 'permissions' ? !file.permissions : file.permissions && file.of !== 'ignore') {
      lint.fault(
        at,
        'the facts in `permissions` go with `of: permissions`, or with `of: ignore`',
        'Add them, or name another collection.',
      );
    }
    if (file.servers && file.of !== 'mcpServers')
      lint.fault(
        at,
        'the facts in `servers` go with `of: mcpServers`',
        'Remove them, or name that collection.',
      );
    if (file.others !== undefined && !(file.others.includes('{name}') && mayStand(file.of)))
      lint.fault(
        at,
        '`others` holds `{name}`, and goes with `of: hooks` or `of: mcpServers`',
        'Write where `{name}` stands in the path, or remove the field.',
      );
    if (file.permissions) lintPermissionFacts(lint, at, file.permissions);
    if (file.hooks) lintHookFacts(lint, at, file.hooks, file.variants);
    if (file.forms && !file.hooks)
      lint.fault(at, '`forms` goes with `of: hooks`', 'Remove it, or name that collection.');
    for (const [name, { events, entry }] of Object.entries(file.forms ?? {})) {
      const form: DataPath = [...at, 'forms', name];
      if (events) lintEvents(lint, [...form, 'events'], events);
      lintShape(lint, [...form, 'entry'], entry, fields);
    }
    lintShape(lint, [...at, 'entry'], file.entry, fields);
  },
};

/** Entries of other collections have no words for the file in which they stand. */
const mayStand = (of: string): boolean => of === 'hooks' || of === 'mcpServers';
