import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { config, DEFAULT_STAGE, stackNameOf } from '../config.ts';
import { CommandError, print } from '../terminal.ts';

const stage = DEFAULT_STAGE;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A synthesized stack: its folder, its template there, and the options that it was made with. */
export interface Assembly {
  readonly directory: string;
  readonly templateFile: string;
  readonly options: readonly string[];
}

const assemblyIn = (directory: string, ...options: string[]): Assembly => {
  return { directory, templateFile: join(directory, `${stackNameOf(stage)}.template.json`), options };
};

/** The stack without options. */
export const plainAssembly = assemblyIn(join(root, 'cdk.out'));

/** The stack that publishes events. */
export const eventsAssembly = assemblyIn(join(root, 'cdk.out/events'), 'events=true');

/** Folder and template of the stack without options. */
export const { directory: assemblyDirectory, templateFile } = plainAssembly;

const stampFileOf = ({ directory }: Assembly) => join(directory, 'sources.sha256');
const sources = ['functions', 'lib', 'infra', 'package-lock.json', 'cdk.json'];
const otherFolders = /^infra\/(client|docs|legacy-replay|local|openapi|ops|recording|sam)\//;
const isSynthesized = (path: string) => !otherFolders.test(path) && !path.includes('.generated.');

// How often to look whether another program that synthesizes into the same folder has finished.
const BUSY_WAIT_MS = 500;

/** Synthesizes a stack into its folder, unless what is there was made from these very sources. */
export async function synthesize({ quiet }: { quiet: boolean }, assembly = plainAssembly): Promise<void> {
  if (isUpToDate(assembly)) return;
  const why = existsSync(stampFileOf(assembly)) ? 'its sources have changed' : 'this is the first start';
  if (!quiet) print(`Synthesizing the stack: ${why}. It takes up to a minute.`);
  do {
    // A source that is saved meanwhile may be in the template, or not.
    const before = sourcesDigest();
    try {
      await synthesizeInto(assembly.directory, env, assembly.options);
      writeFileSync(stampFileOf(assembly), stampOf(assembly, before));
    } catch (error) {
      const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
      if (!/\b(Another CLI|Other CLIs) \(PID=/.test(stderr))
        throw new CommandError(`The stack could not be synthesized.\n${stdout}${stderr}`);
      await sleep(BUSY_WAIT_MS);
    }
  } while (!isUpToDate(assembly));
}

/** Synthesizes the stack with options into a folder. AWS has no part in it. */
export async function synthesizeInto(
  folder: string,
  variables: NodeJS.ProcessEnv = env,
  options: readonly string[] = [],
): Promise<void> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const context = [`stage=${stage}`, ...options].flatMap((option) => ['--context', option]);
  const words = [cdk, 'synth', '--quiet', ...context, '--output', folder];
  await promisify(execFile)(process.execPath, words, { cwd: root, env: withoutAws(variables) });
  // The bundles are CommonJS, as on AWS; without this they would inherit "type": "module" from the repository.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

/** With credentials of AWS the CDK would ask AWS whose they are. */
function withoutAws(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(variables).filter(([name]) => !name.startsWith('AWS_'));
  const nothing = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull, AWS_EC2_METADATA_DISABLED: 'true' };
  return { ...Object.fromEntries(others), ...nothing };
}

function isUpToDate(assembly: Assembly): boolean {
  const stampFile = stampFileOf(assembly);
  if (!existsSync(stampFile) || !existsSync(assembly.templateFile)) return false;
  return readFileSync(stampFile, 'utf8') === stampOf(assembly, sourcesDigest());
}

/** Covers the template too: somebody may have synthesized other sources by hand in between. */
function stampOf(assembly: Assembly, digest: string): string {
  return createHash('sha256').update(digest).update(readFileSync(assembly.templateFile)).digest('hex');
}

function sourcesDigest(): string {
  const hash = createHash('sha256').update(JSON.stringify(config));
  for (const file of sources.flatMap(filesBelow).filter(isSynthesized)) {
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => filesBelow(`${path}/${name}`));
}
