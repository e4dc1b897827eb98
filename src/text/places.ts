/** Where a project keeps what people write, relative to its root. */
export const entryPath = '.instr/project.prs';
/** Private notes: read after the entry, and kept out of version control. */
export const localPath = '.instr/local.prs';
/** Specs of targets that the project brings itself. */
export const specsPath = '.instr/targets';
