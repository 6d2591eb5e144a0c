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
import { GATEWAY_RESPONSES } from '../response-objects.ts';
import { contractDocs } from '../../routes.ts';
import { type Change, demoAccount, logIn, type SampleOperation } from '../sample-requests.ts';
import { buildSampleOperations, type SampleRequest } from '../sample-requests.ts';
import { print } from '../../process/terminal.ts';
import { getStatelessCases, REJECTED_USERS, STATE_CASES } from './cases.ts';

/** The API key of each tenant of the demo data. */
const API_KEYS: Readonly<Record<string, string>> = {
  'demo.example': demoAccount.apiKey,
  'sur.example': '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6b001',
};

/** Fixed values of properties and headers that are new in every response, so that all recordings are equal. */
const STABLE_VALUES: Readonly<Record<string, string>> = {
  declaration_id: '1795243070161803765',
  IdDeclaracion: '1795243070161803765',
  authorization: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl',
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-reset': '1795243130',
  'retry-after': '60',
};

/** An error in a response of the current interface (`error`) or of the legacy route (`Resultado`). */
interface ResponseBody {
  readonly error?: { readonly code: string };
  readonly Resultado?: { readonly Codigo: string };
}

/** Starts the service with its demo data, and records every documented response of every operation in each language. */
export async function recordExchanges(): Promise<Exchanges> {
  const service = await startService({
    port: 0,
    dynamodbPort: 0,
    quiet: true,
    loadDemo: (engine) => loadDemo(engine, 'small'),
  });
  const client = createEngineDocumentClient(service.endpoint);
  try {
    const recorder = new Recorder(service, await logInOtherUsers(service, client));
    const operations = await recorder.logInDemoUser();
    await recordStatelessCases(recorder, operations);
    await recordLimits(recorder, operations);
    await recordExpiredTokens(recorder, operations);
    // The order matters: the tokens have expired, and after the failures the tables are missing.
    const renewedOperations = await recorder.logInDemoUser();
    await recordFailures(recorder, renewedOperations, service, client);
    await recordGatewayResponses(recorder, renewedOperations);
    return recorder.exchanges;
  } finally {
    client.destroy();
    await service.close();
  }
}

class Recorder {
  readonly exchanges: Readonly<Record<Language, Exchange[]>> = { en: [], es: [] };
  readonly #service: LocalService;
  readonly #tokens: ReadonlyMap<string, string>;

  constructor(service: LocalService, tokens: ReadonlyMap<string, string>) {
    this.#service = service;
    this.#tokens = tokens;
  }

