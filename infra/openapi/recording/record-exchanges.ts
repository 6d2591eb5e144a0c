import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endSessions, setUserActive } from '../../ops/directory/access-commands.ts';
import { createAdminPorts } from '../../ops/tables/admin-ports.ts';
import type { RecordedCase } from '../../../lib/contracts/contract.ts';
import { type Language, LANGUAGES } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { SIGNING_KEY } from '../../../lib/tables/keys.ts';
import { createEngineDocumentClient } from '../../local/engine-client.ts';
import { loadDemo } from '../../local/start/demo.ts';
import { readOptions } from '../../process/read-options.ts';
import { readStack } from '../../local/read-stack.ts';
import { buildGatewayReply } from '../../local/gateway.ts';
import { type LocalService, startService } from '../../local/service.ts';
import type { Exchange, Exchanges } from '../document.ts';
import { generateFiles } from '../generated-files.ts';
import { GATEWAY_ANSWERS } from '../response-objects.ts';
import { contractDocs } from '../../routes.ts';
import { type Change, demoAccount, logIn, type SampleOperation } from '../sample-requests.ts';
import { buildSampleOperations, type SampleRequest } from '../sample-requests.ts';
import { print } from '../../process/terminal.ts';
import { getStatelessCases, REJECTED_USERS, STATE_CASES } from './cases.ts';

/** Starts the service with its demo data, and records every documented response of every operation in each language. */
export async function recordExchanges(): Promise<Exchanges> {
  const service = await startService({
    ...{ port: 0, dynamodbPort: 0, quiet: true },
    loadDemo: (engine) => loadDemo(engine, 'small'),
  });
  const client = createEngineDocumentClient(service.endpoint);
  try {
    return await record(service, client);
  } finally {
    client.destroy();
    await service.close();
  }
}

