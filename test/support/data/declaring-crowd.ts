import { setTimeout } from 'node:timers/promises';
import { createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import type { EngineProxy } from '../engine/engine-proxy.ts';
import { createTestDeclarationStore } from './declare-one.ts';
import { newId } from './seed.ts';
import { buildInvoice, seedInvoices } from './seed-invoices.ts';

// The delay of a call is 5 ms ± 50 %.
const DELAY_MS = { min: 2.5, max: 7.5 };

/** The counts of the declarations that a crowd has made. */
export interface CrowdCounts {
  readonly declarations: number;
  /** The transactions that other processes cancelled. */
  readonly cancelled: number;
  /** The causes of the declarations that were rejected. */
  readonly errors: readonly string[];
}

/**
 * Creates processes that declare at the same time, each one amounts of its own invoice, in the log of one tenant. The
 * proxy delays all calls from now on.
 */
export async function createDeclaringCrowd(proxy: EngineProxy, tenant: string, processCount: number) {
  const scope = { tenant, supplierId: newId() };
  const invoices = Array.from({ length: processCount }, () => buildInvoice());
  await seedInvoices(proxy.engine, scope, invoices);
  const processes = invoices.map(({ invoiceId }) => {
    const client = createEngineDocumentClient(proxy.engine.endpoint);
    return { invoiceId, store: createTestDeclarationStore({ ...proxy.engine, client }) };
  });
  proxy.reset();
  const wait = () => setTimeout(DELAY_MS.min + Math.random() * (DELAY_MS.max - DELAY_MS.min));
  proxy.injectFault({ how: 'delay-request', wait });
  let amount = 0;

  async function declare({ invoiceId, store }: (typeof processes)[number]): Promise<string[]> {
    const context = { tolerance: selectTolerance(null, null), userId: '1', requestId: newId(), now: new Date() };
    const results = await declareAmounts(store, scope, [{ invoiceId, amount: (amount += 1) }], {
      ...context,
      newDeclarationId: newId,
    });
    return results.flatMap((result) => (result.kind === 'rejected' ? [String(result.error.cause)] : []));
  }

  return {
    scope,
    invoiceIds: invoices.map(({ invoiceId }) => invoiceId),
    /** Makes this number of declarations in each process, one after the other. */
    async declareInEach(times: number): Promise<CrowdCounts> {
      const errors: string[] = [];
      const countTransactions = () => proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems').length;
      const before = countTransactions();
      const runProcess = async (process: (typeof processes)[number]) => {
        for (let time = 0; time < times; time++) errors.push(...(await declare(process)));
      };
      await Promise.all(processes.map(runProcess));
      const declarations = processCount * times;
      return { declarations, errors, cancelled: countTransactions() - before - (declarations - errors.length) };
    },
  };
}
