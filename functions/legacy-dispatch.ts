import { createPasswordProofs } from '../lib/auth/password-proofs.ts';
import { verifyPassword } from '../lib/auth/passwords.ts';
import { credentialGuards } from '../lib/composition/credential-guards.ts';
import { declarationStore } from '../lib/composition/declaration-store.ts';
import { directory } from '../lib/composition/directory.ts';
import { invoiceLists } from '../lib/composition/invoice-lists.ts';
import { requestLimiter } from '../lib/composition/request-limiter.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { legacyPipeline } from '../lib/legacy/legacy-pipeline.ts';
import { legacyOperations } from '../lib/legacy/operations.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createInvoiceTable } from '../lib/storage/invoices/invoice-table.ts';

const client = serviceClient();
const operations = legacyOperations({
  lists: invoiceLists(client),
  invoices: createInvoiceTable(client, tableName('INVOICES')),
  declarations: declarationStore(client),
});
const ports = {
  guards: credentialGuards(client, 'LEGACY'),
  directory: directory(client),
  limiter: requestLimiter(client),
  verifyWithProof: createPasswordProofs(verifyPassword, systemClock),
  clock: systemClock,
};

/** POST /apidev/legacy/{WSName} */
export const handler = legacyPipeline(operations, ports).handler((request) => request.operation.run(request));
