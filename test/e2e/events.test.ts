import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTables, engineDocumentClient } from '../../infra/local/engine-client.ts';
import { startEngine } from '../../infra/local/engine.ts';
import { type BusEvent, LocalEventBus } from '../../infra/local/local-event-bus.ts';
import { LocalFunction } from '../../infra/local/local-function.ts';
import { listen, localHost } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { runStreamFunctions } from '../../infra/local/stream-functions.ts';
import { eventsAssembly, synthesize } from '../../infra/local/synthesize.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { declaredItems } from '../support/data/stream-records.ts';
import { startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, send } from '../support/service/portal-requests.ts';
import { useStarted } from '../support/setup/use-started.ts';

const detailOf = ({ detail }: BusEvent) => detail as { event_id: string; invoice_id: string; revision: number };

// Before a service waits for it.
beforeAll(() => synthesize({ quiet: true }, eventsAssembly));

describe('npm start -- --events', () => {
  const service = useStarted(() => startLoggedService({ onTerminal: true, options: ['--events'] }));

  const read = async (path: string) => (await fetch(service.url + path)).json();
  const eventsOf = async (invoiceId: string) => {
    const { events } = (await read('/_local/events')) as { events: BusEvent[] };
    return events.filter((event) => detailOf(event).invoice_id === invoiceId);
  };

  it(
    'shows each declaration within seconds, in order, as the published schema says, and prints a line for each',
    { tags: 'long' },
    async () => {
      const parts = await service.newParts();
      const { supplierId, tenant } = parts.account.scope;
      const answers = [];
      for (const notes of ['first', 'second'])
        answers.push(await send(service.url, portalRequests['declare-invoice']({ ...parts, notes })));
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

describe('the function that publishes', () => {
  it(
    'may be killed before and after it has published: each event comes at least once, those of an invoice in order',
    { tags: 'long' },
    async () => {
      const stack = readStack(eventsAssembly);
      const engine = await startEngine(0, undefined);
      await createTables(engine.endpoint, stack.tables);
      const bus = new LocalEventBus();
      let kills = 0;
      const server = createServer((request, response) => {
        void (async () => {
          const body = await text(request);
          const [killBefore, killAfter] = [kills === 0, kills === 1 && bus.events.length > 0];
          const reply = killBefore ? undefined : bus.put(body);
          if (killBefore || killAfter) {
            kills += 1;
            await publishing.close();
            response.destroy();
            return;
          }
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(reply?.body);
        })();
      });
      const variables = { AWS_ENDPOINT_URL_EVENTBRIDGE: `http://${localHost}:${await listen(server, 0)}` };
      const [source] = stack.eventSources;
      const definition = stack.functions.find(({ id }) => id === source?.functionId)!;
      const surroundings = { endpoint: engine.endpoint, clock: new VirtualClock(), readLine: () => {}, variables };
      const publishing = new LocalFunction(definition, surroundings);
      const streams = runStreamFunctions(stack.eventSources, engine.endpoint, () => publishing);

      const client = engineDocumentClient(engine.endpoint);
      const written = [1, 2, 3].flatMap((revision) =>
        ['9001', '9002', '9003'].map((invoiceId) => ({ invoiceId, revision })),
      );
      for (const Item of written.flatMap((entry) => declaredItems(entry)))
        await client.send(new PutCommand({ TableName: stack.tableNames.Declarations, Item }));
      const idsOf = (events: readonly BusEvent[]) => events.map((event) => detailOf(event).event_id);
      const seen = () => {
        const different = new Set(idsOf(bus.events)).size;
        return { kills, different, hasDoubles: bus.events.length > different };
      };
      const expected = { kills: 2, different: written.length, hasDoubles: true };
      await expect.poll(seen, { timeout: 60_000 }).toEqual(expected);
      await streams.stop();
      client.destroy();
      server.close();
      server.closeAllConnections();
      await publishing.close();
      await engine.close();

      const first = bus.events.filter(
        (event, index) => !idsOf(bus.events.slice(0, index)).includes(detailOf(event).event_id),
      );
      const revisionsOf = (id: string) =>
        first.filter((event) => detailOf(event).invoice_id === id).map((event) => detailOf(event).revision);
      expect(['9001', '9002', '9003'].map(revisionsOf)).toEqual([
        [1, 2, 3],
        [1, 2, 3],
        [1, 2, 3],
      ]);
    },
  );
});
