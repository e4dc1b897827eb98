import { viewNoCommit } from '../../generated/diagnostics.ts';
import { filesOfCommit } from '../../host/git.ts';
import { memoryDisk } from '../../host/memory.ts';
import type { OpenFailure } from '../open/open.ts';
import { projectRoot } from '../open/root.ts';
import type { CompileContext } from '../session/world.ts';
import { type View, type ViewRequest, viewProject } from './view.ts';

/** What a project is compiled from, and what tools read beside it. */
const instructions = /(?:^|\/)\.[^/]|\.(?:prs|md|mdc|markdown|ya?ml|jsonc?|toml)$/i;

/**
 * The same view of another state of the project: of a commit, branch or tag. Only files that instructions can be made
 * of are looked at.
 */
export async function viewCommit(
  reference: string,
  request: ViewRequest,
  context: CompileContext,
): Promise<View | OpenFailure> {
  const { root } = projectRoot(context);

  const files = filesOfCommit(root, reference, path => instructions.test(path));
  if (!files) {
    context.report(viewNoCommit({ reference }));
    return 'wrong-request';
  }
  const disk = memoryDisk(root, files);
  return viewProject(request, { ...context, disk, report: () => {} });
}

/** Two views as one patch: files in the order of the tool, with their borders. */
export async function compareViews(before: View, after: View, name: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  return createTwoFilesPatch(`as of ${name}`, 'as of now', asText(before), asText(after), '', '', {
    context: 3,
  });
}

const asText = ({ parts }: View): string =>
  parts.map(({ path, text }) => `── ${path}\n${text.endsWith('\n') ? text : `${text}\n`}`).join('');
