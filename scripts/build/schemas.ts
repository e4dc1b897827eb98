/**
 * dist/schema: the published schemas, for editors. The schema of the configuration is extended with data from the specs:
 * the names of the targets and, for each target, its versions, options and their values.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OptionSpec, TargetSpec } from '../../src/generated/types/target.ts';
import { namesOf } from '../../src/spec/names.ts';

/** The schemas of files that users write or read. The other schemas are for contributors. */
export const publishedSchemas = ['config', 'local', 'lock', 'manifest', 'report', 'target'] as const;

type Schema = Record<string, unknown>;

/** Maps file names to texts. */
export function packagedSchemas(root: string, targets: readonly TargetSpec[]): Map<string, string> {
  return new Map(
    publishedSchemas.map(name => {
      const schema = JSON.parse(readFileSync(join(root, `schema/${name}.schema.json`), 'utf8')) as Schema;
      if (name === 'config') addTargets(schema, targets);
      return [`${name}.schema.json`, `${JSON.stringify(schema)}\n`];
    }),
  );
}

/** Adds the targets to the schema for completion. Names of a project's own specs remain valid. */
function addTargets(schema: Schema, targets: readonly TargetSpec[]): void {
  const definitions = schema.definitions as Record<string, Schema>;
  const common = definitions.TargetConfig!.properties as Record<string, Schema>;
  const special = new Set(targets.flatMap(({ options = {} }) => Object.keys(options)));
  const names: string[] = [];
  const properties: Record<string, Schema> = {};
  for (const spec of targets) {
    const general = Object.keys(common).filter(name => !special.has(name));
    const own = Object.entries(spec.options ?? {}).map(([name, option]) => [name, optionSchema(option)]);
    const settings: Schema = {
      type: 'object',
      description: spec.title,
      additionalProperties: false,
      properties: {
        ...Object.fromEntries([...general.map(name => [name, shared(name)]), ...own]),
        version: versionSchema(spec),
      },
    };
    definitions[`TargetConfig-${spec.id}`] = settings;
    for (const name of namesOf(spec)) {
      names.push(name);
      properties[name] = { $ref: `#/definitions/TargetConfig-${spec.id}` };
    }
  }
  definitions.TargetSettings!.properties = properties;
  // A project's own spec may declare any option, and the schema cannot know it.
  const unknown = 'TargetConfig-of-a-project';
  definitions[unknown] = { ...definitions.TargetConfig, additionalProperties: optionValue };
  definitions.TargetSettings!.additionalProperties = { $ref: `#/definitions/${unknown}` };
  const entry = definitions.TargetEntry!.anyOf as Schema[];
  entry.unshift({ enum: names });
}

const shared = (name: string): Schema => ({ $ref: `#/definitions/TargetConfig/properties/${name}` });

const versionSchema = ({ versions, defaultVersion }: TargetSpec): Schema => ({
  type: 'string',
  description: Object.entries(versions)
    .map(([name, help]) => `${name}: ${help}`)
    .join('\n'),
  enum: Object.keys(versions),
  default: defaultVersion,
});

/** The types that a value of an option may have. */
const optionValue: Schema = { type: ['string', 'boolean', 'integer', 'array'], items: { type: 'string' } };

function optionSchema({ type, values, default: value, minimum, help }: OptionSpec): Schema {
  return {
    ...(type === 'list'
      ? { type: 'array', items: { type: 'string' } }
      : { type: type === 'enum' ? 'string' : type }),
    description: help,
    ...(values && { enum: [...values] }),
    ...(minimum !== undefined && { minimum }),
    ...(value !== undefined && { default: value }),
  };
}
