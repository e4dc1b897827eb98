/** What a spec makes of the project that uses everything: no error, no text lost, in every version. */
import type { Checked } from './checked.ts';

/** Compiles test/projects/kitchen-sink for every version of a spec. */
export async function checkOutputs({ loaded, spec, fault }: Checked): Promise<void> {
  const { compileModel, openKitchenSink } = await import('../../test/support/compile.ts');
  const { leavesOf, lostLeaves, translationsOf, overridden } = await import('../../test/support/texts.ts');
  const { program, model } = await openKitchenSink();
  const leaves = leavesOf(program).filter(({ path }) => !overridden(model, path, spec));
  for (const version of Object.keys(spec.versions)) {
    const compiled = await compileModel(model, [{ loaded, config: { version } }]);
    const at = ['versions', version];
    for (const { severity, message, hint } of compiled.diagnostics)
      if (severity === 'error')
        fault(
          at,
          `version ${version} compiles test/projects/kitchen-sink with an error: ${message}`,
          hint ?? 'Mend what it names.',
        );
    const [lost, ...more] = lostLeaves(leaves, compiled, translationsOf(spec));
    if (lost !== undefined)
      fault(
        at,
        `version ${version} loses texts of test/projects/kitchen-sink: ${lost}${more.length > 0 ? `, and ${more.length} more` : ''}`,
        'A field that a row, slot or body asks for has to be in what is written.',
      );
  }
}
