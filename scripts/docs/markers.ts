/** Text that scripts keep up to date inside files that people write. */

const marker = /<!-- generated:([a-z-]+) -->\n[\s\S]*?<!-- \/generated:\1 -->/g;

/**
 * The file with each generated part replaced. A part without text, or a text without a part in the file, is a mistake
 * of whoever moved a marker and throws.
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
