import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endSessions, setUserActive } from '../ops/directory/access.ts';
import { createAdminPorts } from '../ops/tables/admin-ports.ts';
import type { RecordedCase } from '../../lib/contracts/contract-doc.ts';
import { type Language, LANGUAGES } from '../../lib/domain/language.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import { SIGNING_KEY } from '../../lib/tables/keys.ts';
import { engineDocumentClient } from '../local/engine-client.ts';
import { loadDemo } from '../start/demo.ts';
import { readOptions } from '../command-line.ts';
import { readStack } from '../local/read-stack.ts';
import { gatewayReply } from '../local/replies.ts';
import { type LocalService, startService } from '../local/service.ts';
import type { Exchange, Exchanges } from '../openapi/document.ts';
import { generatedFiles } from '../openapi/generated-files.ts';
import { GATEWAY_ANSWERS } from '../openapi/responses.ts';
import { contractDocs } from '../routes.ts';
import {
  logIn,
  type Change,
  type SampleOperation,
  sampleOperations,
  type SampleRequest,
  demoAccount,
} from '../openapi/sample-requests.ts';
import { print } from '../terminal.ts';
import { API_KEYS, casesOf, REJECTED_USERS, STATE_CASES } from './cases.ts';

/** Starts the service with its demo data, and records every documented response of every operation in each language. */
export async function recordExchanges(): Promise<Exchanges> {
  const service = await startService({
    port: 0,
    dynamodbPort: 0,
    loadDemo: (engine) => loadDemo(engine, 'small'),
    quiet: true,
  });
  const client = engineDocumentClient(service.endpoint);
  try {
    return await record(service, client);
  } finally {
    client.destroy();
    await service.close();
  }
}

async function record(service: LocalService, client: DynamoDBDocumentClient): Promise<Exchanges> {
  const tokenOf = (email: string) => logIn(service.url, { ...demoAccount, tenant: tenantOf(email), email });
  const recorder = new Recorder(service.url, await logInOtherUsers(service, client, tokenOf));
  const operations = sampleOperations(demoAccount, await tokenOf(demoAccount.email));
  const withAccess = (access: string | null) => operations.filter((operation) => operation.access === access);
  const [login, readers, writers] = [withAccess(null), withAccess('read'), withAccess('write')];
  const portal = [...readers, ...writers];

  for (const operation of operations) {
    for (const language of LANGUAGES) {
      await recorder.take(language, operation, casesOf(operation));
      await recorder.advance(LIMITS.windowSeconds + 1);
    }
  }

  await recorder.repeat(LIMITS.reads, readers[0]!);
  await recorder.repeat(LIMITS.writes, writers[0]!);
  await recorder.takeAll([...portal, ...withAccess('legacy')], STATE_CASES.tooManyRequests);
  await recorder.repeat(LIMITS.loginFailures, login[0]!, { input: { password: 'wrong' } });
  await recorder.takeAll(login, STATE_CASES.lockedOut);

  await recorder.advance(LIMITS.tokenSeconds + 1);
  await recorder.takeAll(portal, STATE_CASES.expired);

  const renewed = sampleOperations(demoAccount, await tokenOf(demoAccount.email));
  await client.send(new DeleteTableCommand({ TableName: service.tables.Invoices }));
  await client.send(new DeleteCommand({ TableName: service.tables.SigningKeys, Key: SIGNING_KEY }));
  await recorder.takeAll(renewed, STATE_CASES.failure);
  await client.send(new DeleteTableCommand({ TableName: service.tables.Directory }));
  await recorder.takeAll(renewed, STATE_CASES.unavailable);

  const stack = readStack();
  for (const { type, status, ...answer } of GATEWAY_ANSWERS) {
    const { body, headers } = gatewayReply(stack, type, '');
    const respond = async () => new Response(String(body), { status, headers: headers as Record<string, string> });
    await recorder.takeAll(renewed, { ...answer, name: `gateway-${type}` }, respond);
  }
  return recorder.exchanges;
}

const tenantOf = (email: string) => email.replace(/.*@/, '');

