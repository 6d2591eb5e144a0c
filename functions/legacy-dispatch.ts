import { createPasswordProofs } from '../lib/auth/password-proofs.ts';
import { verifyPassword } from '../lib/auth/passwords.ts';
import { credentialGuards } from '../lib/composition/credential-guards.ts';
import { declarationStore } from '../lib/composition/declaration-store.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { accessPorts } from '../lib/composition/supplier-ports.ts';
import { legacyEndpoint } from '../lib/legacy/legacy-endpoint.ts';
import { legacyOperations } from '../lib/legacy/operations.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createDirectoryTable } from '../lib/storage/directory-table.ts';
import { createInvoiceIndex } from '../lib/storage/invoice-index.ts';
import { createInvoiceTable } from '../lib/storage/invoice-table.ts';

const client = serviceClient();
const operations = legacyOperations({
  ...createInvoiceIndex(client, tableName('INVOICES')),
  ...createInvoiceTable(client, tableName('INVOICES')),
  ...declarationStore(client),
});

/** POST /apidev/legacy/{WSName} */
export const handler = legacyEndpoint(operations, {
  ...createDirectoryTable(client, tableName('DIRECTORY')),
  ...accessPorts(client),
  ...credentialGuards(client, 'LEGACY'),
  verifyWithProof: createPasswordProofs(verifyPassword, systemClock),
});
