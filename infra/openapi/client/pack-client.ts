import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rejectArguments } from '../../process/read-options.ts';
import { exitWithError, print } from '../../process/terminal.ts';

const runProgram = promisify(execFile);
const ROOT_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE_FOLDER = join(ROOT_FOLDER, 'lib/client');
const COMPILER = join(ROOT_FOLDER, 'node_modules/typescript/bin/tsc');
const TSCONFIG_FILE = fileURLToPath(new URL('tsconfig.package.json', import.meta.url));

/** Compiles the client into `<folder>/package`, and packs that with npm. Returns the path of the packed `.tgz` file. */
export async function packClient(folder: string): Promise<string> {
  const packageFolder = join(folder, 'package');
  await rm(packageFolder, { recursive: true, force: true });
  await mkdir(packageFolder, { recursive: true });
  await compileClient(join(packageFolder, 'dist'));
  // The sources of the examples are not published, only requests such as portal.http.
  const isPublished = (path: string) => !path.endsWith('.ts');
  for (const name of ['package.json', 'LICENSE', 'README.md', 'examples']) {
    await cp(join(SOURCE_FOLDER, name), join(packageFolder, name), { recursive: true, filter: isPublished });
  }
  const { stdout } = await runProgram('npm', ['pack', packageFolder, '--pack-destination', folder, '--json']);
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, filename);
}

async function compileClient(folder: string): Promise<void> {
  const command = [COMPILER, '--project', TSCONFIG_FILE, '--outDir', folder];
  // If the compiler fails, the error of this call contains the output of the compiler.
  await runProgram(process.execPath, command);
  // The compiler keeps `.ts` in imports of `.d.ts` files, and some versions of it do not resolve that to `.d.ts`.
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const declarations = await readFile(path, 'utf8');
    await writeFile(path, declarations.replaceAll(".ts';", ".js';"));
  }
}

if (import.meta.main) {
  rejectArguments(`Usage: npm run client:pack

Builds the package of the client for integrators in cdk.out/client, and prints its file name.
More: lib/client/README.md`);
  const packageFile = await packClient(join(ROOT_FOLDER, 'cdk.out/client')).catch(exitWithError);
  print(`Written: ${packageFile}`);
}
