/** File names of the configuration, the preferred one first. */
export const configNames: readonly string[] = ['instr.yaml', 'instr.yml'];

/** Path of the entry file, relative to the root of the project. */
export const entryPath = '.instr/project.prs';
/** The entry of projects that are written in Markdown only. */
export const markdownEntryPath = '.instr/project.md';
/** Every Markdown file in this folder is a document, regardless of its front matter. */
export const documentsPath = '.instr/documents';
/** Folder in which rules are found without being named. */
export const rulesPath = '.instr/rules';
/** Folder in which agents are found without being named. */
export const agentsPath = '.instr/agents';
/** Folder in which commands are found without being named. */
export const commandsPath = '.instr/commands';
/** Folder in which checks of reviews are found without being named. */
export const checksPath = '.instr/checks';
/** File in which MCP servers are found without being named. */
export const serversPath = '.instr/mcp.json';
/** Default of the folder in which tools share skills and commands. */
export const sharedFolder = '.agents';
/**
 * The folder in which tools share skills and commands, also when discovery there is turned off
 * (`universalDir: false`). The root of the project is ''.
 */
export const sharedDir = (universalDir: string | false | undefined): string =>
  universalDir === false || universalDir === undefined ? sharedFolder : universalDir;
/** Whether a path has the extension of Markdown. */
export function isMarkdownPath(path: string): boolean {
  const name = path.toLowerCase();
  return name.endsWith('.md') || name.endsWith('.mdc') || name.endsWith('.markdown');
}
/** Whether a path has the extension of a data format. */
export const isDataPath = (path: string): boolean => /\.(?:json|jsonc|toml|ya?ml)$/i.test(path);
/** Private notes of one person: read after the entry, and kept out of version control. */
export const localPath = '.instr/local.prs';
/** Private configuration of one person; kept out of version control. */
export const localConfigPath = 'instr.local.yaml';
/** A likely misplaced file: private notes in Markdown, which are not read. */
export const markdownNotesPath = '.instr/local.md';
/** Target specs that belong to the project. */
export const specsPath = '.instr/targets';
/** Folders of dependencies and build output, which are never searched for sources. */
export const excludedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.git',
  '.hg',
  '.svn',
  '.venv',
  'venv',
  '__pycache__',
]);

/** The name of the skill that teaches the language. */
export const languageSkillName = 'instr';
