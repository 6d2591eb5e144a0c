import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { SampleRequest } from '../../infra/openapi/sample-requests.ts';
import { hashApiKey } from '../../lib/access/access-rules.ts';
import { createSigningKeyReader } from '../../lib/tables/signing-key-tables.ts';
import { type LoggedService, startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, requestNames, send } from '../support/service/portal-requests.ts';
import { readRecord } from '../support/data/seed.ts';
import { useStarted } from '../support/setup/use-started.ts';

const tables = ['Directory', 'Invoices', 'Declarations', 'RateCounters', 'SigningKeys'] as const;

type Caller = Awaited<ReturnType<LoggedService['newParts']>>;
type Secrets = Awaited<ReturnType<typeof secretsOf>>;

/** Every secret there is: those of an account, of the service, and some that open nothing. */
async function secretsOf(service: LoggedService, { account, authorization }: Caller) {
  const token = authorization.replace('Bearer ', '');
  const [, payload = '', signature = ''] = token.split('.');
  const signingKey = await createSigningKeyReader(service.engine.client, service.engine.tables.SigningKeys)();
  const { password_hash: passwordHash } = await readRecord(service.engine, account.keys.account);
  return {
    token,
    authorization,
    payload,
    signature,
    apiKey: account.apiKey,
    apiKeyHash: hashApiKey(account.apiKey),
    password: account.password,
    passwordHash: String(passwordHash),
    privateKey: String(signingKey?.privateJwk.d),
    wrongToken: `${token.slice(0, -4)}AAAA`,
    wrongApiKey: randomUUID(),
    wrongPassword: 'hunter2-not-the-password',
    tokenInNotes: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub3RlcyJ9.c2lnbmF0dXJl',
  };
}

/** Lets every limit begin anew, so that no request is refused before it is looked at. */
async function forgetLimits({ engine }: LoggedService): Promise<void> {
  const { client, tables: names } = engine;
  const { Items = [] } = await client.send(new ScanCommand({ TableName: names.RateCounters, Limit: 1_000 }));
  if (Items.length === 0) return;
  const requests = Items.map(({ pk }) => ({ DeleteRequest: { Key: { pk } } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [names.RateCounters]: requests } }));
}

describe('the log lines', () => {
  const service = useStarted(startLoggedService);

  /** Sends requests side by side; expects that each has one line of its own, and that no line has a secret in it. */
  async function expectNoSecret(requests: readonly SampleRequest[], secrets: Secrets): Promise<number[]> {
    await forgetLimits(service);
    const before = service.output().length;
    const answers = await Promise.all(requests.map((request) => send(service.url, request)));
    for (const { status, requestId } of answers) {
      expect(status, 'it was looked at').not.toBe(429);
      expect((await service.linesOf(requestId)).filter(({ message }) => message === 'request')).toHaveLength(1);
    }
    const written = service.output().slice(before).toLowerCase();
    for (const [kind, secret] of Object.entries(secrets)) {
      expect(written.includes(secret.toLowerCase()), `the ${kind} in: ${written}`).toBe(false);
    }
    return answers.map(({ status }) => status);
  }

  it.each(requestNames)('the log lines contain no secret that is sent in any part of a request: %s', async (name) => {
    const parts = await service.newParts();
    const secrets = await secretsOf(service, parts);
    const request = portalRequests[name];
    expect(await expectNoSecret([request({ ...parts, notes: secrets.tokenInNotes })], secrets)).toEqual([200]);

    const plain = JSON.stringify(request(parts));
    // All of them at once, and those that are of the right form for a part: these get further.
    const sent = [Object.values(secrets).join(' '), secrets.token, secrets.wrongApiKey, secrets.wrongPassword];
    const { account: _, ...textual } = parts;
    for (const part of Object.keys(textual)) {
      const requests = sent
        .map((secret) => request({ ...parts, [part]: secret }))
        .filter((changed) => JSON.stringify(changed) !== plain);
      await expectNoSecret(requests, secrets);
    }
  });

  const faults = [
    ...tables.flatMap((table) => (['error', 'refuse'] as const).map((how) => ({ how, table }))),
    { how: 'conflict', table: 'Invoices', times: 2 * requestNames.length } as const,
  ];
  it.each(faults)(
    'the log lines contain no secret if the engine fails during every request: $how $table',
    async (fault) => {
      const parts = await service.newParts();
      const secrets = await secretsOf(service, parts);
      const requests = requestNames.map((name) => portalRequests[name]({ ...parts, notes: secrets.tokenInNotes }));
      const takeBack = service.proxy.fail(fault);
      const statuses = await expectNoSecret(requests, secrets);
      takeBack();
      expect(Math.max(...statuses)).toBeGreaterThanOrEqual(fault.how === 'conflict' ? 200 : 500);
    },
  );

  it('the log lines contain no secret when the signing key is created', () => {
    expect(service.output()).toContain('"message":"signing key"');
    expect(service.output()).not.toMatch(/private|"d":/i);
  });
});
