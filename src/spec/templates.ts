import Handlebars from 'handlebars/runtime.js';
import { templates as compiled } from '../generated/templates.ts';
import type { Helpers, Template, View } from './spec.ts';

interface Block {
  readonly fn: (context: unknown) => string;
  readonly inverse: (context: unknown) => string;
  readonly data?: { readonly helpers?: Helpers };
}

// The runtime's own types say nothing about its module object.
const runtime = (Handlebars as unknown as typeof import('handlebars')).create();

/** `{{#repeat level}}#{{/repeat}}`, or `{{repeat "#" level}}`. */
runtime.registerHelper('repeat', function (this: unknown, ...args: unknown[]): string {
  const block = args.pop() as Block;
  if (args.length === 1) return block.fn(this).repeat(Number(args[0]) || 0);
  return String(args[0]).repeat(Number(args[1]) || 0);
});
runtime.registerHelper('part', function (this: unknown, title: unknown, block: Block): string {
  return block.data!.helpers!.part(String(title), block.fn(this));
});
runtime.registerHelper('bullet', function (this: unknown, block: Block): string {
  return block.data!.helpers!.bullet(block.fn(this));
});
runtime.registerHelper('fields', (data: unknown, block: Block): string => block.data!.helpers!.fields(data));

const cache = new Map<string, Template>();

/** A template that was compiled with the program: `section:…`, `body:…`, `convention:…`, `spec:…`. */
export function builtinTemplate(key: string): Template | undefined {
  const known = cache.get(key);
  if (known) return known;
  const entry = (compiled as Readonly<Record<string, { code: unknown; uses: readonly string[] }>>)[key];
  if (!entry) return undefined;
  const template = wrap(runtime.template(entry.code as never), entry.uses);
  cache.set(key, template);
  return template;
}

/** Data given beside the view reaches helpers and never the text. */
export function wrap(
  render: (view: unknown, options?: { data?: unknown }) => string,
  uses: readonly string[],
): Template {
  return { uses, render: (view: View, helpers: Helpers) => render(view, { data: { helpers } }) };
}

/** Compiles a template of the user's configuration or specs; throws Handlebars' error when it is malformed. */
export async function compileTemplate(text: string): Promise<Template> {
  const [{ default: full }, { readTemplateUses, templateHelpers }] = await Promise.all([
    import('handlebars'),
    import('./template-syntax.ts'),
  ]);
  const code = full.compile(text, {
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(templateHelpers.map(name => [name, true])) as never,
  });
  const tree = full.parse(text);
  const helpers = runtime.helpers;
  return wrap(
    (view, options) => code(view, { ...options, helpers } as never),
    readTemplateUses(tree as never),
  );
}