/** Logs in the users other than the demo account, and then deactivates or logs out two of them. Returns their tokens. */
async function logInOtherUsers(
  { tables }: LocalService,
  client: DynamoDBDocumentClient,
  tokenOf: (email: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const ports = createAdminPorts({ client, tables });
  const { inactive, endedSession } = REJECTED_USERS;
  await setUserActive(ports, tenantOf(inactive), inactive, true);
  const tokens = new Map<string, string>();
  const documented = Object.values(contractDocs).flatMap(({ cases }) => cases.flatMap(({ user }) => user ?? []));
  for (const email of [...Object.values(REJECTED_USERS), ...documented]) tokens.set(email, await tokenOf(email));
  await setUserActive(ports, tenantOf(inactive), inactive, false);
  await endSessions(ports, tenantOf(endedSession), endedSession);
  return tokens;
}

// Values that are new in every response, and the same in each recording.
const BODY_VALUES: readonly (readonly [RegExp, string])[] = [
  [/"(declaration_id|IdDeclaracion)":"\d{19}"/g, '"$1":"1795243070161803765"'],
  [
    /"authorization":"[^"]+"/g,
    '"authorization":"eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl"',
  ],
];
const HEADER_VALUES: Readonly<Record<string, string>> = {
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-reset': '1795243130',
  'retry-after': '60',
};

/** Sends requests to a running service, and records the responses. */
class Recorder {
  readonly exchanges: Readonly<Record<Language, Exchange[]>> = { en: [], es: [] };
  readonly #url: string;
  readonly #tokens: ReadonlyMap<string, string>;

  /** `tokens`: those of the users of the cases, by e-mail address. */
  constructor(url: string, tokens: ReadonlyMap<string, string>) {
    this.#url = url;
    this.#tokens = tokens;
  }

  /**
   * Records the cases of an operation one after another: the responses of the service, or those of `respond`. Throws
   * for a response with another error code than its case.
   */
  async take(
    language: Language,
    { name: operationId, request: build }: SampleOperation,
    cases: readonly RecordedCase[],
    respond = (request: SampleRequest) => this.#send(request, language),
  ): Promise<void> {
    for (const recorded of cases) {
      const { code, name = code === 'OK' ? 'success' : code, input = {}, headers = {}, user } = recorded;
      const request = build({ input, headers: { ...this.#credentialsOf(user), ...headers } });
      const response = await respond(request);
      const text = await response.text();
      const stable = BODY_VALUES.reduce((rest, [pattern, value]) => rest.replaceAll(pattern, value), text);
      const body = JSON.parse(stable) as { error?: { code: string }; Resultado?: { Codigo: string } };
      const received = body.error?.code ?? body.Resultado?.Codigo ?? 'OK';
      if (received !== code) throw new Error(`${operationId}, ${name}: the code is ${received}, expected ${code}.`);
      this.exchanges[language].push({
        ...{ operationId, name, summary: recorded[language], request, status: response.status, body },
        headers: Object.fromEntries([...response.headers].map(([key, value]) => [key, HEADER_VALUES[key] ?? value])),
      });
    }
  }

  /** Records one case of each operation, in every language. */
  async takeAll(
    operations: readonly SampleOperation[],
    recorded: RecordedCase,
    respond?: () => Promise<Response>,
  ): Promise<void> {
    for (const language of LANGUAGES) {
      for (const operation of operations) await this.take(language, operation, [recorded], respond);
    }
  }

  /** Sends a request several times without recording it. */
  async repeat(times: number, operation: SampleOperation, change?: Change): Promise<void> {
    for (let sent = 0; sent < times; sent++) await this.#send(operation.request(change), 'en');
  }

  /** Moves the clock of the service forward. */
  async advance(seconds: number): Promise<void> {
    await fetch(`${this.#url}/_local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: seconds }) });
  }

  #credentialsOf(user: string | undefined): Record<string, string> {
    if (user === undefined) return {};
    const tenant = tenantOf(user);
    return { tenant, Authorization: `Bearer ${this.#tokens.get(user)}`, 'X-API-Key': API_KEYS[tenant] ?? '' };
  }

  #send({ path, headers, ...request }: SampleRequest, language: Language): Promise<Response> {
    return fetch(this.#url + path, { ...request, headers: { ...headers, 'Accept-Language': language } });
  }
}

if (import.meta.main) {
  readOptions(`Usage: npm run openapi

Starts the service with its demo data, calls every endpoint, and writes the OpenAPI document in English and in Spanish
(infra/openapi/openapi.json and openapi.es.json), and the requests for editors that are made of it
(lib/client/examples/portal.http). Beside it go the schemas of the events (infra/openapi/events.json).`);

  for (const { file, text } of await generatedFiles(await recordExchanges())) {
    writeFileSync(file, text);
    print(`Written: ${fileURLToPath(file)}`);
  }
}
