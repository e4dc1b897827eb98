import type { ErrorObject } from 'ajv';
import { isObject } from '../../text/data.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { reportSchemaErrors, type SchemaErrorOptions } from '../../text/diagnostics/schema-errors.ts';
import { newestSyntax } from '../../text/version.ts';
import type { YamlFile } from '../../text/yaml.ts';

/** Explains why a configuration does not match its schema. It is loaded only for one that does not. */

/**
 * Reports what is invalid in one file of the chain, except missing fields that another file may supply. With
 * `isWhole`, the file is the merged chain: reports the fields that are missing in it. Missing targets are reported
 * elsewhere, together with an empty list.
 */
export function explainForm(
  errors: readonly ErrorObject[],
  file: YamlFile,
  report: Report,
  isWhole: boolean,
): void {
  const isMissing = ({ keyword, instancePath, params }: ErrorObject) =>
    keyword === 'required' && !(instancePath === '' && params.missingProperty === 'targets');
  const meant = errors.filter(error => !isOfOtherAlias(error) && (!isWhole || isMissing(error)));
  reportSchemaErrors(meant, file, report, isWhole ? {} : schemaOptions);
}

/** Whether an error is about the other form of an alias: a repository or a folder. */
function isOfOtherAlias({ parentSchema, data }: ErrorObject): boolean {
  if (!isObject(data)) return false;
  const isFolder = 'path' in data;
  const title = parentSchema?.title;
  return (title === 'RegistryAliasFolder' && !isFolder) || (title === 'RegistryAliasEntry' && isFolder);
}

/** Errors that are postponed until the chain is complete, and advice that the schema does not have. */
const schemaOptions: SchemaErrorOptions = {
  tags: {
    kind: [
      'layer-boundary',
      'property-protection',
      'registry-allowlist',
      'required-source',
      'executable-sources',
    ],
  },
  secret: path => path.at(-1) === 'token',
  ignore: (error, path) =>
    error.keyword === 'required' ||
    // The spec of a target declares its options.
    (error.keyword === 'additionalProperties' && error.parentSchema?.title === 'TargetConfig') ||
    // Reported as missing targets.
    (error.keyword === 'minItems' && path.at(-1) === 'targets'),
  hint: (error, path) => {
    const inTarget = path.at(-3) === 'targets' && typeof path.at(-2) === 'number';
    if (inTarget && error.keyword === 'type' && error.data === null) {
      return `Write \`- ${path.at(-1)}\` for a target without settings.`;
    }
    if (error.keyword === 'propertyNames' && path[0] === 'registries') {
      return `An alias begins with \`@\`: write "@${String(error.params.propertyName).replace(/[@\s]/g, '')}".`;
    }
    if ((error.keyword === 'pattern' || error.keyword === 'type') && path[0] === 'syntax')
      return `Write three numbers in quotes, such as \`syntax: "${newestSyntax}"\`.`;
    if (error.keyword === 'pattern' && path.at(-1) === 'tokenEnvVar') {
      return 'Write the name of an environment variable, such as REGISTRY_TOKEN, not its value.';
    }
    return undefined;
  },
};
