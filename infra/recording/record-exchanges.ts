import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endSessions, setUserActive } from '../ops/directory/access.ts';
import { createAdminPorts } from '../../lib/composition/admin-ports.ts';
import { LANGUAGES } from '../../lib/domain/language.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import { SIGNING_KEY } from '../../lib/storage/items/keys.ts';
import { demoAccount } from '../demo-account.ts';
import { engineDocumentClient } from '../local/engine-client.ts';
import { loadDemo, logIn } from '../demo.ts';
import { readStack } from '../local/read-stack.ts';
import { gatewayReply } from '../local/replies.ts';
import { type LocalService, startService } from '../local/service.ts';
import type { Exchanges } from '../openapi/examples.ts';
import { GATEWAY_ANSWERS } from '../openapi/gateway-answers.ts';
import { contractDocs } from '../routes.ts';
import { sampleOperations } from '../sample-requests.ts';
import { casesOf, REJECTED_USERS, STATE_CASES } from './cases.ts';
import { Recorder } from './recorder.ts';

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
