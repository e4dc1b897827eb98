/** Checks that every version of a spec compiles the kitchen-sink project without errors and without losing text. */
import { portableEvents } from '../../src/kinds/lint.ts';
import type { Checked } from './checked.ts';

/** A source with a hook for every event of the language, to find events whose files collide. */
const everyEvent = (): string => {
  const hooks = portableEvents().map(event => `  on-${event}: { event: "${event}" command: ["notify"] }`);
  return `@meta { id: "events" syntax: "1.6.0" }\n@identity { "You work." }\n@hooks {\n${hooks.join('\n')}\n}\n`;
};

/** Compiles test/projects/kitchen-sink and a hook for every event, for every version of a spec. */
export async function checkOutputs({ loaded, spec, fault }: Checked): Promise<void> {
  const { compileModel, openKitchenSink, resolveText } = await import('../../test/support/compile.ts');
  const { leavesOf, lostLeaves, translationsOf, overridden } = await import('../../test/support/texts.ts');
  const { program, model } = await openKitchenSink();
  const leaves = leavesOf(program).filter(({ path }) => !overridden(model, path, spec));
  const { model: events } = resolveText(everyEvent());
  for (const version of Object.keys(spec.versions)) {
    const at = ['versions', version];
    const compile = async (given: typeof model, what: string) => {
      const compiled = await compileModel(given, [{ loaded, config: { version } }]);
      for (const { severity, message, hint } of compiled.diagnostics)
        if (severity === 'error')
          fault(at, `version ${version} ${what}: ${message}`, hint ?? 'Fix the reported problem.');
      return compiled;
    };
    await compile(events, 'has no place for a hook for each event');
    const compiled = await compile(model, 'compiles test/projects/kitchen-sink with an error');
    const [lost, ...more] = lostLeaves(leaves, compiled, translationsOf(spec));
    if (lost !== undefined)
      fault(
        at,
        `version ${version} loses texts of test/projects/kitchen-sink: ${lost}${more.length > 0 ? `, and ${more.length} more` : ''}`,
        'Every field that a row, slot or body uses must appear in the output.',
      );
  }
}
