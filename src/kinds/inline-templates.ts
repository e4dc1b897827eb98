import type { TargetSpec } from '../generated/types/target.ts';

/** Templates written inside a spec, by their place in it: `body:<file>` and `section:<file>:<key>`. */
export function inlineTemplates(
  spec: TargetSpec,
): { place: string; path: (string | number)[]; text: string }[] {
  return Object.entries(spec.files).flatMap(([name, file]) => {
    if (file.kind === 'items' && file.body?.includes('{{')) {
      return [{ place: `body:${name}`, path: ['files', name, 'body'], text: file.body }];
    }
    if (file.kind !== 'document') return [];
    return Object.entries(file.sections?.templates ?? {}).map(([key, text]) => ({
      place: `section:${name}:${key}`,
      path: ['files', name, 'sections', 'templates', key],
      text: text as string,
    }));
  });
}
