import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BusEvent } from '../../infra/local/local-event-bus.ts';
import { eventsAssembly, synthesize } from '../../infra/local/synthesize.ts';
import { startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, sendRequest } from '../support/service/portal-requests.ts';
import { useStarted } from '../support/setup/use-started.ts';

const detailOf = ({ detail }: BusEvent) => detail as { event_id: string; invoice_id: string; revision: number };

// Before the tests, because the first synthesis takes a minute.
beforeAll(() => synthesize({ quiet: true }, eventsAssembly));

describe('npm start -- --events', () => {
  const service = useStarted(() => startLoggedService({ isTerminal: true, options: ['--events'] }));

  const read = async (path: string) => (await fetch(service.url + path)).json();
  const eventsOf = async (invoiceId: string) => {
    const { events } = (await read('/_local/events')) as { events: BusEvent[] };
    return events.filter((event) => detailOf(event).invoice_id === invoiceId);
  };

  it(
    'each declaration is an event within seconds, in order, valid by the published schema, and has a line in the log',
    { tags: 'long' },
    async () => {
      const parts = await service.newParts();
      const { supplierId, tenant } = parts.account.scope;
      const answers = [];
      for (const notes of ['first', 'second'])
        answers.push(await sendRequest(service.url, portalRequests['declare-invoice']({ ...parts, notes })));
      await expect.poll(() => eventsOf(parts.invoiceId), { timeout: 20_000 }).toHaveLength(2);

      const events = await eventsOf(parts.invoiceId);
      const ids = [1, 2].map((revision) => `InvoiceDeclared:${tenant}:${supplierId}:${parts.invoiceId}:${revision}`);
      expect(events.map(({ detail }) => detail)).toMatchObject([
        { event_id: ids[0], declared_notes: 'first', request_id: answers[0]?.requestId },
        { event_id: ids[1], declared_notes: 'second', request_id: answers[1]?.requestId },
      ]);
      const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
        (await read('/events.json')) as object,
      );
      for (const event of events) expect(isValid(event), JSON.stringify(isValid.errors)).toBe(true);
      for (const id of ids) expect(service.output()).toMatch(new RegExp(`^[\\d:]{8} INFO event ${id}$`, 'm'));
      expect(service.output()).not.toContain('POST /_local/eventbridge');
    },
  );
});
