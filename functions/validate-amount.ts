import { serviceClient } from '../lib/composition/service-client.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { validateAmountContract } from '../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../lib/contracts/validators.generated.js';
import { validateAmount } from '../lib/endpoints/validate-amount.ts';
import { supplierPipeline } from '../lib/http/supplier-pipeline.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createInvoiceTable } from '../lib/storage/invoices/invoice-table.ts';

const client = serviceClient();
const endpoint = validateAmount(createInvoiceTable(client, tableName('INVOICES')));

/** POST /apidev/v1/supplier-portal/invoices/validate */
export const handler = supplierPipeline(validateAmountContract, validate, supplierPorts(client)).handler(endpoint);
