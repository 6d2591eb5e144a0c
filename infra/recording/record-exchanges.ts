import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endSessions, setUserActive } from '../../lib/admin/access/users.ts';
import { createAdminPorts } from '../../lib/composition/admin-ports.ts';
import { contracts } from '../../lib/contracts/contracts.ts';
import type { Language } from '../../lib/domain/language.ts';
import { SIGNING_KEY } from '../../lib/storage/items/keys.ts';
import { engineDocumentClient } from '../local/engine-client.ts';
import { demoAccount } from '../demo-account.ts';
import { currentRequests, legacyRequests } from '../demo-requests.ts';
import { logIn } from '../local/demo.ts';
import { listen, localHost } from '../local/ports.ts';
import { gatewayReply, sendReply } from '../local/replies.ts';
import { readStack } from '../local/read-stack.ts';
import { type LocalService, startService } from '../local/service.ts';
import type { Exchange } from '../openapi/examples.ts';
import { GATEWAY_ANSWERS, type GatewayAnswer } from '../openapi/gateway-answers.ts';
import { changed, currentCases, legacyCases, type OtherTokens } from './cases.ts';
import { Recorder } from './recorder.ts';

/**
 * Starts the service with its demo data, brings about every documented answer of every operation, and gives what was
 * said to a caller who prefers this language.
 */
export async function recordExchanges(language: Language): Promise<Exchange[]> {
  const service = await startService({ port: 0, dynamodbPort: 0, demo: true, quiet: true });
  const client = engineDocumentClient(service.endpoint);
  try {
    return await record(service, client, new Recorder(service.url, language));
  } finally {
    client.destroy();
    await service.close();
  }
}

async function record(service: LocalService, client: DynamoDBDocumentClient, recorder: Recorder): Promise<Exchange[]> {
  const tokenOf = (user: string, tenant = demoAccount.tenant) =>
    logIn(service.url, { ...demoAccount, tenant, email: `${user}@${tenant}` });
  const others = await logInOthers(createAdminPorts({ client, tables: service.tables }), tokenOf);
  const { login, ...portal } = currentRequests(demoAccount, await tokenOf('ana'));
  const requests = new Map(Object.entries({ login, ...portal }));
  const legacy = legacyRequests(demoAccount);

  for (const contract of contracts) {
    const request = requests.get(contract.name);
    if (request) await recorder.take(currentCases(contract, request, others));
    await recorder.advance(61);
  }
  for (const [name, request] of Object.entries(legacy)) {
    await recorder.take(legacyCases(name, request));
    await recorder.advance(61);
  }

  await recorder.repeat(30, portal['list-invoices']);
  await recorder.repeat(10, portal['declare-invoice']);
  await recorder.takeAll({ ...portal, ...legacy }, 'RATE_LIMITED', 'More requests in 60 seconds than the limit');
  await recorder.repeat(5, changed(login, { body: { password: 'wrong' } }));
  await recorder.takeAll({ login }, 'RATE_LIMITED', 'After 5 failed attempts in 30 seconds');

  await recorder.advance(3601);
  await recorder.takeAll(portal, 'TOKEN_EXPIRED', 'The access token is older than an hour');

  const all = { ...currentRequests(demoAccount, await tokenOf('ana')), ...legacy };
  await client.send(new DeleteTableCommand({ TableName: service.tables.Invoices }));
  await client.send(new DeleteCommand({ TableName: service.tables.SigningKeys, Key: SIGNING_KEY }));
  await recorder.takeAll(all, 'INTERNAL_ERROR', 'An unexpected failure');
  await client.send(new DeleteTableCommand({ TableName: service.tables.Directory }));
  await recorder.takeAll(all, 'SERVICE_UNAVAILABLE', 'The user could not be verified');

  for (const answer of GATEWAY_ANSWERS) {
    await withGateway(answer, (url) => recorder.takeAll(all, `gateway-${answer.type}`, answer.summary, url));
  }
  return recorder.exchanges;
}

/** Logs in users who cannot do everything, and then stops two of them as operators do. */
async function logInOthers(
  ports: ReturnType<typeof createAdminPorts>,
  tokenOf: (user: string, tenant?: string) => Promise<string>,
): Promise<OtherTokens> {
  const userNamed = (user: string) => ({ tenant: demoAccount.tenant, user });
  await setUserActive(ports, userNamed('fabio@demo.example'), true);
  const others = {
    readOnly: await tokenOf('lucia'),
    noSupplier: await tokenOf('elena'),
    inactiveUser: await tokenOf('fabio'),
    endedSession: await tokenOf('bruno'),
    globalTolerance: await tokenOf('diego'),
    noTolerance: await tokenOf('sofia', 'sur.example'),
  };
  await setUserActive(ports, userNamed('fabio@demo.example'), false);
  await endSessions(ports, userNamed('bruno@demo.example'));
  return others;
}

/** Runs with the address of a gateway that answers whatever it is asked by itself, in the words of the template. */
async function withGateway({ type }: GatewayAnswer, run: (url: string) => Promise<void>): Promise<void> {
  const stack = readStack();
  const gateway = createServer((_request, response) => sendReply(response, gatewayReply(stack, type, randomUUID())));
  const port = await listen(gateway, 0);
  await run(`http://${localHost}:${port}`);
  gateway.close();
}
