import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { readOptions } from '../../process/read-options.ts';
import { CommandError, exitWithError, print } from '../../process/terminal.ts';

const runProgram = promisify(execFile);
const ROOT_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE_FOLDER = join(ROOT_FOLDER, 'lib/client');
const COMPILER = join(ROOT_FOLDER, 'node_modules/typescript/bin/tsc');
const COMPILER_OPTIONS = fileURLToPath(new URL('tsconfig.package.json', import.meta.url));

/** Compiles and packs the client with npm; returns the path of the package. Its content remains in `package`. */
export async function packClient(folder: string): Promise<string> {
  const content = join(folder, 'package');
  await rm(content, { recursive: true, force: true });
  await mkdir(content, { recursive: true });
  await compileClient(join(content, 'dist'));
  for (const name of ['package.json', 'README.md', 'LICENSE', 'examples']) {
    await cp(join(SOURCE_FOLDER, name), join(content, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  }
  await bundleExample(join(content, 'examples/declare-csv'));
  return packFolder(content, folder);
}

/** Bundles declare-csv with its packages, so that the client has no dependencies, and adds their licences. */
async function bundleExample(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(SOURCE_FOLDER, 'examples/declare-csv/declare-csv.ts')],
    outfile: join(folder, 'declare-csv.js'),
    absWorkingDir: ROOT_FOLDER,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Packages that are not ES modules need `require`.
    banner: {
      js: `#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`,
    },
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

async function readLicence(packageFolder: string): Promise<string> {
  const files = await readdir(join(ROOT_FOLDER, packageFolder));
  const file = files.find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new CommandError(`The package ${packageFolder} has no licence file.`);
  const licence = await readFile(join(ROOT_FOLDER, packageFolder, file), 'utf8');
  return `${packageFolder.replace('node_modules/', '')}\n\n${licence}`;
}

async function compileClient(folder: string): Promise<void> {
  const command = [COMPILER, '--project', COMPILER_OPTIONS, '--outDir', folder];
  await runProgram(process.execPath, command).catch(({ stdout }: { readonly stdout?: string }) => {
    throw new CommandError(`The client does not compile:\n${stdout}`);
  });
  // The compiler keeps `.ts` in imports of declarations, and some of its versions do not resolve that to `.d.ts`.
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(".ts';", ".js';"));
  }
}

async function packFolder(content: string, folder: string): Promise<string> {
  const packed = runProgram('npm', ['pack', content, '--pack-destination', folder, '--json']);
  const { stdout } = await packed.catch((error: Error) => {
    throw new CommandError(`npm cannot pack: ${error.message}`);
  });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, filename);
}

if (import.meta.main) {
  readOptions(`Usage: npm run client:pack

Builds the package of the client for integrators in cdk.out/client, and prints its file name.
More: lib/client/README.md`);
  print(`Written: ${await packClient(join(ROOT_FOLDER, 'cdk.out/client')).catch(exitWithError)}`);
}
