import { join } from 'node:path';
import type { EmitResult } from '../emit/emit.ts';
import { conventions } from '../generated/conventions.ts';
import { conventionTemplateBroken } from '../generated/diagnostics.ts';
import { languageSkill } from '../generated/language-skill.ts';
import type { OutputConvention } from '../generated/types/config.ts';
import type { Disk } from '../host/host.ts';
import type { ConventionTemplates, EmitSettings } from '../kinds/request.ts';
import type { Item } from '../model/model.ts';
import { resolveTargetName } from '../spec/load.ts';
import type { Template } from '../spec/template.ts';
import { templateProblem } from '../spec/template-compile.ts';
import { compileTemplate } from '../spec/templates.ts';
import { once } from '../text/memo.ts';
import { isMarkdownPath, languageSkillName, sharedDir } from '../text/places.ts';
import { suggest } from '../text/similar.ts';
import { formatFiles } from './format.ts';
import type { Build } from './open/builds.ts';
import type { Project } from './open/open.ts';
import type { WithDisk, WithEnvironment, WithIsolation, WithReport } from './session/world.ts';

/** The settings for all files of a build. Invalid conventions are reported. */
export async function readEmitSettings(
  build: Build,
  project: Project,
  context: WithReport,
  layout: EmitSettings['layout'],
  trace: boolean,
): Promise<EmitSettings> {
  const { config } = project.loaded;
  return {
    conventions,
    customConventions: await compileConventions(project, context),
    baseDir: build.baseDir,
    ...(layout && { layout }),
    isTarget: name => resolveTargetName(name, project.custom) !== undefined,
    universalDir: sharedDir(config.universalDir),
    ...(config.output?.sectionOrder && { sectionOrder: config.output.sectionOrder }),
    ...(config.output?.header !== undefined && { header: config.output.header }),
    ...(config.output?.heading !== undefined && { heading: config.output.heading }),
    ...(build.name !== undefined && { build: build.name }),
    ...(config.includeInstrSkill &&
      !build.disabled?.skills.includes(languageSkillName) && { languageSkill: bundledSkill }),
    ...(trace && { trace }),
  };
}

/** Formats the files if the configuration enables it. */
export async function formatOutputs(
  result: EmitResult,
  project: Project,
  context: WithDisk & WithReport & WithIsolation & WithEnvironment,
): Promise<EmitResult> {
  const { formatting } = project.loaded.config;
  if (formatting === undefined || formatting.formatter === false) return result;

  return { ...result, files: await formatFiles(result.files, project, context) };
}

/** Returns a function that finds the Markdown source outside `.instr` at a path, also through links. */
export function sourceFinder(
  root: string,
  sources: readonly string[],
  disk: Disk,
): (path: string) => string | undefined {
  const markdown = sources.filter(path => isMarkdownPath(path) && !path.startsWith('.instr/'));
  if (markdown.length === 0) return () => undefined;
  const real = (path: string) => disk.realpath(join(root, path)) ?? join(root, path);
  const places = once(() => new Map(markdown.map(source => [real(source), source])));
  return path => places().get(real(path));
}

/** The bundled skill about the language, as an item. */
const bundledSkill: Item = {
  name: languageSkill.name,
  path: `skills.${languageSkill.name}`,
  fields: new Map([
    ['name', languageSkill.name],
    ['description', languageSkill.description],
    ['content', languageSkill.content],
  ]),
  computed: new Set(['name']),
  resources: [],
};

/** Compiles the templates of custom conventions. Invalid ones are reported and left out. */
async function compileConventions(
  project: Project,
  context: WithReport,
): Promise<EmitSettings['customConventions']> {
  const compiled = new Map<string, { convention: OutputConvention; templates: ConventionTemplates }>();
  for (const [name, convention] of Object.entries(project.loaded.config.customConventions ?? {})) {
    const section = await compilePart(name, convention, 'section', project, context);
    const subsection =
      convention.subsection && (await compilePart(name, convention, 'subsection', project, context));
    if (section)
      compiled.set(name, { convention, templates: { section, subsection: subsection ?? section } });
  }
  return compiled;
}

/** The variables of convention templates. */
const variables: Readonly<Record<'start' | 'end', readonly string[]>> = {
  start: ['name', 'level', 'content'],
  end: ['name', 'level'],
};

async function compilePart(
  name: string,
  convention: OutputConvention,
  part: 'section' | 'subsection',
  { loaded }: Project,
  { report }: WithReport,
): Promise<ConventionTemplates['section'] | undefined> {
  const compile = async (side: 'start' | 'end'): Promise<Template | undefined> => {
    const text = convention[part]?.[side];
    // An empty end means none; an empty start means a section without a heading.
    if (text === undefined || (text === '' && side === 'end')) return undefined;

    const broken = (problem: string, hint?: string) => {
      const span = loaded.spanOf(['customConventions', name, part, side]);
      report(conventionTemplateBroken({ name, problem }, { span, ...(hint && { hint }) }));
      return undefined;
    };
    try {
      const template = await compileTemplate(text, `customConventions.${name}.${part}.${side}`);
      const unknown = template.uses.find(use => !variables[side].includes(use));
      if (unknown !== undefined) {
        const known = variables[side].map(variable => `{{${variable}}}`).join(', ');
        const meant = suggest(unknown, variables[side]);
        const hint = `${meant ? `Did you mean \`{{${meant}}}\`? ` : ''}Here are ${known}.`;
        return broken(`nothing is called {{${unknown}}}`, hint);
      }
      return template;
    } catch (error) {
      return broken(templateProblem(error));
    }
  };
  const start = await compile('start');
  const end = await compile('end');
  return start && { start, ...(end && { end }) };
}
