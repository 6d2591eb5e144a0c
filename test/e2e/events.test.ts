import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import type { BusEvent } from '../../infra/local/local-event-bus.ts';
import { startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, sendRequest } from '../support/service/portal-requests.ts';
import { useStarted } from '../support/setup/use-started.ts';

const getDetail = ({ detail }: BusEvent) => detail as { event_id: string; invoice_id: string; declared_at: string };

const service = useStarted(() => startLoggedService({ options: ['--events'] }));

const readJson = async (path: string) => (await fetch(service.url + path)).json();
const readEvents = async (invoiceId: string) => {
  const { events } = (await readJson('/_local/events')) as { events: BusEvent[] };
  return events.filter((event) => getDetail(event).invoice_id === invoiceId);
};

it(
  'npm start -- --events publishes each declaration within seconds, in order, as a valid event, and logs it',
  { tags: 'long' },
  async () => {
    const parts = await service.newParts();
    const { supplierId, tenant } = parts.account.scope;
    const responses = [];
    for (const notes of ['first', 'second'])
      responses.push(await sendRequest(service.url, portalRequests['declare-invoice']({ ...parts, notes })));
    await expect.poll(() => readEvents(parts.invoiceId), { timeout: 20_000 }).toHaveLength(2);

    const events = await readEvents(parts.invoiceId);
    const ids = events.map((event, index) => {
      return ['InvoiceDeclared', tenant, supplierId, parts.invoiceId, index + 1, getDetail(event).declared_at].join(
        ':',
      );
    });
    expect(events.map(({ detail }) => detail)).toMatchObject([
      { event_id: ids[0], declared_notes: 'first', request_id: responses[0]?.requestId },
      { event_id: ids[1], declared_notes: 'second', request_id: responses[1]?.requestId },
    ]);
    const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
      (await readJson('/events.json')) as object,
    );
    for (const event of events) expect(isValid(event), JSON.stringify(isValid.errors)).toBe(true);
    for (const id of ids) expect(service.output()).toContain(`"event_id":"${id}"`);
  },
);
