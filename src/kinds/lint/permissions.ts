import type { PermissionFacts } from '../../generated/types/target.ts';
import { dialectFor } from '../../text/permissions/dialects.ts';
import { kinds } from '../../text/permissions/subject.ts';
import type { DataPath } from '../../text/yaml.ts';
import type { Lint } from './lint.ts';

/** Forms that nothing can be written in: without a text, for a decision without a word, in a dialect of other things. */
export function lintPermissionFacts(lint: Lint, at: DataPath, facts: PermissionFacts): void {
  for (const kind of kinds)
    for (const [index, form] of (facts[kind] ?? []).entries()) {
      const place: DataPath = [...at, 'permissions', kind, index];
      if (form.text === undefined && form.whole === undefined)
        lint.fault(place, 'a form needs `text` or `whole`', 'Give it one of the two.');
      for (const [number, decision] of (form.only ?? []).entries())
        if (facts.decisions[decision] === undefined)
          lint.fault(
            [...place, 'only', number],
            `there is no word for \`${decision}\``,
            'Add it to `decisions`, or remove it here.',
          );
      if (form.as !== undefined && !dialectFor(form.as, kind)?.of.includes(kind))
        lint.fault([...place, 'as'], `\`${form.as}\` says nothing about \`${kind}\``, 'Choose another one.');
      const needed = kind === 'mcp' ? '{server}' : '{pattern}';
      for (const text of [form.text ?? []].flat())
        if (!text.includes(needed))
          lint.fault([...place, 'text'], `the text has no \`${needed}\``, 'All subjects would look alike.');
    }
}