  /** Returns all operations with a new token. */
  async logInDemoUser(): Promise<SampleOperation[]> {
    return buildSampleOperations(demoAccount, await logInUser(this.#service, demoAccount.email));
  }

  async send({ path, headers, ...request }: SampleRequest, language: Language): Promise<Response> {
    return fetch(this.#service.url + path, { ...request, headers: { ...headers, 'Accept-Language': language } });
  }

  /** Sends a request several times without a recording, to use up a limit. */
  async repeat(times: number, operation: SampleOperation, change?: Change): Promise<void> {
    for (let count = 0; count < times; count++) await this.send(operation.request(change), 'en');
  }

  /** Moves the clock of the service, to end the windows of limits or the tokens without waiting. */
  async advanceClock(seconds: number): Promise<void> {
    const body = JSON.stringify({ advance_seconds: seconds });
    await fetch(`${this.#service.url}/_local/clock`, { method: 'POST', body });
  }

  async recordAll(operations: readonly SampleOperation[], recordedCase: RecordedCase, respond?: Respond) {
    for (const language of LANGUAGES) {
      for (const operation of operations) await this.record(operation, recordedCase, language, respond);
    }
  }

  /** Records a case in a language. Throws for a response with another error code than that of the case. */
  async record(
    operation: SampleOperation,
    recordedCase: RecordedCase,
    language: Language,
    respond: Respond = (request) => this.send(request, language),
  ): Promise<void> {
    const { code, name = code === 'OK' ? 'success' : code, input = {}, user } = recordedCase;
    const credentials = user === undefined ? {} : this.#buildCredentials(user);
    const request = operation.request({ input, headers: { ...credentials, ...recordedCase.headers } });
    const response = await respond(request);
    const body = JSON.parse(await response.text(), replaceNewValue) as ResponseBody;
    const received = body.error?.code ?? body.Resultado?.Codigo ?? 'OK';
    if (received !== code) throw new Error(`${operation.name}, ${name}: the code is ${received}, expected ${code}.`);
    const headers: Record<string, string> = {};
    for (const [key, value] of response.headers) headers[key] = replaceNewValue(key, value) as string;
    const { status } = response;
    const summary = recordedCase[language];
    this.exchanges[language].push({ operationId: operation.name, name, summary, code, request, status, body, headers });
  }

  #buildCredentials(user: string) {
    const tenant = getTenant(user);
    return { tenant, Authorization: `Bearer ${this.#tokens.get(user)}`, 'X-API-Key': API_KEYS[tenant]! };
  }
}

type Respond = (request: SampleRequest) => Promise<Response>;

async function recordStatelessCases(recorder: Recorder, operations: readonly SampleOperation[]): Promise<void> {
  for (const operation of operations) {
    for (const language of LANGUAGES) {
      for (const recordedCase of getStatelessCases(operation)) await recorder.record(operation, recordedCase, language);
      // Otherwise, the next cases would be above the rate limit.
      await recorder.advanceClock(LIMITS.windowSeconds + 1);
    }
  }
}

/** Records the responses above the rate limits of reads and writes, and during a lockout of the login. */
async function recordLimits(recorder: Recorder, operations: readonly SampleOperation[]): Promise<void> {
  const { login, readers, writers, legacy } = groupByAccess(operations);
  await recorder.repeat(LIMITS.reads, readers[0]!);
  await recorder.repeat(LIMITS.writes, writers[0]!);
  await recorder.recordAll([...readers, ...writers, ...legacy], STATE_CASES.tooManyRequests);
  await recorder.repeat(LIMITS.loginFailures, login[0]!, { input: { password: 'wrong' } });
  await recorder.recordAll(login, STATE_CASES.lockedOut);
}

async function recordExpiredTokens(recorder: Recorder, operations: readonly SampleOperation[]): Promise<void> {
  const { readers, writers } = groupByAccess(operations);
  await recorder.advanceClock(LIMITS.tokenSeconds + 1);
  await recorder.recordAll([...readers, ...writers], STATE_CASES.expired);
}

/** Deletes tables, so that every operation fails: first after the access check, and then in it. */
async function recordFailures(
  recorder: Recorder,
  operations: readonly SampleOperation[],
  { tables }: LocalService,
  client: DynamoDBDocumentClient,
): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName: tables.Invoices }));
  // The login reads no invoices, but it needs the signing key.
  await client.send(new DeleteCommand({ TableName: tables.SigningKeys, Key: SIGNING_KEY }));
  await recorder.recordAll(operations, STATE_CASES.failure);
  await client.send(new DeleteTableCommand({ TableName: tables.Directory }));
  await recorder.recordAll(operations, STATE_CASES.unavailable);
}

/** Records the responses of the gateway itself, which are built from the template without a request. */
async function recordGatewayResponses(recorder: Recorder, operations: readonly SampleOperation[]): Promise<void> {
  const stack = readStack();
  for (const { type, status, ...texts } of GATEWAY_RESPONSES) {
    const { body, headers } = buildGatewayReply(stack, type, '');
    const respond = async () => new Response(String(body), { status, headers: headers as Record<string, string> });
    await recorder.recordAll(operations, { ...texts, name: `gateway-${type}` }, respond);
  }
}

function groupByAccess(operations: readonly SampleOperation[]) {
  const select = (access: SampleOperation['access']) => operations.filter((operation) => operation.access === access);
  return { login: select(null), readers: select('read'), writers: select('write'), legacy: select('legacy') };
}

/** Returns the tenant of a user of the demo data: the domain of its e-mail address. */
function getTenant(email: string): string {
  return email.replace(/.*@/, '');
}

function logInUser({ url }: LocalService, email: string): Promise<string> {
  return logIn(url, { ...demoAccount, tenant: getTenant(email), email });
}

/** Logs in the users other than the demo account, and then deactivates or logs out two of them. Returns their tokens. */
async function logInOtherUsers(
  service: LocalService,
  client: DynamoDBDocumentClient,
): Promise<ReadonlyMap<string, string>> {
  const ports = createAdminPorts({ client, tables: service.tables });
  const { inactive, endedSession } = REJECTED_USERS;
  // The demo data contain the user as inactive. To get a token, it must be active.
  await setUserActive(ports, getTenant(inactive), inactive, true);
  const documentedCases = Object.values(contractDocs).flatMap(({ cases }) => cases);
  const documentedUsers = documentedCases.flatMap(({ user }) => user ?? []);
  const tokens = new Map<string, string>();
  for (const email of [...Object.values(REJECTED_USERS), ...documentedUsers]) {
    tokens.set(email, await logInUser(service, email));
  }
  await setUserActive(ports, getTenant(inactive), inactive, false);
  await endSessions(ports, getTenant(endedSession), endedSession);
  return tokens;
}

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
