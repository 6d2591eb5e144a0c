import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { buildSampleRequests, DEMO_ACCOUNT, logIn } from '../../openapi/sample-requests.ts';
import { readOptions } from '../../process/read-options.ts';
import { exitWithError, print } from '../../process/terminal.ts';
import { buildProxyEvent, matchRoute } from '../proxy-event.ts';
import { readStack, type StackDefinition } from '../read-stack.ts';
import { assemblyDirectory, outputDirectory, synthesize, templateFile } from '../synthesize.ts';

const DEFAULT_GATEWAY = 'http://127.0.0.1:3000';
const DEFAULT_DYNAMODB = 'http://host.docker.internal:8000';

const USAGE = `Usage: npm run sam:events -- [--gateway URL] [--dynamodb URL]

Writes what sam local needs: a template, its variables, and events with tokens of a running npm start.

  --gateway URL   the service that issues the tokens (${DEFAULT_GATEWAY})
  --dynamodb URL  its engine, as containers reach it (${DEFAULT_DYNAMODB})

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
  readonly Properties: { readonly Architectures: string[]; readonly Environment?: { readonly Variables: object } };
  readonly Metadata: { readonly 'aws:asset:path': string };
}

interface Template {
  readonly Resources: Readonly<Record<string, FunctionResource>>;
}

/** Returns the name of the event for an operation. The legacy operations share one function, so the name begins with it:
 * `legacy-dispatch.WSListarFacturas`.
 */
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
  const template = adaptTemplate(JSON.parse(await readFile(templateFile, 'utf8')) as Template, folder);
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

/** Adapts the functions of a template to this machine. The paths of their code are relative to the SAM folder. */
function adaptTemplate(template: Template, folder: string): Template {
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    return [id, resource.Type === 'AWS::Lambda::Function' ? adaptFunction(resource, folder) : resource];
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}

function adaptFunction({ Type, Properties, Metadata }: FunctionResource, folder: string): FunctionResource {
  // SAM's env file sets only variables that the template declares. Therefore the template declares an empty value.
  const variables = { ...Properties.Environment?.Variables, AWS_ENDPOINT_URL_DYNAMODB: '' };
  const codeFolder = resolve(assemblyDirectory, Metadata['aws:asset:path']);
  // The result omits DependsOn. The linter of SAM rejects it for a role to which the function refers anyway.
  return {
    Type,
    Properties: {
      ...Properties,
      Architectures: [process.arch === 'x64' ? 'x86_64' : process.arch],
      Environment: { Variables: variables },
    },
    Metadata: { ...Metadata, 'aws:asset:path': relative(folder, codeFolder) },
  };
}

if (import.meta.main) {
  const { gateway, dynamodb } = readOptions({
    usage: USAGE,
    options: {
      gateway: { type: 'string', default: DEFAULT_GATEWAY },
      dynamodb: { type: 'string', default: DEFAULT_DYNAMODB },
    },
    parse: (values) => values,
  });
  const events = await writeSamFiles(gateway, dynamodb, SAM_FOLDER).catch(exitWithError);
  const folder = relative('', SAM_FOLDER);
  print(`${folder} contains a template, its variables, and ${events.length} events with tokens valid for an hour.`);
  print('How to run them: infra/local/sam/README.md');
}
