/**
 * What `ask` makes of the bindings behind Node's own modules, which take less to load and to ask than those; nothing where
 * it fails. Node deprecates them, of which nobody is told here.
 */
export function askBindings<Binding, T>(ask: (binding: Binding) => T): T | undefined {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    return ask((process as unknown as { readonly binding: Binding }).binding);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation ?? false;
  }
}
