import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFunctionEnvironment, DEFAULT_STAGE, getStackName } from '../config.ts';
import { CommandError, print } from '../process/terminal.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A stack, synthesized with its options into its folder. */
export type Assembly = ReturnType<typeof createAssembly>;

/** The stack without options. */
export const plainAssembly = createAssembly('cdk.out');

export const eventsAssembly = createAssembly('cdk.out/events', 'events=true');

export const { directory: assemblyDirectory, templateFile } = plainAssembly;

const SOURCES = ['{functions,lib,infra}/**/*.*', 'package-lock.json', 'cdk.json'];
/** The files on which the template does not depend, for example `infra/ops/cli.ts`. */
const NOT_SYNTHESIZED = /^infra[\\/](local|openapi|ops)[\\/]|\.generated\.|\.md$/;

/** The pause between attempts while another program synthesizes into the same folder. */
const BUSY_WAIT_MS = 500;

/** Synthesizes a stack into its folder, unless the folder contains the stack of the current sources. */
export async function synthesize({ quiet }: { quiet: boolean }, assembly = plainAssembly): Promise<void> {
  if (isUpToDate(assembly)) return;
  const reason = existsSync(assembly.stampFile) ? 'its sources have changed' : 'this is the first start';
  if (!quiet) print(`Synthesizing the stack: ${reason}. It takes up to a minute.`);
  do {
    // The hash is computed first. If a source changes during the synthesis, the stamp differs, and the loop repeats.
    const sourceHash = hashSources();
    try {
      await synthesizeInto(assembly.directory, env, assembly.options);
      writeFileSync(assembly.stampFile, computeStamp(assembly, sourceHash));
    } catch (error) {
      const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
      if (!/\b(Another CLI|Other CLIs) \(PID=/.test(stderr))
        throw new CommandError(`The stack could not be synthesized.\n${stdout}${stderr}`);
      await sleep(BUSY_WAIT_MS);
    }
  } while (!isUpToDate(assembly));
}

/** Synthesizes the stack with options into a folder, without calls to AWS. */
export async function synthesizeInto(
  folder: string,
  variables: NodeJS.ProcessEnv = env,
  options: readonly string[] = [],
): Promise<void> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const context = [`stage=${DEFAULT_STAGE}`, ...options].flatMap((option) => ['--context', option]);
  const command = [cdk, 'synth', '--quiet', ...context, '--output', folder];
  // With credentials, the CDK would ask AWS for their account. Therefore it receives none from any source.
  const environment = {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('AWS_'))),
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  await promisify(execFile)(process.execPath, command, { cwd: root, env: environment });
  // The bundles are CommonJS, as on AWS. Without this file, they would inherit "type": "module" from the repository.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

function isUpToDate(assembly: Assembly): boolean {
  if (!existsSync(assembly.stampFile) || !existsSync(assembly.templateFile)) return false;
  return readFileSync(assembly.stampFile, 'utf8') === computeStamp(assembly, hashSources());
}

/** Describes the folder of a stack that is synthesized with options, such as `events=true`. See `computeStamp`. */
function createAssembly(folder: string, ...options: string[]) {
  const directory = join(root, folder);
  return {
    directory,
    options,
    templateFile: join(directory, `${getStackName(DEFAULT_STAGE)}.template.json`),
    stampFile: join(directory, 'sources.sha256'),
  };
}

/** Hashes the sources and the template. Another command may have replaced the template by one from other sources. */
function computeStamp(assembly: Assembly, sourceHash: string): string {
  return createHash('sha256').update(sourceHash).update(readFileSync(assembly.templateFile)).digest('hex');
}

/** Computes a hash of the environment variables of functions, and of the paths and contents of all sources. */
export function hashSources(): string {
  const hash = createHash('sha256').update(JSON.stringify(buildFunctionEnvironment(DEFAULT_STAGE)));
  const files = globSync(SOURCES, { cwd: root }).filter((path) => !NOT_SYNTHESIZED.test(path));
  for (const file of files.toSorted()) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
