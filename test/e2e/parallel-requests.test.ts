import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/local-service.ts';

describe('200 parallel requests of one user over HTTP', () => {
  let service: LocalService;
  let headers: Record<string, string>;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
    const { tenant, apiKey, email, password } = service.demo!;
    headers = { tenant, 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const login = await post('/login', { email, password });
    const { data } = (await login.json()) as { data: { authorization: string } };
    headers['Authorization'] = `Bearer ${data.authorization}`;
  });
  afterAll(() => service.close());

  const post = (path: string, body: object) =>
    fetch(`${service.url}/apidev/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

  async function statuses(path: string): Promise<Record<number, number>> {
    const requests = Array.from({ length: 200 }, async (_, index) => {
      const { status } = await post(`/supplier-portal/invoices${path}`, { invoice_id: '9001', amount: 1000 + index });
      return status;
    });
    return Object.fromEntries(
      [...Map.groupBy(await Promise.all(requests), (status) => status)].map(([status, of]) => [status, of.length]),
    );
  }

  it('exactly 30 reads pass', async () => {
    expect(await statuses('/validate')).toEqual({ 200: 30, 429: 170 });
  });

  it('exactly 10 writes pass', async () => {
    expect(await statuses('/declare')).toEqual({ 200: 10, 429: 190 });
  });
});
