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

/** The directory of the synthesized stack. */
export const assemblyDirectory = join(root, 'cdk.out');

/** The synthesized template. */
export const templateFile = join(assemblyDirectory, `${stackNameOf(stage)}.template.json`);

const stampFile = join(assemblyDirectory, 'sources.sha256');
const sources = ['functions', 'lib', 'infra', 'package-lock.json', 'cdk.json'];
const otherFolders = /^infra\/(client|docs|legacy-replay|local|openapi|ops|recording|sam)\//;
const isSynthesized = (path: string) => !otherFolders.test(path) && !path.includes('.generated.');

// How often to look whether another program that synthesizes into the same folder has finished.
const BUSY_WAIT_MS = 500;

/** Synthesizes the stack into cdk.out, unless what is there was made from these very sources. */
export async function synthesize({ quiet }: { quiet: boolean }): Promise<void> {
  if (isUpToDate()) return;
  const why = existsSync(stampFile) ? 'its sources have changed' : 'this is the first start';
  if (!quiet) print(`Synthesizing the stack: ${why}. It takes up to a minute.`);
  do {
    // A source that is saved meanwhile may be in the template, or not.
    const before = sourcesDigest();
    try {
      await synthesizeInto(assemblyDirectory);
      writeFileSync(stampFile, stampOf(before));
    } catch (error) {
      const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
      if (!/\b(Another CLI|Other CLIs) \(PID=/.test(stderr))
        throw new CommandError(`The stack could not be synthesized.\n${stdout}${stderr}`);
      await sleep(BUSY_WAIT_MS);
    }
  } while (!isUpToDate());
}

/** Synthesizes the stack into a folder. AWS has no part in it. */
export async function synthesizeInto(folder: string, variables: NodeJS.ProcessEnv = env): Promise<void> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const options = ['--quiet', '--context', `stage=${stage}`, '--output', folder];
  await promisify(execFile)(process.execPath, [cdk, 'synth', ...options], { cwd: root, env: withoutAws(variables) });
  // The bundles are CommonJS, as on AWS; without this they would inherit "type": "module" from the repository.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

/** With credentials of AWS the CDK would ask AWS whose they are. */
function withoutAws(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(variables).filter(([name]) => !name.startsWith('AWS_'));
  const nothing = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull, AWS_EC2_METADATA_DISABLED: 'true' };
  return { ...Object.fromEntries(others), ...nothing };
}

function isUpToDate(): boolean {
  if (!existsSync(stampFile) || !existsSync(templateFile)) return false;
  return readFileSync(stampFile, 'utf8') === stampOf(sourcesDigest());
}

/** Covers the template too: somebody may have synthesized other sources by hand in between. */
function stampOf(digest: string): string {
  return createHash('sha256').update(digest).update(readFileSync(templateFile)).digest('hex');
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
