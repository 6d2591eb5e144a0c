import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RecordedCase, SampleInput } from '../../../lib/contracts/contract.ts';
import { type Language, LANGUAGES } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { SIGNING_KEY } from '../../../lib/tables/keys.ts';
import { createEngineDocumentClient } from '../../local/engine-client.ts';
import { buildGatewayReply } from '../../local/gateway.ts';
import { readStack } from '../../local/read-stack.ts';
import { type LocalService, startService } from '../../local/service.ts';
import { loadDemo } from '../../local/start/demo.ts';
import { endSessions, setUserActive } from '../../ops/directory/access-commands.ts';
import { createAdminPorts } from '../../ops/tables/admin-ports.ts';
import { readOptions } from '../../process/read-options.ts';
import { print } from '../../process/terminal.ts';
import { contractDocs } from '../../routes.ts';
import type { Exchange, Exchanges } from '../document.ts';
import { generateFiles } from '../generated-files.ts';
import { GATEWAY_RESPONSES } from '../response-objects.ts';
import { buildRequest, buildSampleOperations, DEMO_ACCOUNT, logIn, OPERATION_KINDS } from '../sample-requests.ts';
import type { OperationKind, SampleOperation, SampleRequest } from '../sample-requests.ts';
import { CASES_BY_KIND, findDifference, PREPARED_CASES, REJECTED_USERS, type ResponseBody } from './cases.ts';

const API_KEYS: Readonly<Record<string, string>> = {
  'demo.example': DEMO_ACCOUNT.apiKey,
  'sur.example': '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6b001',
};

/** Fixed values of the properties and headers that differ in every response, so that all recordings are equal. */
const STABLE_VALUES: Readonly<Record<string, string>> = {
  declaration_id: '1795243070161803765',
  IdDeclaracion: '1795243070161803765',
  authorization: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl',
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-reset': '1795243130',
  'retry-after': '60',
};

/** The headers with the credentials of the users other than the demo account, by e-mail address. */
type Credentials = ReadonlyMap<string, Readonly<Record<string, string>>>;

type Respond = (request: SampleRequest) => Promise<Response>;

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
    const recorder = new Recorder(service, await prepareCredentials(service, client));
    await recorder.logInDemoUser();
    await recorder.recordPlainCases();
    await recordLimits(recorder);
    await recorder.advanceClock(LIMITS.tokenSeconds + 1);
    await recorder.record(['read', 'write'], PREPARED_CASES.expired);
    await recorder.logInDemoUser();
    // The failures are recorded after all other responses of the service, because they delete tables.
    await recordFailures(recorder, service, client);
    await recordGatewayResponses(recorder);
    return recorder.exchanges;
  } finally {
    client.destroy();
    await service.close();
  }
}

/** Sends requests to the service and collects the exchanges by language. The first step is `logInDemoUser`. */
class Recorder {
  readonly exchanges: Readonly<Record<Language, Exchange[]>> = { en: [], es: [] };
  readonly #service: LocalService;
  readonly #credentials: Credentials;
  #operations: readonly SampleOperation[] = [];

  constructor(service: LocalService, credentials: Credentials) {
    this.#service = service;
    this.#credentials = credentials;
  }

  /** Gets a new token for all operations. */
  async logInDemoUser(): Promise<void> {
    this.#operations = buildSampleOperations(DEMO_ACCOUNT, await logInUser(this.#service, DEMO_ACCOUNT.email));
  }

  /** Repeats a request of the first operation of a kind without recording it, to use up a limit. */
  async repeat(times: number, kind: OperationKind, input: SampleInput = {}): Promise<void> {
    const operation = this.#operations.find((candidate) => candidate.kind === kind)!;
    for (let count = 0; count < times; count++) await this.#send(buildRequest(operation, { input }), 'en');
  }

  /** Moves the clock of the service, to end the windows of limits or the tokens without waiting. */
  async advanceClock(seconds: number): Promise<void> {
    const body = JSON.stringify({ advance_seconds: seconds });
    const { ok } = await fetch(`${this.#service.url}/_local/clock`, { method: 'POST', body });
    if (!ok) throw new Error(`The clock cannot be moved by ${seconds} seconds.`);
  }

  /** Records the cases that depend only on the request. */
  async recordPlainCases(): Promise<void> {
    for (const operation of this.#operations) {
      const cases = [...operation.cases, ...CASES_BY_KIND[operation.kind]];
      for (const language of LANGUAGES) {
        for (const recordedCase of cases) await this.#recordExchange(operation, recordedCase, language);
        // Otherwise, the next cases would be above the rate limit.
        await this.advanceClock(LIMITS.windowSeconds + 1);
      }
    }
  }

  /** Records a case of all operations of these kinds in every language. `respond` can replace the service. */
  async record(kinds: readonly OperationKind[], recordedCase: RecordedCase, respond?: Respond): Promise<void> {
    const operations = this.#operations.filter(({ kind }) => kinds.includes(kind));
    for (const language of LANGUAGES) {
      for (const operation of operations) await this.#recordExchange(operation, recordedCase, language, respond);
    }
  }

