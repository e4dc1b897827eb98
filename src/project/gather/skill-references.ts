import type { Severity } from '../../diagnostics/diagnostic.ts';
import { renaming } from '../../diagnostics/fixes.ts';
import { referenceFileNotFound, sourceOutside } from '../../generated/diagnostics.ts';
import { readSourceHead } from '../../resolve/front-matter.ts';
import type { Resource, SkillUnit, SourceUnit } from '../../resolve/program.ts';
import { normalReference, skillReferencesOf } from '../../resolve/written.ts';
import { innerPath } from '../../text/paths.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import { joinPath, kindIn, nameOf, parentOf } from './find.ts';
import type { Gathering, Home } from './gathering.ts';
import { isLocal, readResource } from './skill-files.ts';

/** Files that `references` of skills in a source name. */
export async function readSkillReferences(
  unit: SourceUnit,
  home: Home,
  path: string,
  gathering: Gathering,
): Promise<void> {
  const found = new Map<string, Resource>();
  for (const declaration of unit.document.declarations) {
    for (const { value, span } of skillReferencesOf(declaration)) {
      if (found.has(value)) continue;
      const resource = await readReference(value, parentOf(path), home, { span }, gathering);
      if (resource) found.set(value, resource);
    }
  }
  if (found.size > 0) gathering.units.set(unit.id, { ...unit, resources: found });
}

/** Whether the front matter of a Markdown skill may name files. */
export function namesReferences({ source: { text } }: SkillUnit): boolean {
  const end = text.indexOf('\n---', 3);
  return references.test(text.slice(0, Math.max(0, end)));
}

const references = /^references[ \t]*:/m;

/** A Markdown skill with the files that its front matter names. */
export async function withReferences(
  skill: SkillUnit,
  folder: string,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
): Promise<SkillUnit> {
  const head = readSourceHead(skill.source);
  const value = head.fields.get('references');
  const references = new Map<string, Resource>();
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'string') continue;
    const at = home.layer.remote && span ? span : head.spanOf(['references']);
    // A skill of somebody else says nothing against the project: the others are written.
    const where = { span: at, severity: 'warning' } as const;
    const resource = await readReference(item, folder, home, where, gathering);
    if (resource) references.set(item, resource);
  }
  return { ...skill, references };
}

async function readReference(
  written: string,
  folder: string,
  home: Home,
  where: { readonly span: Span; readonly severity?: Severity },
  gathering: Gathering,
): Promise<Resource | undefined> {
  const { report } = gathering;
  if (written.startsWith('!') || written.includes('{{') || /^[a-z][a-z0-9+.-]*:\/\//i.test(written))
    return undefined;
  const path = innerPath(joinPath(folder, written));
  if (path === undefined || /^[/~]/.test(written)) {
    const place = home.layer.remote ? 'its registry' : 'the project';
    report(sourceOutside({ reference: written, place }, { ...where, rule: 'reference-path' }));
    return undefined;
  }
  const siblings = await home.tree.list(parentOf(path));
  const kind = kindIn(siblings, nameOf(path));
  const reader = { tree: home.tree, report, span: where.span };
  const usable = kind === 'file' || (kind === undefined && !siblings && !isLocal(home.tree));
  const resource = usable ? await readResource(reader, path, normalReference(written)) : undefined;
  if (!resource && kind !== 'file') {
    const names = (siblings ?? []).map(sibling => sibling.name);
    const hint = `${didYouMean(nameOf(path), names)}Check the path: it starts at the folder of the file it stands in.`;
    const fixes = renaming(where.span, nameOf(path), names);
    report(referenceFileNotFound({ path: written }, { ...where, hint, rule: 'reference-path', fixes }));
  }
  return resource;
}
