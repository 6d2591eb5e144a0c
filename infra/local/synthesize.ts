import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { config, DEFAULT_STAGE, stackNameOf } from '../config.ts';
import { isInRoom, OTHER_ROOMS } from './other-rooms.ts';
import { StartError } from './start-error.ts';
import { print } from '../terminal.ts';

const stage = DEFAULT_STAGE;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The directory of the synthesized stack. */
export const assemblyDirectory = join(root, 'cdk.out');

/** The synthesized template. */
export const templateFile = join(assemblyDirectory, `${stackNameOf(stage)}.template.json`);

const stampFile = join(assemblyDirectory, 'sources.sha256');
const sources = ['functions', 'lib', 'infra', 'package-lock.json', 'cdk.json'];
const isSynthesized = (path: string) =>
  !isInRoom(path, [...OTHER_ROOMS, 'docs', 'local', 'openapi']) && !path.includes('.generated.');

/** Synthesizes the stack into cdk.out, unless what is there was made from these very sources. */
export async function synthesize({ quiet }: { quiet: boolean }): Promise<void> {
  if (isUpToDate()) return;
  if (!quiet) print('Synthesizing the stack: something changed since the last time.');
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  await promisify(execFile)(process.execPath, [cdk, 'synth', '--quiet', '--context', `stage=${stage}`], {
    cwd: root,
  }).catch((error) => {
    throw new StartError(`The stack could not be synthesized.\n${error.stdout}${error.stderr}`);
  });
  // The bundles are CommonJS, as on AWS; without this they would inherit "type": "module" from the repository.
  writeFileSync(join(assemblyDirectory, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(stampFile, digest());
}

function isUpToDate(): boolean {
  return existsSync(stampFile) && existsSync(templateFile) && readFileSync(stampFile, 'utf8') === digest();
}

/** Covers the template too: somebody may have synthesized other sources by hand in between. */
function digest(): string {
  const hash = createHash('sha256').update(JSON.stringify(config)).update(readFileSync(templateFile));
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
