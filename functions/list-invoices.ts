import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { listInvoicesContract, type ListInvoicesInput } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { toInvoiceRow, toTolerance } from '../lib/contracts/wire.ts';
import { parseDateRange } from '../lib/domain/date-range.ts';
import { supplierEndpoint } from '../lib/http/supplier-endpoint.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createDocumentClient } from '../lib/storage/document-client.ts';
import { createInvoiceIndex } from '../lib/storage/invoice-index.ts';
import { listInvoices } from '../lib/usecases/list-invoices.ts';

const client = createDocumentClient();
const index = createInvoiceIndex(client, tableName('INVOICES'));

/** GET /apidev/v1/supplier-portal/invoices */
export const handler = supplierEndpoint<ListInvoicesInput>(
  listInvoicesContract,
  validate,
  supplierPorts(client),
  async ({ caller, input }) => {
    const { startdate, enddate, status = null, search = '', limit = 25, offset = 0 } = input;
    const range = parseDateRange(startdate, enddate);
    const page = await listInvoices(index, caller.scope, { range, state: status, search, limit, offset });
    return {
      data: { rows: page.rows.map(toInvoiceRow), tolerance: toTolerance(caller.tolerance) },
      meta: { total: page.total, limit, offset },
    };
  },
);