async function record(service: LocalService, client: DynamoDBDocumentClient): Promise<Exchanges> {
  const logInUser = (email: string) => logIn(service.url, { ...demoAccount, tenant: tenantOf(email), email });
  const tokens = await logInOtherUsers(service, client, logInUser);
  const exchanges: Readonly<Record<Language, Exchange[]>> = { en: [], es: [] };

  const send = ({ path, headers, ...request }: SampleRequest, language: Language) =>
    fetch(service.url + path, { ...request, headers: { ...headers, 'Accept-Language': language } });
  const repeat = async (times: number, operation: SampleOperation, change?: Change) => {
    for (let sent = 0; sent < times; sent++) await send(operation.request(change), 'en');
  };
  const advanceClock = (seconds: number) =>
    fetch(`${service.url}/_local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: seconds }) });
  const buildCredentials = (user: string) => {
    const tenant = tenantOf(user);
    return { tenant, Authorization: `Bearer ${tokens.get(user)}`, 'X-API-Key': API_KEYS[tenant]! };
  };
  /** Records a case in a language; throws for a response with another error code than that of the case. */
  const take = async (operation: SampleOperation, recorded: RecordedCase, language: Language, respond = send) => {
    const { name: operationId, request: build } = operation;
    const { code, name = code === 'OK' ? 'success' : code, input = {}, user } = recorded;
    const request = build({ input, headers: { ...(user && buildCredentials(user)), ...recorded.headers } });
    const response = await respond(request, language);
    const body = JSON.parse(await response.text(), replaceNewValue) as ResponseBody;
    const received = body.error?.code ?? body.Resultado?.Codigo ?? 'OK';
    if (received !== code) throw new Error(`${operationId}, ${name}: the code is ${received}, expected ${code}.`);
    exchanges[language].push({
      ...{ operationId, name, summary: recorded[language], request, status: response.status, body },
      headers: Object.fromEntries(
        [...response.headers].map(([key, value]) => [key, replaceNewValue(key, value) as string]),
      ),
    });
  };
  const takeAll = async (operations: readonly SampleOperation[], recorded: RecordedCase, respond = send) => {
    for (const language of LANGUAGES)
      for (const operation of operations) await take(operation, recorded, language, respond);
  };

  const operations = buildSampleOperations(demoAccount, await logInUser(demoAccount.email));
  const withAccess = (access: string | null) => operations.filter((operation) => operation.access === access);
  const [login, readers, writers] = [withAccess(null), withAccess('read'), withAccess('write')];
  const portal = [...readers, ...writers];

  for (const operation of operations) {
    for (const language of LANGUAGES) {
      for (const recorded of getStatelessCases(operation)) await take(operation, recorded, language);
      await advanceClock(LIMITS.windowSeconds + 1);
    }
  }

  await repeat(LIMITS.reads, readers[0]!);
  await repeat(LIMITS.writes, writers[0]!);
  await takeAll([...portal, ...withAccess('legacy')], STATE_CASES.tooManyRequests);
  await repeat(LIMITS.loginFailures, login[0]!, { input: { password: 'wrong' } });
  await takeAll(login, STATE_CASES.lockedOut);

  await advanceClock(LIMITS.tokenSeconds + 1);
  await takeAll(portal, STATE_CASES.expired);

  const renewed = buildSampleOperations(demoAccount, await logInUser(demoAccount.email));
  await client.send(new DeleteTableCommand({ TableName: service.tables.Invoices }));
  await client.send(new DeleteCommand({ TableName: service.tables.SigningKeys, Key: SIGNING_KEY }));
  await takeAll(renewed, STATE_CASES.failure);
  await client.send(new DeleteTableCommand({ TableName: service.tables.Directory }));
  await takeAll(renewed, STATE_CASES.unavailable);

  const stack = readStack();
  for (const { type, status, ...answer } of GATEWAY_ANSWERS) {
    const { body, headers } = buildGatewayReply(stack, type, '');
    const respond = async () => new Response(String(body), { status, headers: headers as Record<string, string> });
    await takeAll(renewed, { ...answer, name: `gateway-${type}` }, respond);
  }
  return exchanges;
}

const tenantOf = (email: string) => email.replace(/.*@/, '');

/** Logs in the users other than the demo account, and then deactivates or logs out two of them. Returns their tokens. */
async function logInOtherUsers(
  { tables }: LocalService,
  client: DynamoDBDocumentClient,
  logInUser: (email: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const ports = createAdminPorts({ client, tables });
  const { inactive, endedSession } = REJECTED_USERS;
  await setUserActive(ports, tenantOf(inactive), inactive, true);
  const tokens = new Map<string, string>();
  const documented = Object.values(contractDocs).flatMap(({ cases }) => cases.flatMap(({ user }) => user ?? []));
  for (const email of [...Object.values(REJECTED_USERS), ...documented]) tokens.set(email, await logInUser(email));
  await setUserActive(ports, tenantOf(inactive), inactive, false);
  await endSessions(ports, tenantOf(endedSession), endedSession);
  return tokens;
}

/** The API key of each tenant of the demo data. */
const API_KEYS: Readonly<Record<string, string>> = {
  'demo.example': demoAccount.apiKey,
  'sur.example': '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6b001',
};

interface ResponseBody {
  readonly error?: { readonly code: string };
  readonly Resultado?: { readonly Codigo: string };
}

// The properties and headers whose values are new in every response, and the same in each recording.
const STABLE_VALUES: Readonly<Record<string, string>> = {
  declaration_id: '1795243070161803765',
  IdDeclaracion: '1795243070161803765',
  authorization: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl',
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-reset': '1795243130',
  'retry-after': '60',
};

function replaceNewValue(name: string, value: unknown): unknown {
  return typeof value === 'string' ? (STABLE_VALUES[name] ?? value) : value;
}

if (import.meta.main) {
  readOptions(`Usage: npm run openapi

Starts the service with its demo data, calls every endpoint, and writes the OpenAPI document in English and in Spanish
(infra/openapi/openapi.json and openapi.es.json), and the requests for editors that are made of it
(lib/client/examples/portal.http). Beside it go the schemas of the events (infra/openapi/events.json).`);

  for (const { file, text } of await generateFiles(await recordExchanges())) {
    writeFileSync(file, text);
    print(`Written: ${fileURLToPath(file)}`);
  }
}
