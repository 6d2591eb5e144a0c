import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { readOptions } from '../../process/read-options.ts';
import { CommandError, exitWithError, print } from '../../process/terminal.ts';

const runProgram = promisify(execFile);
const ROOT_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE_FOLDER = join(ROOT_FOLDER, 'lib/client');
const COMPILER = join(ROOT_FOLDER, 'node_modules/typescript/bin/tsc');
const TSCONFIG_FILE = fileURLToPath(new URL('tsconfig.package.json', import.meta.url));

/** The start of declare-csv. Its packages that are not ES modules need `require`. */
const BUNDLE_START = `#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/** Compiles and packs the client with npm; returns the path of the package. Its files remain in `package`. */
export async function packClient(folder: string): Promise<string> {
  const packageFolder = join(folder, 'package');
  await rm(packageFolder, { recursive: true, force: true });
  await mkdir(packageFolder, { recursive: true });
  await compileClient(join(packageFolder, 'dist'));
  for (const name of ['package.json', 'LICENSE', 'examples', '../declare-csv']) {
    await cp(join(SOURCE_FOLDER, name), join(packageFolder, basename(name)), {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  }
  // In the package, the guide and the folder of the command are in the same folder.
  const guide = await readFile(join(SOURCE_FOLDER, 'README.md'), 'utf8');
  await writeFile(join(packageFolder, 'README.md'), guide.replaceAll('](../', ']('));
  await bundleDeclareCsv(join(packageFolder, 'declare-csv'));
  const command = ['pack', packageFolder, '--pack-destination', folder, '--json'];
  const { stdout } = await runProgram('npm', command);
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, filename);
}

async function compileClient(folder: string): Promise<void> {
  const command = [COMPILER, '--project', TSCONFIG_FILE, '--outDir', folder];
  // The compiler prints its errors to stdout, which the error of this call contains.
  await runProgram(process.execPath, command);
  // The compiler keeps `.ts` in imports of declarations, and some of its versions do not resolve that to `.d.ts`.
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const declarations = await readFile(path, 'utf8');
    await writeFile(path, declarations.replaceAll(".ts';", ".js';"));
  }
}

/** Bundles declare-csv with its packages, so that the client has no dependencies, and adds their licences. */
async function bundleDeclareCsv(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(ROOT_FOLDER, 'lib/declare-csv/declare-csv.ts')],
    outfile: join(folder, 'declare-csv.js'),
    absWorkingDir: ROOT_FOLDER,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: BUNDLE_START },
  });
  const packageFolders = new Set<string>();
  for (const path of Object.keys(metafile.inputs)) {
    // The folder of a package, such as `node_modules/big.js` or `node_modules/@scope/name`.
    const [packageFolder] = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (packageFolder !== undefined) packageFolders.add(packageFolder);
  }
  const licences = await Promise.all([...packageFolders].map(readLicence));
  await writeFile(join(folder, 'LICENSES.txt'), licences.join('\n\n---\n\n'));
}

/** Reads the licence of a package, with the name of the package as its title. */
async function readLicence(packageFolder: string): Promise<string> {
  const files = await readdir(join(ROOT_FOLDER, packageFolder));
  const file = files.find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new CommandError(`The package ${packageFolder} has no licence file.`);
  const licence = await readFile(join(ROOT_FOLDER, packageFolder, file), 'utf8');
  return `${packageFolder.replace('node_modules/', '')}\n\n${licence}`;
}

if (import.meta.main) {
  readOptions(`Usage: npm run client:pack

Builds the package of the client for integrators in cdk.out/client, and prints its file name.
More: lib/client/README.md`);
  print(`Written: ${await packClient(join(ROOT_FOLDER, 'cdk.out/client')).catch(exitWithError)}`);
}
