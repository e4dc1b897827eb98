import { conventions } from '../../generated/conventions.ts';
import type {
  DocumentFile,
  EntriesFile,
  FileSpec,
  ItemFiles,
  ScriptFiles,
  Sections,
  SettingsFile,
} from '../../generated/types/target.ts';
import { builtinTemplate } from '../../spec/templates.ts';
import type { DataPath } from '../../text/yaml.ts';
import type { FileOf } from '../kind.ts';
import { lintEvents, lintHookFacts } from './hooks.ts';
import {
  fieldsAt,
  type Lint,
  type Linter,
  lintField,
  lintRows,
  lintShape,
  lintWhen,
  unknown,
} from './lint.ts';
import { lintPermissionFacts } from './permissions.ts';

/** Checks entries of the kind `document`. */
const document: Linter<DocumentFile> = {
  placeholders: [],
  shares: 'nothing',
  lint: (file, at, lint) => {
    lintRows(lint, [...at, 'frontmatter'], file.frontmatter ?? [], fieldsAt(file));
    if (file.sections) lintSections(lint, [...at, 'sections'], file.sections);
  },
};

/** Sections, lists and templates that the catalogue does not have. */
function lintSections(lint: Lint, at: DataPath, sections: Sections): void {
  const { lists, sections: known } = conventions.catalogue;
  const keys = Object.keys(known);
  if (sections.list !== undefined && !Object.hasOwn(lists, sections.list))
    unknown(lint, [...at, 'list'], 'section list', sections.list, Object.keys(lists));
  for (const part of ['titles', 'templates'] as const) {
    for (const key of Object.keys(sections[part] ?? {}))
      if (!keys.includes(key)) unknown(lint, [...at, part, key], 'section', key, keys);
  }
  for (const [index, entry] of (sections.replace ?? []).entries()) {
    for (const part of ['section', 'with'] as const)
      if (!keys.includes(entry[part]))
        unknown(lint, [...at, 'replace', index, part], 'section', entry[part], keys);
    lintWhen(lint, [...at, 'replace', index, 'when'], entry.when);
  }
}

/** Checks entries of the kind `items`. */
const items: Linter<ItemFiles> = {
  placeholders: ['name', 'event'],
  apart: { placeholder: 'name', each: 'item', unless: 'headed' },
  shares: 'folder',
  lint: (file, at, lint) => {
    const fields = fieldsAt(file);
    lintRows(lint, [...at, 'frontmatter'], file.frontmatter ?? [], fields);
    lintBody(lint, [...at, 'body'], file.body, fields ?? []);
    if (file.hooks) lintHookFacts(lint, at, file.hooks);
    lintShape(lint, [...at, 'entry'], file.entry, fields);
  },
};

function lintBody(lint: Lint, at: DataPath, body: string | undefined, fields: readonly string[]): void {
  if (body === undefined || body.includes('{{') || body === 'content') return;
  const template = builtinTemplate(`body:${body}`);
  if (!template && !fields.includes(body)) {
    lint.fault(
      at,
      `there is no body "${body}"`,
      'Name a field of the item or a template of conventions/bodies/, or write one with `{{content}}`.',
    );
  }
}

/** Checks entries of the kind `entries`. */
const entries: Linter<EntriesFile> = {
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

/** Checks entries of the kind `settings`. */
const settings: Linter<SettingsFile> = {
  placeholders: [],
  shares: 'file',
  lint: (file, at, lint) => lintShape(lint, [...at, 'entry'], file.entry, undefined),
};

/** Checks entries of the kind `scripts`. */
const scripts: Linter<ScriptFiles> = {
  placeholders: ['event'],
  apart: { placeholder: 'event', each: 'event', unless: 'template' },
  shares: 'nothing',
  lint: (file, at, lint) => {
    lintHookFacts(lint, at, file.hooks);
    if (file.template !== undefined && file.template.split('{hooks}').length !== 2)
      lint.fault([...at, 'template'], 'the template has no `{hooks}`, or more than one', 'Name it once.');
  },
};

const table: { readonly [K in FileSpec['kind']]: Linter<FileOf<K>> } = {
  document,
  items,
  entries,
  settings,
  scripts,
};

const linters: Readonly<Record<FileSpec['kind'], Linter>> = table;

/** The checks of an entry of a spec that its schema cannot express. */
export const linterOf = (file: FileSpec): Linter => linters[file.kind];
