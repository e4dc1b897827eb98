/** The use cases of all other commands, bundled as one module. */
export { rules } from '../check/rules.ts';
export { viewWithoutTool } from '../generated/diagnostics.ts';
export { readStandardInput } from '../host/standard-streams.ts';
export { serve } from '../lsp/server.ts';
export { absorbProject } from '../project/absorb/absorb.ts';
export { addSource, removeSource } from '../project/add.ts';
export { addTarget } from '../project/add-target.ts';
export { compileProject } from '../project/compile.ts';
export { targetEntries } from '../project/config/targets.ts';
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
export { foreignSourceOf } from '../project/move-in/foreign.ts';
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
export { askInit } from './ask-init.ts';
export { mayRemoveOriginals } from './ask-originals.ts';
export { askPlace } from './ask-place.ts';
export { completionScripts } from './completion-scripts.ts';
export { findBlockTopic, findConfigurationTopic, readTopics } from './manual/read.ts';
export { pageText, topicText } from './manual/terminal.ts';
export { adoptExisting, convertForeign, planNextCompile } from './move-in.ts';
export { absorbData, absorbText, previewText } from './report/absorb.ts';
export { changedResult } from './report/add.ts';
export { addedTargetText } from './report/add-target.ts';
export { changedSourcesData, formatText, upgradeText } from './report/changed-sources.ts';
export { healthData, healthText } from './report/doctor.ts';
export { ejectText } from './report/eject.ts';
export { entriesText, fileText, linesText, pageData, ruleTable } from './report/explain.ts';
export { fleetData, fleetText, isApplicable, recipeText, repositoryData } from './report/fleet.ts';
export { hookText } from './report/hook.ts';
export { importData, importText } from './report/import.ts';
export { initData, initNotes } from './report/init.ts';
export { lockText } from './report/lock.ts';
export { migrateData, migrateText } from './report/migrate.ts';
export { overlapTable, targetPage, targetTable } from './report/targets.ts';
export { undoData, undoText } from './report/undo.ts';
export {
  outdatedText,
  previewMarkdown,
  previewText as previewUpdateText,
  updateData,
} from './report/update.ts';
export { diffText, viewData, viewText } from './report/view.ts';
export { watchCommand } from './watch.ts';
