import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableName } from '../../infra/routes.ts';
import type { SupplierScope } from '../../lib/domain/invoice.ts';
import { contractFaults, type HttpAnswer } from '../support/answers/contract-faults.ts';
import type { LateKind } from '../support/engine/engine-faults.ts';
import { type ImpatientService, startImpatientService } from '../support/service/impatient-service.ts';
import { seedAccount } from '../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../support/data/seed-invoices.ts';
import { storedInvoices, storedRevisions } from '../support/data/stored-invoices.ts';
import { declare, outcomesIn, type Surface } from './declarations.ts';

const TIMEOUT_SECONDS = 5;
const ROUNDS = 20;
const MOST_TIMES = 5;
const INVOICES = { declare: 1, 'declare-batch': 3 } as const;

/** What keeps the first declaration of a round from ending until it has been answered, and the second one too. */
interface Obstacle {
  readonly what: string;
  /** What the first one may be told. */
  readonly messages: readonly string[];
  /** Begins with the calls that have one of these in their input. */
  begin(mine: { tenant: string; notes: string }): Record<'answered' | 'overtaken', () => void>;
}

/** Two declarations of the same invoices, the second one sent when the first had been answered. */
interface Round {
  readonly obstacle: Obstacle;
  readonly scope: SupplierScope;
  readonly invoiceIds: readonly string[];
  readonly first: HttpAnswer;
  readonly second: HttpAnswer;
}

let service: ImpatientService;
beforeAll(async () => {
  service = await startImpatientService(TIMEOUT_SECONDS);
});
afterAll(() => service.close());

function held(how: LateKind, operation: string, table: TableName, message: string): Obstacle {
  return {
    what: `${operation} of ${table}: ${how}`,
    messages: [message],
    begin({ tenant }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answered = service.proxy.fail({ how, operation, table, mentioning: tenant, wait: () => promise });
      return { answered, overtaken: resolve };
    },
  };
}

const notRead = 'An unexpected error occurred.';
const notKnown = 'The outcome is not known; declare again: it does no harm.';
const obstacles: readonly Obstacle[] = [
  held('answer-late', 'BatchGetItem', 'Directory', 'The user could not be verified at this moment.'),
  held('deliver-late', 'BatchGetItem', 'Invoices', notRead),
  held('answer-late', 'BatchGetItem', 'Invoices', notRead),
  held('deliver-late', 'TransactWriteItems', 'Invoices', notKnown),
  held('answer-late', 'TransactWriteItems', 'Invoices', notKnown),
  {
    what: 'TransactWriteItems: conflict',
    // It depends on whether the last attempt is answered before the time is over.
    messages: ['The declaration could not be written.', notKnown],
    begin({ notes }) {
      const overtaken = service.proxy.fail({ how: 'conflict', mentioning: notes });
      return { answered: () => {}, overtaken };
    },
  },
];

async function play(surface: Surface, obstacle: Obstacle): Promise<Round> {
  const account = await seedAccount(service.engine);
  const { scope } = account;
  const seeded = Array.from({ length: INVOICES[surface] }, () => anInvoice());
  const invoiceIds = (await seedInvoices(service.engine, scope, seeded)).map(({ invoiceId }) => invoiceId);
  const post = await service.postOf(account);
  const send = (amount: number, notes: string) =>
    declare(
      post,
      surface,
      invoiceIds.map((id) => ({ invoice_id: id, amount, notes })),
    );

  const notes = `first of ${scope.tenant}`;
  const { answered, overtaken } = obstacle.begin({ tenant: scope.tenant, notes });
  const first = await send(1111, notes);
  answered();
  let second = await send(2222, `second of ${scope.tenant}`);
  // On a busy machine its time may be over too.
  for (let times = 1; second.status !== 200 && times < MOST_TIMES; times++) {
    second = await send(2222, `second of ${scope.tenant}`);
  }
  overtaken();
  return { obstacle, scope, invoiceIds, first, second };
}

describe.each(['declare', 'declare-batch'] as const)(
  'a %s that is answered before its calls are',
  { tags: 'long' },
  (surface) => {
    let rounds: readonly Round[];
    beforeAll(async () => {
      const played = Array.from({ length: ROUNDS }, (_, round) => obstacles[round % obstacles.length] as Obstacle);
      rounds = await Promise.all(played.map((obstacle) => play(surface, obstacle)));
      await service.proxy.untilIdle();
    });

    it('writes nothing over a later one that succeeded, in 20 rounds', async () => {
      expect(rounds.map(({ second }) => second.status)).toEqual(Array(ROUNDS).fill(200));
      const shown = rounds.map(async ({ obstacle, scope, invoiceIds }) => {
        const invoices = await storedInvoices(service.engine, scope);
        const histories = await Promise.all(invoiceIds.map((id) => storedRevisions(service.engine, scope, id)));
        return invoiceIds.map((id, index) => {
          const last = histories[index]?.at(-1)?.['declared_amount'];
          return `${obstacle.what}: the invoice shows ${String(invoices.get(id)?.['declared_amount'])}, its history ${String(last)}`;
        });
      });
      const wanted = rounds.flatMap(({ obstacle, invoiceIds }) =>
        invoiceIds.map(() => `${obstacle.what}: the invoice shows 2222, its history 2222`),
      );
      expect((await Promise.all(shown)).flat()).toEqual(wanted);
    });

    it('is answered by its function before the time is over, as the interface says, with what is known', () => {
      expect(service.failures()).toEqual([]);
      expect(rounds.flatMap(({ first }) => contractFaults(first))).toEqual([]);
      const toldElse = rounds.flatMap(({ obstacle, first, invoiceIds }) =>
        outcomesIn(first, invoiceIds.length)
          .filter(({ message = '' }) => !obstacle.messages.includes(message))
          .map((told) => [obstacle.what, told]),
      );
      expect(toldElse).toEqual([]);
    });

    it('has one line in the log, with the id that its answer carries', () => {
      const logged = rounds.map(({ first }) => service.linesOf(first.headers['x-request-id'] ?? ''));
      const requests = logged.map((lines) => lines.filter(({ message }) => message === 'request'));
      expect(requests.map((lines) => lines.map(({ status }) => status))).toEqual(
        rounds.map(({ first }) => [first.status]),
      );
    });
  },
);
