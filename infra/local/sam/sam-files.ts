import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { readOptions } from '../../process/read-options.ts';
import { exitWithError, print } from '../../process/terminal.ts';
import { buildSampleRequests, DEMO_ACCOUNT, logIn } from '../../openapi/sample-requests.ts';
import type { SampleRequest } from '../../openapi/sample-requests.ts';
import { buildProxyEvent, matchRoute } from '../proxy-event.ts';
import { readStack, type StackDefinition } from '../read-stack.ts';
import { assemblyDirectory, synthesize, templateFile } from '../synthesize.ts';

const USAGE = `Usage: npm run sam:events -- [--gateway URL] [--dynamodb URL] [--image NAME]

Writes what sam local needs: a template, its variables, and events with tokens of a running npm start.

  --gateway URL   the service that issues the tokens (http://127.0.0.1:3000)
  --dynamodb URL  its engine, as containers reach it (http://host.docker.internal:8000)
  --image NAME    the image in which the functions run, instead of that of AWS

More: infra/local/sam/README.md`;

export interface SampleEvent {
  /** The name of the function, such as `login`, or `legacy-dispatch.` and the name of an operation. */
  readonly name: string;
  readonly functionId: string;
  readonly event: object;
}

/** Builds the requests of the sample events, by the name of the event (see `SampleEvent`). */
export function buildEventRequests(account: SampleAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const requests: Record<string, SampleRequest> = {};
  for (const [name, request] of Object.entries(buildSampleRequests(account, token))) {
    requests[request.path.includes('/legacy/') ? `legacy-dispatch.${name}` : name] = request;
  }
  return requests;
}

/** Builds the events of the gateway for the sample requests, and an event that rotates the signing key. */
export function buildSampleEvents(stack: StackDefinition, account: SampleAccount, token: string): SampleEvent[] {
  const events: SampleEvent[] = [];
  for (const [name, request] of Object.entries(buildEventRequests(account, token))) {
    const { method, path, body = '' } = request;
    const url = new URL(path, 'http://localhost');
    // Every sample request has a route.
    const match = matchRoute(stack.routes, method, url.pathname)!;
    const headers = Object.entries({ Host: url.host, ...request.headers });
    const event = buildProxyEvent({ method, url, headers, body: Buffer.from(body) }, match, stack);
    events.push({ name, functionId: match.functionId, event });
  }
  events.push({ name: 'rotate-signing-key', functionId: stack.rotation.id, event: { rotate: true } });
  return events;
}

interface SamOptions {
  /** The address of the running service. */
  readonly gateway: string;
  /** The address at which containers reach the engine of the service. */
  readonly dynamodb: string;
  /** The container image of the functions. By default, SAM pulls the image of AWS. */
  readonly image?: string | undefined;
}

/** The folder in which `sam local` runs. */
const SAM_FOLDER = join(assemblyDirectory, 'sam');

/** Writes the template, the variables, the options and the sample events for `sam local` into a folder. */
export async function writeSamFiles(options: SamOptions, folder: string = SAM_FOLDER): Promise<readonly SampleEvent[]> {
  const token = await logIn(options.gateway, DEMO_ACCOUNT);
  await synthesize({ quiet: false });
  const events = buildSampleEvents(readStack(), DEMO_ACCOUNT, token);

  // SAM itself sets a region and credentials, which the engine accepts.
  const variables = { AWS_ENDPOINT_URL_DYNAMODB: options.dynamodb };
  const template = convertTemplate(await readFile(templateFile, 'utf8'), folder, variables);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'events'), { recursive: true });
  const writeJson = (file: string, content: unknown) =>
    writeFile(join(folder, file), JSON.stringify(content, undefined, 2));
  await writeJson('template.json', template);
  await writeJson('env.json', { Parameters: variables });
  await writeFile(join(folder, 'samconfig.yaml'), stringify(buildConfig(options.image)));
  for (const { name, event } of events) await writeJson(`events/${name}.json`, event);
  return events;
}

function buildConfig(image: string | undefined) {
  const parameters = {
    env_vars: 'env.json',
    // Docker on Linux does not resolve this name of the host by default.
    add_host: ['host.docker.internal:host-gateway'],
    ...(image !== undefined && { invoke_image: [image], skip_pull_image: true }),
  };
  // By default, SAM uses port 3000, which is also the port of npm start.
  const startApi = { warm_containers: 'LAZY', port: 3001 };
  return { version: 0.1, default: { global: { parameters }, local_start_api: { parameters: startApi } } };
}

interface Resource {
  readonly Type: string;
  readonly Properties: { readonly Environment?: { readonly Variables: object } };
  readonly Metadata: { readonly 'aws:asset:path': string };
}

/** Converts the synthesized template for a folder in which `sam local` runs. */
function convertTemplate(templateText: string, folder: string, variables: object): object {
  const template = JSON.parse(templateText) as { readonly Resources: Readonly<Record<string, Resource>> };
  const convertedResources: Record<string, object> = {};
  for (const [id, resource] of Object.entries(template.Resources)) {
    // SAM prints a line for each resource with metadata that is not a function. Therefore only functions keep theirs.
    const { Metadata: _, ...resourceWithoutMetadata } = resource;
    const isFunction = resource.Type === 'AWS::Lambda::Function';
    convertedResources[id] = isFunction ? convertFunction(resource, folder, variables) : resourceWithoutMetadata;
  }
  return { ...template, Resources: convertedResources };
}

/**
 * Sets the architecture of this machine, the path from `folder` to the bundle, and the names of the variables. Removes
 * the dependency on the role, which the linter of SAM rejects, because the function refers to its role anyway.
 */
function convertFunction({ Metadata, ...resource }: Resource, folder: string, variables: object): object {
  const bundle = relative(folder, resolve(assemblyDirectory, Metadata['aws:asset:path']));
  // SAM's env file sets only variables that the template declares. Therefore each one is declared with an empty value.
  const emptyVariables = Object.fromEntries(Object.keys(variables).map((name) => [name, '']));
  return {
    ...resource,
    DependsOn: undefined,
    Properties: {
      ...resource.Properties,
      Architectures: [process.arch === 'x64' ? 'x86_64' : process.arch],
      Environment: { Variables: { ...resource.Properties.Environment?.Variables, ...emptyVariables } },
    },
    Metadata: { ...Metadata, 'aws:asset:path': bundle },
  };
}

/** Parses the URL of an option, and returns its origin, such as `http://127.0.0.1:3000`. */
function parseOrigin(option: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error(`${option} takes a URL.`);
  return url.origin;
}

if (import.meta.main) {
  const options = readOptions(
    USAGE,
    {
      gateway: { type: 'string', default: 'http://127.0.0.1:3000' },
      dynamodb: { type: 'string', default: 'http://host.docker.internal:8000' },
      image: { type: 'string' },
    },
    ({ gateway, dynamodb, image }) => ({
      gateway: parseOrigin('--gateway', gateway),
      dynamodb: parseOrigin('--dynamodb', dynamodb),
      image,
    }),
  );
  const events = await writeSamFiles(options).catch(exitWithError);
  const folder = relative('', SAM_FOLDER);
  print(
    `${folder} contains a template, its variables, and ${events.length} events whose tokens are valid for an hour.`,
  );
  print('How to run them: infra/local/sam/README.md');
}
