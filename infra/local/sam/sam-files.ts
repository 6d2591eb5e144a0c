import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { buildSampleRequests, DEMO_ACCOUNT, logIn } from '../../openapi/sample-requests.ts';
import { readOptions } from '../../process/read-options.ts';
import { exitWithError, print } from '../../process/terminal.ts';
import { buildProxyEvent, matchRoute } from '../proxy-event.ts';
import { readStack, type StackDefinition } from '../read-stack.ts';
import { assemblyDirectory, outputDirectory, synthesize, templateFile } from '../synthesize.ts';

const USAGE = `Usage: npm run sam:events -- [--gateway URL] [--dynamodb URL]

Writes what sam local needs: a template, its variables, and events with tokens of a running npm start.

  --gateway URL   the service that issues the tokens (http://127.0.0.1:3000)
  --dynamodb URL  its engine, as containers reach it (http://host.docker.internal:8000)

More: infra/local/sam/README.md`;

const SAM_FOLDER = join(outputDirectory, 'sam');

/** A sample event for a function of the stack. */
export interface SampleEvent {
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly functionId: string;
  readonly event: object;
}

/** A function in the template. Other resources of the template are not changed. */
interface FunctionResource {
  readonly Type: string;
  readonly Properties: { Architectures: string[]; Environment?: { readonly Variables: object } };
  readonly Metadata: { 'aws:asset:path': string };
  DependsOn?: unknown;
}

/** Returns the name of the event for an operation. It begins with the name of its function: `legacy-dispatch.WSListarFacturas`. */
export function getEventName(operation: string): string {
  return operation.startsWith('WS') ? `legacy-dispatch.${operation}` : operation;
}

/** Builds the events of the gateway for the sample requests, and an event that rotates the signing key. */
export function buildSampleEvents(stack: StackDefinition, account: SampleAccount, token: string): SampleEvent[] {
  const events: SampleEvent[] = [];
  for (const [operation, request] of Object.entries(buildSampleRequests(account, token))) {
    const { method, path, body = '' } = request;
    const url = new URL(path, 'http://localhost');
    // Every sample request has a route.
    const match = matchRoute(stack.routes, method, url.pathname)!;
    const headers = Object.entries({ Host: url.host, ...request.headers });
    const event = buildProxyEvent({ method, url, headers, body: Buffer.from(body) }, match, stack);
    events.push({ name: getEventName(operation), functionId: match.functionId, event });
  }
  events.push({ name: 'rotate-signing-key', functionId: stack.rotation.id, event: { rotate: true } });
  return events;
}

/** Writes the files of `sam local`. `dynamodb` is the address at which containers reach the engine of `gateway`. */
export async function writeSamFiles(
  gateway: string,
  dynamodb: string,
  folder: string,
): Promise<readonly SampleEvent[]> {
  const token = await logIn(gateway, DEMO_ACCOUNT);
  await synthesize({ quiet: false });
  const events = buildSampleEvents(readStack(), DEMO_ACCOUNT, token);
  const template = await readTemplate(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'events'), { recursive: true });
  const writeJson = (file: string, content: unknown) => writeFile(join(folder, file), JSON.stringify(content, null, 2));
  await writeJson('template.json', template);
  // SAM itself sets a region and credentials, which the engine accepts.
  await writeJson('env.json', { Parameters: { AWS_ENDPOINT_URL_DYNAMODB: dynamodb } });
  await copyFile(new URL('samconfig.yaml', import.meta.url), join(folder, 'samconfig.yaml'));
  for (const { name, event } of events) await writeJson(`events/${name}.json`, event);
  return events;
}

/** Reads the template of the stack, and adapts its functions to this machine. Paths are relative to the SAM folder. */
async function readTemplate(folder: string): Promise<object> {
  const template = JSON.parse(await readFile(templateFile, 'utf8')) as { Resources: Record<string, FunctionResource> };
  for (const resource of Object.values(template.Resources)) {
    if (resource.Type === 'AWS::Lambda::Function') adaptFunction(resource, folder);
  }
  return template;
}

function adaptFunction(resource: FunctionResource, folder: string): void {
  const { Properties, Metadata } = resource;
  Properties.Architectures = [process.arch === 'x64' ? 'x86_64' : process.arch];
  // SAM's env file sets only variables that the template declares. Therefore the template declares an empty value.
  Properties.Environment = { Variables: { ...Properties.Environment?.Variables, AWS_ENDPOINT_URL_DYNAMODB: '' } };
  Metadata['aws:asset:path'] = relative(folder, resolve(assemblyDirectory, Metadata['aws:asset:path']));
  // The linter of SAM rejects the dependency on the role, because the function refers to its role anyway.
  delete resource.DependsOn;
}

if (import.meta.main) {
  const { gateway, dynamodb } = readOptions(USAGE, {
    gateway: { type: 'string', default: 'http://127.0.0.1:3000' },
    dynamodb: { type: 'string', default: 'http://host.docker.internal:8000' },
  });
  const events = await writeSamFiles(gateway, dynamodb, SAM_FOLDER).catch(exitWithError);
  const folder = relative('', SAM_FOLDER);
  print(`${folder} contains a template, its variables, and ${events.length} events with tokens valid for an hour.`);
  print('How to run them: infra/local/sam/README.md');
}
