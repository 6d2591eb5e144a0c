import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFunctionEnvironment, DEFAULT_STAGE, getStackName } from '../config.ts';
import { CommandError, print } from '../process/terminal.ts';
import type { StageOptions } from '../stages.ts';

const ROOT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of all generated files that are not committed, except those in lib/. */
export const outputDirectory = join(ROOT_FOLDER, 'cdk.out');

/** The assembly, which is the folder of the synthesized stack: its template, and the bundles of its functions. */
export const assemblyDirectory = join(outputDirectory, 'local');

export const templateFile = join(assemblyDirectory, `${getStackName(DEFAULT_STAGE)}.template.json`);

/** The file in the assembly with the hash of the sources from which it was synthesized. */
const HASH_FILE = 'sources.sha256';

const SOURCES = ['{functions,lib,infra}/**/*.*', 'package-lock.json'];
/** Matches the sources on which the stack does not depend, for example `infra/ops/cli.ts`. */
const NOT_SYNTHESIZED = /^infra[\\/](local|openapi|ops)[\\/]|\.generated\.|\.md$/;

/** The options of the stage. Only a stack with events has the stream of Declarations, which npm start can then use. */
const OPTIONS: StageOptions = { events: true };

/** The context of the CDK. The metadata are paths that read-stack.ts and sam-files.ts read. */
const CONTEXT = {
  stage: DEFAULT_STAGE,
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:version-reporting': false,
};

/** Synthesizes the stack, unless it is up to date. Throws a CommandError with the output if the synthesis fails. */
export async function synthesize({ quiet }: { quiet: boolean }): Promise<void> {
  const sourceHash = hashSources();
  if (isSynthesizedFrom(sourceHash)) return;
  if (!quiet) print('Synthesizing the stack, which takes some seconds.');
  mkdirSync(outputDirectory, { recursive: true });
  const newFolder = mkdtempSync(join(outputDirectory, 'synthesis-'));
  try {
    await synthesizeInto(newFolder);
    writeFileSync(join(newFolder, HASH_FILE), sourceHash);
    replaceAssembly(newFolder, sourceHash);
  } catch (error) {
    // The error of a process has both outputs. Any other error, for example of a full disk, has none.
    const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
    throw new CommandError(`The stack could not be synthesized.\n${stdout}${stderr}`);
  } finally {
    rmSync(newFolder, { recursive: true, force: true });
  }
}

/** Computes a hash of the options of the stack, and of the paths and contents of all sources. */
export function hashSources(): string {
  const options = [CONTEXT, OPTIONS, getStackName(DEFAULT_STAGE), buildFunctionEnvironment(DEFAULT_STAGE)];
  const hash = createHash('sha256').update(JSON.stringify(options));
  const files = globSync(SOURCES, { cwd: ROOT_FOLDER }).filter((path) => !NOT_SYNTHESIZED.test(path));
  for (const file of files.toSorted()) hash.update(`\n${file}\n`).update(readFileSync(join(ROOT_FOLDER, file)));
  return hash.digest('hex');
}

function isSynthesizedFrom(sourceHash: string): boolean {
  const hashFile = join(assemblyDirectory, HASH_FILE);
  return existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sourceHash;
}

/** Synthesizes the stack into a folder as the CDK does, but without calls to AWS and without checks of the template. */
export async function synthesizeInto(folder: string, variables: NodeJS.ProcessEnv = env): Promise<void> {
  const environment = {
    ...variables,
    NODE_COMPILE_CACHE: join(outputDirectory, 'compile-cache'),
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify(CONTEXT),
    // These checks take half of the time. The tests and each deployment run them.
    CDK_VALIDATION: 'false',
  };
  const runScript = (script: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [script, ...args], { cwd: ROOT_FOLDER, env: environment });
  await runScript('infra/generate/generate.ts');
  await runScript('infra/app.ts', JSON.stringify(OPTIONS));
  // The bundles are CommonJS modules, but the package.json of the repository contains "type": "module".
  writeFileSync(join(outputDirectory, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Replaces the assembly as a whole, unless another process, such as a test, has synthesized the same stack meanwhile. */
function replaceAssembly(newFolder: string, sourceHash: string): void {
  if (isSynthesizedFrom(sourceHash)) return;
  rmSync(assemblyDirectory, { recursive: true, force: true });
  try {
    renameSync(newFolder, assemblyDirectory);
  } catch (error) {
    if (!isSynthesizedFrom(sourceHash)) throw error;
  }
}
