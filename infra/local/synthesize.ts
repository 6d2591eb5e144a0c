import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { buildFunctionEnvironment, DEFAULT_STAGE, getStackName } from '../config.ts';
import { CommandError, print } from '../process/terminal.ts';

const ROOT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of a stack that is synthesized with options. */
export type Assembly = ReturnType<typeof createAssembly>;

/** The stack without options. */
export const plainAssembly = createAssembly('cdk.out');

/** The stack that publishes events. */
export const eventsAssembly = createAssembly('cdk.out/events', 'events=true');

export const { directory: assemblyDirectory, templateFile } = plainAssembly;

/** The command of cdk.json, without the options of infra/stages.ts. */
export const LOCAL_APP = `${cdkJson.app} --without-stage-options`;

const SOURCES = ['{functions,lib,infra}/**/*.*', 'package-lock.json', 'cdk.json'];
/** The sources on which the template does not depend, for example `infra/ops/cli.ts`. */
const NOT_SYNTHESIZED = /^infra[\\/](local|openapi|ops)[\\/]|\.generated\.|\.md$/;

/** The pause between attempts while another program synthesizes into the same folder. */
const BUSY_WAIT_MS = 500;

/** Synthesizes a stack into its folder, unless the folder contains the stack of the current sources. */
export async function synthesize({ quiet }: { quiet: boolean }, assembly = plainAssembly): Promise<void> {
  if (isUpToDate(assembly)) return;
  const reason = existsSync(assembly.stampFile) ? 'its sources have changed' : 'this is the first start';
  if (!quiet) print(`Synthesizing the stack: ${reason}. It takes up to a minute.`);
  do {
    await synthesizeOrWait(assembly);
  } while (!isUpToDate(assembly));
}

/** Synthesizes a stack and writes its stamp. Waits instead if another program synthesizes into the same folder. */
async function synthesizeOrWait(assembly: Assembly): Promise<void> {
  // The hash is computed first. If a source changes during the synthesis, the stamp is not that of the new sources.
  const sourceHash = hashSources();
  try {
    await synthesizeInto(assembly.directory, env, assembly.options);
    writeFileSync(assembly.stampFile, computeStamp(assembly, sourceHash));
  } catch (error) {
    const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
    const isFolderBusy = /\b(Another CLI|Other CLIs) \(PID=/.test(stderr);
    if (!isFolderBusy) throw new CommandError(`The stack could not be synthesized.\n${stdout}${stderr}`);
    await sleep(BUSY_WAIT_MS);
  }
}

/** Synthesizes the stack with options into a folder, without calls to AWS. */
export async function synthesizeInto(
  folder: string,
  variables: NodeJS.ProcessEnv = env,
  options: readonly string[] = [],
): Promise<void> {
  const cdk = join(ROOT_FOLDER, 'node_modules/aws-cdk/bin/cdk');
  const context = [`stage=${DEFAULT_STAGE}`, ...options].flatMap((option) => ['--context', option]);
  const command = [cdk, 'synth', '--quiet', ...context, '--output', folder, '--app', LOCAL_APP];
  // With credentials, the CDK would call AWS to look up the account. Therefore all sources of credentials are disabled.
  const environment = {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('AWS_'))),
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  await promisify(execFile)(process.execPath, command, { cwd: ROOT_FOLDER, env: environment });
  // The bundles are CommonJS modules, as on AWS. Without this file, Node would treat the bundles as ES modules, because
  // the package.json of the repository contains "type": "module".
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  removeUnusedAssets(folder);
}

/** Removes the assets that no stack in the folder uses. The CDK adds an asset for each new bundle, and removes none. */
function removeUnusedAssets(folder: string): void {
  const manifests = globSync(join(folder, '*.assets.json')).map((file) => readFileSync(file, 'utf8'));
  for (const asset of globSync('asset.*', { cwd: folder })) {
    if (manifests.some((manifest) => manifest.includes(asset))) continue;
    rmSync(join(folder, asset), { recursive: true });
  }
}

function isUpToDate(assembly: Assembly): boolean {
  if (!existsSync(assembly.stampFile) || !existsSync(assembly.templateFile)) return false;
  return readFileSync(assembly.stampFile, 'utf8') === computeStamp(assembly, hashSources());
}

/** Describes the folder of a stack that is synthesized with options, such as `events=true`. */
function createAssembly(folder: string, ...options: string[]) {
  const directory = join(ROOT_FOLDER, folder);
  return {
    directory,
    options,
    templateFile: join(directory, `${getStackName(DEFAULT_STAGE)}.template.json`),
    // Shows from which sources the template was synthesized (see `computeStamp`).
    stampFile: join(directory, 'sources.sha256'),
  };
}

/** Computes a hash of the sources and the template. Another command can have replaced the template since then. */
function computeStamp(assembly: Assembly, sourceHash: string): string {
  return createHash('sha256').update(sourceHash).update(readFileSync(assembly.templateFile)).digest('hex');
}

/** Computes a hash of the environment variables of functions, and of the paths and contents of all sources. */
export function hashSources(): string {
  const hash = createHash('sha256').update(JSON.stringify(buildFunctionEnvironment(DEFAULT_STAGE)));
  const files = globSync(SOURCES, { cwd: ROOT_FOLDER }).filter((path) => !NOT_SYNTHESIZED.test(path));
  for (const file of files.toSorted()) hash.update(`\n${file}\n`).update(readFileSync(join(ROOT_FOLDER, file)));
  return hash.digest('hex');
}
