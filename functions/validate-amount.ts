import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { validateAmountContract, type ValidateAmountInput } from '../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../lib/contracts/validators.generated.js';
import { toAmountCheck } from '../lib/contracts/wire.ts';
import { supplierEndpoint } from '../lib/http/supplier-endpoint.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createDocumentClient } from '../lib/storage/document-client.ts';
import { createInvoiceTable } from '../lib/storage/invoice-table.ts';
import { validateAmount } from '../lib/usecases/validate-amount.ts';

const client = createDocumentClient();
const invoices = createInvoiceTable(client, tableName('INVOICES'));

/** POST /apidev/v1/supplier-portal/invoices/validate */
export const handler = supplierEndpoint<ValidateAmountInput>(
  validateAmountContract,
  validate,
  supplierPorts(client),
  async ({ caller, input }) => {
    const request = { invoiceId: input.invoice_id, amount: input.amount };
    const { invoice, amount, outcome } = await validateAmount(invoices, caller.scope, caller.tolerance, request);
    return { data: toAmountCheck(invoice, amount, outcome) };
  },
);
