/** The use cases of all other commands, bundled as one module. */
export { rules } from '../check/rules.ts';
export { viewWithoutTool } from '../generated/diagnostics.ts';
export { readStandardInput } from '../host/standard-streams.ts';
export { serve } from '../lsp/server.ts';
export { absorbProject } from '../project/absorb/absorb.ts';
export { addSource, removeSource } from '../project/add.ts';
export { addTarget } from '../project/add-target.ts';
export { compileProject } from '../project/compile.ts';
export { checkHealth } from '../project/doctor/doctor.ts';
export { ejectProject } from '../project/eject.ts';
export { explainValue, findPage, suggestPath, suggestSubject } from '../project/explain/explain.ts';
export { explainFile, explainLine, lineAddress } from '../project/explain/explain-line.ts';
export { writeRecipe } from '../project/fleet/apply-fleet.ts';
export { planFleet } from '../project/fleet/plan-fleet.ts';
export { formatProject, layOut } from '../project/format-sources.ts';
export { projectRegistries } from '../project/gather/registries.ts';
export * from '../project/init/init.ts';
export { installHooks } from '../project/merge/install.ts';
export { mergeFile } from '../project/merge/merge-file.ts';
export { importInstructions } from '../project/move-in/import.ts';
export { migrateProject, promptForMigration } from '../project/move-in/migrate.ts';
export { upgradeProject } from '../project/move-in/upgrade.ts';
export { knownSpecs } from '../project/open/known-specs.ts';
export { openProject } from '../project/open/open.ts';
export { projectRoot } from '../project/open/root.ts';
export { describeTarget, listTargets, readTargetNames, targetNamed } from '../project/open/targets.ts';
export { findOutdated } from '../project/outdated.ts';
export { pinSources } from '../project/pin.ts';
export { previewUpdate } from '../project/preview-update.ts';
export { loadProgram } from '../project/program.ts';
export { validateProject } from '../project/validate.ts';
export { listOverlaps } from '../project/view/overlap.ts';
export {
  compareViews,
  originsOfParts,
  viewCommit,
  viewProject,
} from '../project/view/view.ts';
export { undoLastRun } from '../project/write/undo.ts';
export { recoverProject } from '../project/write/write.ts';
export { askInit, askPlace, mayRemoveOriginals } from './ask.ts';
export { pageText, topicOf, topicText } from './manual.ts';
export { absorbData, absorbText, previewText } from './report/absorb.ts';
export {
  changedResult,
  lockText,
  outdatedText,
  previewMarkdown,
  previewText as previewUpdateText,
  updateData,
} from './report/lock.ts';
export { moveIn } from './report/move-in.ts';
export { addedTargetText, overlapTable, targetList, targetPage } from './report/targets.ts';
export { watchCommand } from './watch.ts';
