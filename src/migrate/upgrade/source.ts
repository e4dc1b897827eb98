import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { upgradeTooNew } from '../../generated/diagnostics.ts';
import type { Document } from '../../syntax/ast.ts';
import { parseDocument } from '../../syntax/parse.ts';
import type { Source } from '../../text/source.ts';
import { compareVersions, newestSyntax } from '../../text/version.ts';
import { applyEdits } from './edit.ts';
import { upgrades } from './upgrade.ts';

/** A source after an upgrade, with what was changed in it. */
export interface Upgraded {
  readonly text: string;
  /** The syntax it declared; fragments without `@meta` declare none and are read as the file that uses them is. */
  readonly from: string | undefined;
  /** Names of the steps that changed something. */
  readonly changes: readonly string[];
}

/**
 * The text of a source in the newest syntax. Reports what does not parse and a version newer than the program;
 * `undefined` then.
 */
export function upgradeSource(source: Source, report: Report): Upgraded | undefined {
  let document = parse(source, report);
  if (!document) return undefined;
  const from = declaredSyntax(document);
  if (from === undefined) return { text: source.text, from, changes: [] };
  if (compareVersions(from, newestSyntax) > 0) {
    report(upgradeTooNew({ path: source.name, version: from, newest: newestSyntax }, { file: source.name }));
    return undefined;
  }
  const changes: string[] = [];
  let text = source.text;
  for (const upgrade of upgrades) {
    if (compareVersions(from, upgrade.since) >= 0) continue;
    const edits = upgrade.edits(document, from);
    if (edits.length === 0) continue;
    text = applyEdits(text, edits);
    changes.push(upgrade.name);
    document = parse({ name: source.name, text }, report);
    if (!document) return undefined;
  }
  return { text, from, changes };
}

function parse(source: Source, report: Report): Document | undefined {
  let broken = false;
  const document = parseDocument(source, (diagnostic: Diagnostic) => {
    if (diagnostic.severity !== 'error') return;
    broken = true;
    report(diagnostic);
  });
  return broken ? undefined : document;
}

/** `syntax` of `@meta`, when it has the form of a version. */
export function declaredSyntax({ declarations }: Document): string | undefined {
  for (const declaration of declarations) {
    if (declaration.kind !== 'block' || declaration.name !== 'meta') continue;
    for (const item of declaration.body.items) {
      if (item.kind !== 'field' || item.key !== 'syntax' || !item.value) continue;
      const written =
        item.value.kind === 'number' ? item.value.raw : item.value.kind === 'string' ? item.value.value : '';
      if (/^\d+(?:\.\d+){0,2}$/.test(written)) return written;
    }
  }
  return undefined;
}
