import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../lib/client/', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const compilerOptions = fileURLToPath(new URL('tsconfig.package.json', import.meta.url));

/** Why the client cannot be packed, in words for the user. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

/** Packs the client as npm does, compiled; gives the path of the package. What is packed stays in `package`. */
export async function packClient(folder: string): Promise<string> {
  const content = join(folder, 'package');
  await rm(content, { recursive: true, force: true });
  await mkdir(content, { recursive: true });
  await compile(join(content, 'dist'));
  for (const name of ['package.json', 'README.md', 'LICENSE', 'examples']) {
    await cp(join(source, name), join(content, name), { recursive: true });
  }
  const { name } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { name: string };
  // An example that is copied out of the package takes the client from there.
  await replaceInFiles(join(content, 'examples'), '.ts', /'(\.\.\/)+index\.ts'/g, `'${name}'`);
  return npmPack(content, folder);
}

async function compile(folder: string): Promise<void> {
  const compiler = ['--project', compilerOptions, '--outDir', folder];
  try {
    await run(process.execPath, [tsc, ...compiler]);
  } catch (error) {
    throw new PackError(`The client does not compile:\n${(error as { readonly stdout?: string }).stdout}`);
  }
  // The compiler leaves `.ts` in the declarations, and not every version of it finds `.d.ts` by that.
  await replaceInFiles(folder, '.d.ts', ".ts';", ".js';");
}

async function replaceInFiles(
  folder: string,
  ending: string,
  text: string | RegExp,
  replacement: string,
): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(ending)) continue;
    const path = join(folder, name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(text, replacement));
  }
}

async function npmPack(content: string, folder: string): Promise<string> {
  try {
    const { stdout } = await run('npm', ['pack', content, '--pack-destination', folder, '--json']);
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    return join(folder, filename);
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    throw new PackError(code === 'ENOENT' ? 'npm is missing: it comes with Node.' : `npm cannot pack:\n${stderr}`);
  }
}
