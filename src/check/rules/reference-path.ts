import { referenceMissing, referenceOutside } from '../../generated/diagnostics.ts';
import { leavesRoot } from '../../text/paths.ts';
import { fieldOf, objectEntries, placeOf, scalarsOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** Files that a skill points to. */
export const referencePath: Rule = {
  name: 'reference-path',
  severity: 'error',
  help: 'Files that a skill references exist in the project or travel with the skill.',
  check: ({ program, options, report }) => {
    for (const { name, node } of objectEntries(program, 'skills')) {
      const resources = new Set(program.skills.get(name)?.resources.map(resource => resource.path));
      for (const item of scalarsOf(fieldOf(node, 'references'))) {
        const path = String(item.value ?? '').replace(/^\.\//, '');
        if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) || path === '') continue;
        if (leavesRoot(path)) report(referenceOutside({ skill: name, path }, { span: placeOf(item) }));
        else if (!resources.has(path) && options.fileExists?.(path) === false) {
          report(referenceMissing({ skill: name, path }, { span: placeOf(item) }));
        }
      }
    }
  },
};
