/** dist/data: the data about all tools, for other programs, and its schema. */
import { describeTarget } from '../../src/project/open/targets.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import { compareCodeUnits } from '../../src/text/order.ts';

type Schema = Record<string, unknown> & { definitions: Record<string, unknown> };

/** Every tool as `prs targets <id> --json` prints it. `date` is the date of the newest evidence or proof. */
export function toolsData(targets: readonly LoadedSpec[]) {
  const tools = targets.map(describeTarget).sort((a, b) => compareCodeUnits(a.id, b.id));
  const dates = tools.flatMap(({ evidence = [], proof }) => [
    ...evidence.map(({ checked }) => checked),
    proof?.date ?? '',
  ]);
  return { $schema: './tools.schema.json', date: dates.sort().at(-1) ?? '', tools };
}

/** The schema of the data, with the definitions of the report schema that it uses. */
export function toolsSchema({ definitions }: Schema): object {
  const used: Record<string, unknown> = {};
  const take = (name: string): void => {
    if (Object.hasOwn(used, name)) return;
    used[name] = definitions[name];
    const text = JSON.stringify(definitions[name]);
    for (const [, other] of text.matchAll(/"#\/definitions\/(\w+)"/g)) take(other!);
  };
  take('Target');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'What is known of coding assistants',
    type: 'object',
    additionalProperties: false,
    required: ['date', 'tools'],
    properties: {
      $schema: { type: 'string' },
      date: { type: 'string', description: 'Day of the newest fact.' },
      tools: { type: 'array', items: { $ref: '#/definitions/Target' } },
    },
    definitions: used,
  };
}
