import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endSessions, setUserActive } from '../../lib/admin/access/users.ts';
import { createAdminPorts } from '../../lib/composition/admin-ports.ts';
import { contracts } from '../../lib/contracts/contracts.ts';
import type { Language } from '../../lib/domain/language.ts';
import { SIGNING_KEY } from '../../lib/storage/items/keys.ts';
import { engineDocumentClient } from '../local/engine-client.ts';
import { demoAccount } from '../demo-account.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../demo-requests.ts';
import { logIn } from '../local/demo.ts';
import { readStack } from '../local/read-stack.ts';
import { gatewayReply } from '../local/replies.ts';
import { type LocalService, startService } from '../local/service.ts';
import type { Exchange } from '../openapi/examples.ts';
import { GATEWAY_ANSWERS } from '../openapi/gateway-answers.ts';
import { casesOf, changed, OTHER_USERS, type OtherTokens } from './cases.ts';
import { Recorder } from './recorder.ts';

/**
 * Starts the service with its demo data, brings about every documented answer of every operation, and gives what was
 * said to a caller who prefers this language.
 */
export async function recordExchanges(language: Language): Promise<Exchange[]> {
  const service = await startService({ port: 0, dynamodbPort: 0, demo: 'small', quiet: true });
  const client = engineDocumentClient(service.endpoint);
  try {
    return await record(service, client, new Recorder(service.url, language));
  } finally {
    client.destroy();
    await service.close();
  }
}

async function record(service: LocalService, client: DynamoDBDocumentClient, recorder: Recorder): Promise<Exchange[]> {
  const tokenOf = (email: string) => logIn(service.url, { ...demoAccount, tenant: email.replace(/.*@/, ''), email });
  const others = await logInOthers(createAdminPorts({ client, tables: service.tables }), tokenOf);
  const { login, ...portal } = currentRequests(demoAccount, await tokenOf(demoAccount.email));
  const requests: Readonly<Record<string, SampleRequest>> = { login, ...portal };
  const legacy = legacyRequests(demoAccount);

  for (const { name, access } of contracts) {
    const request = requests[name];
    if (request) await recorder.take(casesOf(name, request, access, others));
    await recorder.advance(61);
  }
  for (const [name, request] of Object.entries(legacy)) {
    await recorder.take(casesOf(name, request, 'legacy', others));
    await recorder.advance(61);
  }

  await recorder.repeat(30, portal['list-invoices']);
  await recorder.repeat(10, portal['declare-invoice']);
  await recorder.takeAll({ ...portal, ...legacy }, 'RATE_LIMITED', 'More requests in 60 seconds than the limit');
  await recorder.repeat(5, changed(login, { body: { password: 'wrong' } }));
  await recorder.takeAll({ login }, 'RATE_LIMITED', 'After 5 failed attempts in 30 seconds');

  await recorder.advance(3601);
  await recorder.takeAll(portal, 'TOKEN_EXPIRED', 'The access token is older than an hour');

  const all = { ...currentRequests(demoAccount, await tokenOf(demoAccount.email)), ...legacy };
  await client.send(new DeleteTableCommand({ TableName: service.tables.Invoices }));
  await client.send(new DeleteCommand({ TableName: service.tables.SigningKeys, Key: SIGNING_KEY }));
  await recorder.takeAll(all, 'INTERNAL_ERROR', 'An unexpected failure');
  await client.send(new DeleteTableCommand({ TableName: service.tables.Directory }));
  await recorder.takeAll(all, 'SERVICE_UNAVAILABLE', 'The user could not be verified');

  const stack = readStack();
  for (const { type, status, summary } of GATEWAY_ANSWERS) {
    const { body, headers } = gatewayReply(stack, type, '');
    const answer = async () => new Response(String(body), { status, headers: headers as Record<string, string> });
    await recorder.takeAll(all, `gateway-${type}`, summary, answer);
  }
  return recorder.exchanges;
}

/** Logs in users who cannot do everything, and then stops two of them as operators do. */
async function logInOthers(
  ports: ReturnType<typeof createAdminPorts>,
  tokenOf: (email: string) => Promise<string>,
): Promise<OtherTokens> {
  const userNamed = (user: string) => ({ tenant: demoAccount.tenant, user });
  await setUserActive(ports, userNamed(OTHER_USERS.inactiveUser), true);
  const tokens: Record<string, string> = {};
  for (const [name, email] of Object.entries(OTHER_USERS)) tokens[name] = await tokenOf(email);
  await setUserActive(ports, userNamed(OTHER_USERS.inactiveUser), false);
  await endSessions(ports, userNamed(OTHER_USERS.endedSession));
  return tokens as OtherTokens;
}
