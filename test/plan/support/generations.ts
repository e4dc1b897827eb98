import type { OutputFile } from '../../../src/kinds/output.ts';
import { element, set, shared, whole } from './project.ts';

/**
 * The outputs of a project over several generations, with all kinds of changes: files are changed, added and removed,
 * become folders and back, and become executable; keys of a user's file are set, changed and removed.
 */
export function generation(number: number): OutputFile[] {
  const odd = number % 2 === 1;
  const files: OutputFile[] = [
    whole('MAIN.md', `# Generation ${number}\n${'line\n'.repeat(200)}end ${number}\n`),
    whole('stable.md', 'always the same\n'),
    whole('docs/deep/er/note.md', `note ${number}\n`),
    whole('bin/run.sh', `#!/bin/sh\necho ${number}\n`, { executable: true }),
    shared('settings.json', [
      set('servers.ours', { command: 'run', generation: number }),
      ...(odd ? [set('servers.sometimes', { on: true })] : []),
      element('hooks.stop', { run: `echo ${number}` }),
    ]),
  ];
  for (let at = 0; at < 5; at++) files.push(whole(`rules/${at}-${odd ? 'odd' : 'even'}.md`, `rule ${number} ${at}\n`));
  // A file in one generation is a folder in the next.
  files.push(odd ? whole('place', `file ${number}\n`) : whole('place/inner/file.md', `inner ${number}\n`));
  if (odd) files.push(shared('only.json', [set('a.b', number)]));
  // A folder that is added with all its content, and removed again.
  const made = odd ? 'made' : 'made-otherwise';
  for (const path of ['first.md', 'deep/er/second.md', 'deep/third.md']) files.push(whole(`${made}/${path}`, `${path} ${number}\n`));
  return files;
}

/** What the user wrote into the shared file. It must be present, byte for byte, at any moment. */
export const userSettings =
  '{\n    // mine, by hand\n    "servers": {\n        "mine": { "command":"x" , "args": [1,2,] }, // keep\n    },\n    "theme" : "dark"\n}\n';

export const userLines = ['    // mine, by hand', '        "mine": { "command":"x" , "args": [1,2,] }, // keep', '    "theme" : "dark"'];
