import { join } from 'node:path';
import { ruleExists, ruleNameWrong, ruleTextWrong } from '../../generated/diagnostics.ts';
import { withFiles } from '../../host/overlay.ts';
import { compileProject } from '../../project/compile.ts';
import { projectRoot } from '../../project/open/root.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { writeSources } from '../../project/write/write-sources.ts';
import { hasLoneSurrogate } from '../../text/bytes.ts';
import { findFrontMatter } from '../../text/front-matter.ts';
import { splitGlobs } from '../../text/globs.ts';
import { rulesPath } from '../../text/places.ts';
import { isDeviceName } from '../../text/portable-path.ts';

/** A rule that an assistant proposes. */
export interface RuleDraft {
  readonly name: string;
  readonly text: string;
  /** Globs, separated by commas. */
  readonly applyTo?: string | undefined;
  readonly description?: string | undefined;
  /** Names of tools, separated by commas. */
  readonly targets?: string | undefined;
}

/** Returns the files that would contain a rule, without writing; `undefined` after reporting errors. */
export async function filesOfRule(rule: RuleDraft, context: CompileContext): Promise<string | undefined> {
  return (await tryRule(rule, context))?.places;
}

/** Adds a rule that compiles; an existing rule is not replaced. */
export async function addRule(rule: RuleDraft, context: CompileContext): Promise<string | undefined> {
  const tried = await tryRule(rule, context);
  if (!tried) return undefined;
  const { root, path, text, places } = tried;

  if (!(await writeSources(root, [{ path, text, isNew: true }], context))) return undefined;
  return `Wrote ${path}. Run \`prs compile\` to bring it to the tools; \`prs undo\` takes it back.\n${places}`;
}

interface TriedRule {
  readonly root: string;
  readonly path: string;
  readonly text: string;
  readonly places: string;
}

/** Compiles the project with the rule in memory. */
async function tryRule(rule: RuleDraft, context: CompileContext): Promise<TriedRule | undefined> {
  const { root, config } = projectRoot(context);
  const path = `${rulesPath}/${rule.name}.md`;

  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(rule.name) || isDeviceName(rule.name)) {
    context.report(ruleNameWrong({ name: rule.name.slice(0, 100) }));
    return undefined;
  }
  const problem = textProblem(rule);
  if (problem) {
    context.report(ruleTextWrong({ problem }));
    return undefined;
  }
  if (config !== undefined && context.disk.lstat(join(root, path))) {
    context.report(ruleExists({ path }, { file: path }));
    return undefined;
  }
  const text = ruleText(rule);
  const files = config === undefined ? [] : [[path, { content: text }] as const];
  const disk = withFiles(context.disk, root, files);
  let failed = false;
  const report: CompileContext['report'] = found => {
    failed ||= found.severity === 'error';
    context.report(found);
  };
  const compiled = await compileProject(
    { mode: 'plan', force: true, trial: true },
    { ...context, disk, report },
  );
  if (typeof compiled === 'string' || failed) return undefined;
  const item = `guards.${rule.name}`;
  const lines = compiled.placed.flatMap(place =>
    place.item === item || place.parts?.includes(item)
      ? [`- ${place.target}: ${place.path}${place.always ? ' (always loaded)' : ''}`]
      : [],
  );
  const places =
    lines.length > 0 ? `Files that hold it:\n${lines.join('\n')}\n` : 'No enabled tool receives it.\n';
  return { root, path, text, places };
}

const maxLength = 64 * 1024;

/** Why the text of a rule is refused, as the end of the sentence "the rule …". */
function textProblem(rule: RuleDraft): string | undefined {
  const { text, applyTo = '', description = '', targets = '' } = rule;
  const { length } = text + applyTo + description + targets;
  if (length > maxLength) return `has ${length} characters, more than ${maxLength}`;
  if (findFrontMatter(text.trimStart())) return 'has front matter in its text';
  if (hasLoneSurrogate(text + applyTo + description + targets)) return 'has half of a character in it';
  return text.includes('\0') ? 'has a NUL character in it' : undefined;
}

/** JSON strings are valid YAML. */
function ruleText({ description, applyTo, targets, text }: RuleDraft): string {
  const list = (names: string) =>
    `[${splitGlobs(names)
      .map(name => JSON.stringify(name))
      .join(', ')}]`;
  const head = [
    ...(description ? [`description: ${JSON.stringify(description)}`] : []),
    ...(applyTo ? [`applyTo: ${list(applyTo)}`] : []),
    ...(targets ? [`targets: ${list(targets)}`] : []),
  ];
  const front = head.length > 0 ? `---\n${head.join('\n')}\n---\n\n` : '';
  return `${front}${text.trim()}\n`;
}
