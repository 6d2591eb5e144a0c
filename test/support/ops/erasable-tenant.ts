import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { declareInNewStore } from '../data/declare-one.ts';
import { newId } from '../data/seed.ts';
import { buildInvoice, seedInvoices } from '../data/seed-invoices.ts';
import type { WatchedPortal } from '../service/portal.ts';
import { apiKey, applyFile, company, supplier, user } from './apply-lists.ts';
import { runOps, SINCE_YESTERDAY } from './run-ops.ts';

/** A tenant that can be erased, and functions that use it. */
export type ErasableTenant = Awaited<ReturnType<typeof createErasableTenant>>;

/**
 * Creates a tenant with a suspended company. Its supplier 5001 has the invoices 7 (declared twice), 70 (withdrawn after
 * a declaration) and 700 (settled), and the inactive user 100. Its supplier 6001 has the same invoices (7 is declared),
 * and the active user 200.
 */
export async function createErasableTenant({ engine, proxy }: WatchedPortal) {
  const tenant = `t${newId()}.example`;
  const erased: SupplierScope = { tenant, supplierId: '5001' };
  const other: SupplierScope = { tenant, supplierId: '6001' };

  const run = (command: string, ...args: readonly string[]) => runOps(proxy.engine.endpoint, command, tenant, ...args);
  const declare = (scope: SupplierScope, invoiceId: string, amount: number) =>
    declareInNewStore(engine, scope, { invoiceId, amount }, { requestId: `request-${scope.supplierId}` });

  await applyFile(engine, tenant, {
    companies: [company],
    suppliers: ['5001', '6001'].map((supplier_id) => ({ ...supplier, supplier_id })),
    users: [
      { ...user, supplier_id: '5001', active: false },
      { ...user, user_id: '200', email: 'eva@y.example', username: null, supplier_id: '6001' },
    ],
    api_keys: [apiKey],
  });
  const invoices = ['7', '70', '700'].map((invoiceId) => buildInvoice({ invoiceId }));
  for (const scope of [erased, other]) await seedInvoices(engine, scope, invoices);
  await declare(erased, '7', 900);
  await declare(erased, '7', 901);
  await declare(erased, '70', 902);
  await declare(other, '7', 800);
  await run('withdraw-invoice', '70', '--supplier', '5001', '--revision', '1', '--reason', 'Twice');
  await run('set-state', '700', 'LIQ', '--supplier', '5001', '--reason', 'Paid');
  await run('suspend-company', company.company_id);

  return {
    tenant,
    erased,
    other,
    run,
    declare,
    /** Creates an invoice of the supplier 5001. */
    create: (invoiceId: string) => seedInvoices(engine, erased, [buildInvoice({ invoiceId })]),
    /** Reads the items of all tables whose keys contain this text, except the operator record. */
    readItems: async (text: string): Promise<Key<unknown>[]> => {
      const { client, tables } = engine;
      const scans = (['Directory', 'Invoices', 'Declarations'] as const).map((name) =>
        collectPages(scanPages<Key<unknown>>(client, { TableName: tables[name] })),
      );
      const items = (await Promise.all(scans)).flat().filter(({ pk }) => !pk.startsWith('OPERATOR#'));
      return items.filter(({ pk, sk }) => `${pk}#${String(sk)}`.includes(text));
    },
    /** Exports the declarations of all suppliers, and returns their amounts. */
    exportAmounts: async (...args: readonly string[]): Promise<number[]> => {
      const { stdout } = await run('export-declarations', '--json', ...SINCE_YESTERDAY, ...args);
      const { declarations } = JSON.parse(stdout) as { declarations: { declared_amount: number }[] };
      return declarations.map(({ declared_amount: amount }) => amount).toSorted((one, two) => one - two);
    },
  };
}
