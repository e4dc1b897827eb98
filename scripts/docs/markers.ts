/** Replaces generated parts in handwritten files. */

const marker = /<!-- generated:([a-z-]+) -->\n[\s\S]*?<!-- \/generated:\1 -->/g;

/**
 * The text with each generated part replaced.
 * @throws if there is no text for a marker, or no marker for a text.
 */
export function fillMarkers(file: string, text: string, parts: Readonly<Record<string, string>>): string {
  const missing = new Set(Object.keys(parts));
  const filled = text.replace(marker, (_, name: string) => {
    if (!Object.hasOwn(parts, name)) throw new Error(`${file}: nothing generates "${name}"`);
    missing.delete(name);
    return `<!-- generated:${name} -->\n\n${parts[name]!.trim()}\n\n<!-- /generated:${name} -->`;
  });
  if (missing.size > 0) throw new Error(`${file}: no marker for ${[...missing].join(', ')}`);
  return filled;
}
