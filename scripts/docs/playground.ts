/** Builds the playground of the site: an editor and the compiler in a worker, without network requests. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { globals, machineOfPage } from '../build/browser.ts';
import { filesBelow } from '../files.ts';
import { root } from '../generate.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'playground');

/** Replaces large packages that the page never uses by stubs. */
const unused: Plugin = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    const filter =
      /^(?:prettier(?:\/.*)?|handlebars|node-fetch|simple-git|https?-proxy-agent|proxy-from-env)$/;
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({
      contents: `import { missingModule } from './missing.ts';\nmodule.exports = missingModule(${JSON.stringify(path)});`,
      loader: 'js',
      resolveDir: join(root, 'src/host/browser'),
    }));
  },
};

/** The text files of a folder in test/projects. */
function exampleFiles(name: string): Record<string, string> {
  const start = join(root, 'test/projects', name);
  const paths = filesBelow(start).filter(
    path => /\.(?:prs|md|ya?ml|json|sh|txt|csv)$/.test(path) && !path.includes('omissions'),
  );
  return Object.fromEntries(paths.map(path => [path, readFileSync(join(start, path), 'utf8')]));
}

/** The example projects as JSON that can be embedded in the page. */
export function exampleData(): string {
  const shop = {
    'instr.yaml':
      'id: shop\nsyntax: "1.6.0"\ntargets: [claude, cursor, github, codex, kiro]\nincludeInstrSkill: false\n',
    '.instr/project.prs': readFileSync(join(folder, 'shop.prs'), 'utf8'),
  };
  const examples = { 'A small shop': shop, Everything: exampleFiles('kitchen-sink') };
  return JSON.stringify(examples).replaceAll('<', '\\u003c');
}

/** Bundles the scripts of the playground into the site. */
export async function buildPlayground(target: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const [name, entry] of [
    ['playground', 'page.ts'],
    ['playground-worker', 'worker.ts'],
  ] as const) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [join(folder, entry)],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      mainFields: ['module', 'main'],
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      alias: { 'vscode-languageserver': 'vscode-languageserver-types' },
      plugins: [unused, machineOfPage],
      inject: [globals],
      define: {
        'import.meta.url': '"file:///project/page.js"',
        'process.env.INSTR_VERSION': JSON.stringify(version),
      },
      logLevel: 'error',
    });
    writeFileSync(join(target, `${name}.js`), outputFiles[0]!.contents);
  }
}
