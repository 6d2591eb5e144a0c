import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildResult, buildSync } from 'esbuild';
import type { StaticFiles } from '../static-files.ts';

const ROOT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));
const PAGE_FOLDER = join(ROOT_FOLDER, 'lib/declare-page/browser');

/** The folder of an installed package in a path: `node_modules/preact` or `node_modules/@scope/name`. */
const PACKAGE_FOLDER = /^node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Builds the files of the page for clerks. The scripts are bundled when one of them is read for the first time. */
export function buildDeclarePageFiles(): StaticFiles {
  let bundle: Readonly<Record<string, string>> | undefined;
  const readScript = (name: string) => {
    bundle ??= bundleScripts();
    return bundle[name]!;
  };
  const readAsset = (name: string) => readFileSync(join(PAGE_FOLDER, name), 'utf8');
  return {
    'index.html': () => readAsset('index.html'),
    'page.css': () => readAsset('page.css'),
    'icon.svg': () => readFileSync(join(ROOT_FOLDER, 'infra/openapi/page/icon.svg'), 'utf8'),
    'page.js': () => readScript('page.js'),
    'read-worker.js': () => readScript('read-worker.js'),
    'shared.js': () => readScript('shared.js'),
    'licences.md': () => readScript('licences.md'),
    'guide.en.html': () => embedPictures(readAsset('guide.en.html')),
    'guide.es.html': () => embedPictures(readAsset('guide.es.html')),
  };
}

/** Bundles the scripts of the page and of its worker, and the licences of the packages that they contain. */
function bundleScripts(): Readonly<Record<string, string>> {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [join(PAGE_FOLDER, 'page.tsx'), join(PAGE_FOLDER, 'read-worker.ts')],
    absWorkingDir: ROOT_FOLDER,
    outdir: '.',
    // The modules that both scripts need are in a third script, `shared.js`.
    splitting: true,
    chunkNames: 'shared',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The main entry of this package needs the streams of Node.
    alias: { 'csv-parse': 'csv-parse/browser/esm' },
  });
  const bundle: Record<string, string> = { 'licences.md': formatLicences(metafile) };
  for (const { path, text } of outputFiles) bundle[basename(path)] = text;
  return bundle;
}

/** Formats the licences of the packages in a bundle, each under the name of its package. */
function formatLicences({ inputs }: NonNullable<BuildResult['metafile']>): string {
  const packageFiles = Object.keys(inputs).filter((path) => PACKAGE_FOLDER.test(path));
  const folders = new Set(packageFiles.map((path) => PACKAGE_FOLDER.exec(path)![0]));
  return [...folders].map((folder) => `# ${folder.replace('node_modules/', '')}\n\n${readLicence(folder)}`).join('\n');
}

function readLicence(packageFolder: string): string {
  const folder = join(ROOT_FOLDER, packageFolder);
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`The package ${packageFolder} has no licence file.`);
  return readFileSync(join(folder, file), 'utf8');
}

/** Replaces the addresses of the pictures in a guide with the pictures, because the API serves only files of text. */
function embedPictures(html: string): string {
  return html.replaceAll(/src="([\w.-]+\.png)"/g, (_, name: string) => {
    const picture = readFileSync(join(PAGE_FOLDER, name)).toString('base64');
    return `src="data:image/png;base64,${picture}"`;
  });
}