  /** Records a case. Throws if the response is not that of the case, or if the operation has another case of its name. */
  async #recordExchange(
    operation: SampleOperation,
    recordedCase: RecordedCase,
    language: Language,
    respond: Respond = (request) => this.#send(request, language),
  ): Promise<void> {
    const { code, name = code === 'OK' ? 'success' : code, input = {}, user } = recordedCase;
    const credentials = user === undefined ? {} : this.#credentials.get(user);
    const request = buildRequest(operation, { input, headers: { ...credentials, ...recordedCase.headers } });
    const response = await respond(request);
    const { status } = response;
    const body = JSON.parse(await response.text(), stabilizeValue) as ResponseBody;
    const operationId = operation.name;
    const recorded = this.exchanges[language];
    if (recorded.some((other) => other.operationId === operationId && other.name === name))
      throw new Error(`${operationId} has two cases with the name ${name}.`);
    const difference = findDifference(code, status, body);
    if (difference !== null) throw new Error(`${operationId}, ${name} (${recordedCase.en}): ${difference}`);
    const headers: Record<string, string> = {};
    for (const [key, value] of response.headers) headers[key] = String(stabilizeValue(key, value));
    recorded.push({ operationId, name, summary: recordedCase[language], code, request, status, headers, body });
  }

  async #send({ path, headers, ...request }: SampleRequest, language: Language): Promise<Response> {
    return fetch(this.#service.url + path, { ...request, headers: { ...headers, 'Accept-Language': language } });
  }
}

/** Records the responses above the rate limits of reads and writes, and during a lockout of the login. */
async function recordLimits(recorder: Recorder): Promise<void> {
  await recorder.repeat(LIMITS.reads, 'read');
  await recorder.repeat(LIMITS.writes, 'write');
  await recorder.record(['read', 'write', 'legacy'], PREPARED_CASES.tooManyRequests);
  await recorder.repeat(LIMITS.loginFailures, 'login', { password: 'wrong' });
  await recorder.record(['login'], PREPARED_CASES.lockedOut);
}

/** Deletes tables, so that every operation fails: first after the access check, and then during the check. */
async function recordFailures(
  recorder: Recorder,
  { tables }: LocalService,
  client: DynamoDBDocumentClient,
): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName: tables.Invoices }));
  // The login reads no invoices, but it needs the signing key.
  await client.send(new DeleteCommand({ TableName: tables.SigningKeys, Key: SIGNING_KEY }));
  await recorder.record(OPERATION_KINDS, PREPARED_CASES.failure);
  await client.send(new DeleteTableCommand({ TableName: tables.Directory }));
  await recorder.record(OPERATION_KINDS, PREPARED_CASES.unavailable);
}

/** Records the responses of the gateway itself, which are built from the template without a request. */
async function recordGatewayResponses(recorder: Recorder): Promise<void> {
  const stack = readStack();
  for (const { type, status, code, en, es } of GATEWAY_RESPONSES) {
    const { body, headers } = buildGatewayReply(stack, type, '');
    const respond = async () => new Response(String(body), { status, headers: headers as Record<string, string> });
    await recorder.record(OPERATION_KINDS, { code, name: `gateway-${type}`, en, es }, respond);
  }
}

/** Logs in the users other than the demo account, and then deactivates one of them and ends the session of another. */
async function prepareCredentials(service: LocalService, client: DynamoDBDocumentClient): Promise<Credentials> {
  const ports = createAdminPorts({ client, tables: service.tables });
  const { inactive, endedSession } = REJECTED_USERS;
  // In the demo data, this user is inactive. To get a token, the user must be active.
  await setUserActive(ports, getTenant(inactive), inactive, true);
  const documentedCases = Object.values(contractDocs).flatMap(({ cases }) => cases);
  const documentedUsers = documentedCases.flatMap(({ user }) => user ?? []);
  const credentials = new Map<string, Readonly<Record<string, string>>>();
  for (const user of [...Object.values(REJECTED_USERS), ...documentedUsers]) {
    const tenant = getTenant(user);
    const Authorization = `Bearer ${await logInUser(service, user)}`;
    credentials.set(user, { tenant, Authorization, 'X-API-Key': API_KEYS[tenant]! });
  }
  await setUserActive(ports, getTenant(inactive), inactive, false);
  await endSessions(ports, getTenant(endedSession), endedSession);
  return credentials;
}

/** Logs a user of the demo data in, and returns its token. All users have the same password. */
function logInUser({ url }: LocalService, email: string): Promise<string> {
  return logIn(url, { ...DEMO_ACCOUNT, tenant: getTenant(email), email });
}

/** Returns the tenant of a user of the demo data, which is the domain of its e-mail address. */
function getTenant(email: string): string {
  return email.replace(/.*@/, '');
}

/** Replaces a value that differs in every response. `name` is the property or the header that contains the value. */
function stabilizeValue(name: string, value: unknown): unknown {
  return typeof value === 'string' ? (STABLE_VALUES[name] ?? value) : value;
}

if (import.meta.main) {
  readOptions(`Usage: npm run openapi

Starts the service with its demo data, calls every endpoint, and writes the OpenAPI document in English and in Spanish
(infra/openapi/openapi.json and openapi.es.json), the schemas of the events (infra/openapi/events.json), and a request
to every operation for editors (lib/client/examples/portal.http).`);

  for (const { file, text } of await generateFiles(await recordExchanges())) {
    writeFileSync(file, text);
    print(`Written: ${fileURLToPath(file)}`);
  }
}
