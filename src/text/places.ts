/** Where a project keeps what people write, relative to its root. */
export const entryPath = '.instr/project.prs';
/** The entry of projects that are written in Markdown alone. */
export const markdownEntryPath = '.instr/project.md';
/** Markdown here is a document, whatever its front matter says. */
export const documentsPath = '.instr/documents';
/** Where rules, agents, commands and MCP servers are found without being named. */
export const rulesPath = '.instr/rules';
/** Folder in which agents are found without being named. */
export const agentsPath = '.instr/agents';
/** Folder in which commands are found without being named. */
export const commandsPath = '.instr/commands';
/** Folder in which checks of reviews are found without being named. */
export const checksPath = '.instr/checks';
/** File in which MCP servers are found without being named. */
export const serversPath = '.instr/mcp.json';
/** Where tools share skills and commands, unless the configuration names another folder. */
export const sharedFolder = '.agents';
/** The folder in which tools share skills and commands, also where nothing is to be found there (`universalDir: false`); the root is ''. */
export const sharedDir = (universalDir: string | false | undefined): string =>
  universalDir === false || universalDir === undefined ? sharedFolder : universalDir;
/** Files that are Markdown by their name. */
export function isMarkdownPath(path: string): boolean {
  const name = path.toLowerCase();
  return name.endsWith('.md') || name.endsWith('.mdc') || name.endsWith('.markdown');
}
/** Private notes: read after the entry, and kept out of version control. */
export const localPath = '.instr/local.prs';
/** What one person wants beside the configuration; kept out of version control. */
export const localConfigPath = 'instr.local.yaml';
/** Where people would look for them in Markdown; not read. */
export const markdownNotesPath = '.instr/local.md';
/** Specs of targets that the project brings itself. */
export const specsPath = '.instr/targets';
/** Folders of programs; nothing in them belongs to the project. */
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
