import { verifyPassword } from '../lib/access/passwords.ts';
import { createSlidingWindow } from '../lib/access/sliding-window.ts';
import { createCredentialGuards } from '../lib/composition/credential-guards.ts';
import { checkAccess } from '../lib/http/check-access.ts';
import { handleLoginRejections } from '../lib/http/guard-login.ts';
import { createChain } from '../lib/http/responses.ts';
import { parseAnyBody, requireWsAutorizacion, verifyLegacyCredentials } from '../lib/legacy/credentials.ts';
import { createLegacyOperations, requireOperation } from '../lib/legacy/operations.ts';
import { RESULTADO_FORMAT } from '../lib/legacy/resultado.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createDirectoryTable } from '../lib/tables/directory-table.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createHistoryTable } from '../lib/tables/history-table.ts';
import { createInvoiceLists } from '../lib/tables/invoice-lists.ts';
import { createInvoiceTable } from '../lib/tables/invoice-table.ts';
import { createDeclarationStore } from '../lib/tables/invoice-transaction.ts';
import { createRateCounterTable } from '../lib/tables/rate-counter-table.ts';

const client = createTableClient();
const tables = { invoices: getTableName('INVOICES'), declarations: getTableName('DECLARATIONS') };
const guards = createCredentialGuards(client, 'LEGACY');
const operations = createLegacyOperations({
  lists: createInvoiceLists(client, tables.invoices),
  invoices: createInvoiceTable(client, tables.invoices),
  histories: createHistoryTable(client, tables.declarations),
  declarations: createDeclarationStore(client, tables),
});
const credentialPorts = {
  guards,
  directory: createDirectoryTable(client, getTableName('DIRECTORY')),
  limiter: createSlidingWindow(createRateCounterTable(client, getTableName('RATE_COUNTERS'))),
  verifyPassword,
};

/**
 * POST /apidev/legacy/{WSName}: runs a legacy operation. `handleLoginRejections` is first, so that it receives the
 * errors of all later steps. For example, it adds Retry-After during a lockout. The operation is found before the body
 * is parsed, because the operation determines the rate headers of an error. The operation validates its input after the
 * access check, so that a caller without access learns nothing from an error.
 */
export const handler = createChain('legacy-dispatch', { format: RESULTADO_FORMAT })
  .use(handleLoginRejections(guards, 'legacy'))
  .use(requireOperation(operations))
  .use(parseAnyBody())
  .use(requireWsAutorizacion(guards))
  .use(verifyLegacyCredentials(credentialPorts))
  .use(checkAccess())
  .handler((request) => request.operation.run(request));
