/** Does an operator's work for a supplier, as one command does it, and tells what it took. */
import { engineDocumentClient } from '../../../../infra/local/engine-client.ts';
import { readStack } from '../../../../infra/local/read-stack.ts';
import { verifySupplier } from '../../../../infra/ops/invoices/verify-counters.ts';
import { createAdminPorts } from '../../../../infra/ops/tables/admin-ports.ts';
import { importSupplier } from '../data/import-supplier.ts';

const [work, endpoint = '', tenant = '', supplierId = '', count] = process.argv.slice(2);
const database = { client: engineDocumentClient(endpoint), tables: readStack().tableNames };
const KIB_PER_MB = 1_000;

const startMs = performance.now();
if (work === 'import') await importSupplier(database, { tenant, supplierId }, Number(count));
else {
  const invoices = await verifySupplier(createAdminPorts(database).lists, { tenant, supplierId }, false, (_, text) => {
    throw new Error(`It is not right: ${text}`);
  });
  if (invoices !== Number(count)) throw new Error(`${invoices} of ${count} invoices were counted.`);
}
process.send?.({ ms: performance.now() - startMs, mb: process.resourceUsage().maxRSS / KIB_PER_MB });
process.disconnect();
