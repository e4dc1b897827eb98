/**
 * The use cases of frequently used commands, bundled as one module: many small modules take longer to load
 * than to run.
 */

export { compileProject } from '../project/compile.ts';
export { diffProject } from '../project/diff.ts';
export { updateGitSetup } from '../project/merge/install.ts';
export { projectRoot } from '../project/open/root.ts';
export { findPackages } from '../project/packages.ts';
export { statusOf } from '../project/status.ts';
export { forUser } from '../project/user/scope.ts';
export { validateProject } from '../project/validate.ts';
export { compilePackages, diffPackages, statusPackages, validatePackages } from './packages.ts';
export { compileData, compileText } from './report/compile.ts';
export { diffData, diffText } from './report/diff.ts';
export { gettingStartedText, statusData, statusText } from './report/status.ts';
