import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { engineEnvironment } from '../local/engine-client.ts';
import { demoAccount } from '../demo-account.ts';
import { readStack } from '../local/read-stack.ts';
import { assemblyDirectory, synthesize, templateFile } from '../local/synthesize.ts';
import { logIn } from '../local/demo-log-in.ts';
import { sampleEvents } from './sample-events.ts';
import type { SampleEvent } from './sample-events.ts';
import { samTemplate } from './sam-template.ts';

/** What the files are made for. */
export interface SamSetting {
  /** The address of the running service. */
  readonly gateway: string;
  /** The address of its engine, as containers reach it. */
  readonly dynamodb: string;
  /** The image to run in; without it SAM pulls the one of AWS. */
  readonly image?: string | undefined;
}

/** The folder in which `sam local` is run; it goes with cdk.out. */
export const samFolder = join(assemblyDirectory, 'sam');

/** Where `sam local start-api` listens: its own choice is the port of `npm start`. */
export const samPort = 3001;

/** Writes all that `sam local` needs into a folder: template, variables, options, and an event for every function. */
export async function writeSamFiles(setting: SamSetting, folder: string = samFolder): Promise<readonly SampleEvent[]> {
  const token = await logIn(setting.gateway, demoAccount);
  await synthesize({ quiet: false });
  const events = await sampleEvents(readStack(), demoAccount, token);

  const variables = engineEnvironment(setting.dynamodb);
  const template = samTemplate(JSON.parse(await readFile(templateFile, 'utf8')), Object.keys(variables), {
    assembly: assemblyDirectory,
    folder,
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'events'), { recursive: true });
  const write = (file: string, content: unknown) =>
    writeFile(join(folder, file), JSON.stringify(content, undefined, 2));
  await write('template.json', template);
  await write('env.json', { Parameters: variables });
  await writeFile(join(folder, 'samconfig.yaml'), stringify(samConfig(setting.image)));
  for (const { name, event } of events) await write(`events/${name}.json`, event);
  return events;
}

/** The options that every call would have to repeat. */
function samConfig(image: string | undefined) {
  const parameters = {
    env_vars: 'env.json',
    // Docker on Linux does not know the host by this name of its own accord.
    add_host: ['host.docker.internal:host-gateway'],
    ...(image !== undefined && { invoke_image: [image], skip_pull_image: true }),
  };
  const startApi = { warm_containers: 'LAZY', port: samPort };
  return { version: 0.1, default: { global: { parameters }, local_start_api: { parameters: startApi } } };
}
