/**
 * The requirements of the SARIF 2.1.0 JSON schema (OASIS, errata 01) and of GitHub code scanning for the parts that reports
 * use. The schema here allows no other properties. Code scanning requires a line of a file for every finding.
 */
const text = { type: 'string', minLength: 1 };
const line = { type: 'integer', minimum: 1 };

const only = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const some = (items: object) => ({ type: 'array', minItems: 1, items });

const message = only(['text'], { text });
const level = { enum: ['none', 'note', 'warning', 'error'] };

/** A file reference without blanks, backslashes, or a prefix that could be read as a scheme. */
const artifactLocation = only(['uri'], {
  uri: { type: 'string', pattern: '^(?:file:///)?(?:[\\w.!~*\'()%-]+/)*[\\w.!~*\'()%-]+$' },
  uriBaseId: { const: '%SRCROOT%' },
});

const region = only(['startLine'], { startLine: line, startColumn: line, endLine: line, endColumn: line });

const physicalLocation = only(['artifactLocation', 'region'], { artifactLocation, region });

const location = only(['physicalLocation'], { id: { type: 'integer', minimum: 0 }, physicalLocation, message });

const result = only(['ruleId', 'ruleIndex', 'level', 'message', 'locations'], {
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: 0 },
  level,
  message,
  locations: some(location),
  relatedLocations: some(location),
  properties: { type: 'object' },
});

const rule = only(['id', 'name', 'shortDescription', 'fullDescription', 'help', 'defaultConfiguration'], {
  id: text,
  name: text,
  shortDescription: message,
  fullDescription: message,
  help: only(['text', 'markdown'], { text, markdown: text }),
  defaultConfiguration: only(['level'], { level }),
});

const run = only(['tool', 'results', 'columnKind'], {
  tool: only(['driver'], {
    driver: only(['name', 'version', 'rules'], {
      name: text,
      version: text,
      rules: { type: 'array', items: rule, uniqueItems: true },
    }),
  }),
  invocations: some(only(['executionSuccessful'], { executionSuccessful: { type: 'boolean' }, exitCode: { type: 'integer' } })),
  originalUriBaseIds: only(['%SRCROOT%'], { '%SRCROOT%': only(['description'], { description: message }) }),
  columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
  results: { type: 'array', items: result },
});

export const sarifShape = only(['$schema', 'version', 'runs'], {
  $schema: { type: 'string', pattern: '/sarif-schema-2\\.1\\.0\\.json$' },
  version: { const: '2.1.0' },
  runs: { type: 'array', minItems: 1, maxItems: 1, items: run },
});
