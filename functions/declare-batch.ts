import { declarationStore } from '../lib/composition/declaration-store.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { declareBatchContract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate } from '../lib/contracts/validators.generated.js';
import { declareBatch } from '../lib/endpoints/declare-batch.ts';
import { supplierPipeline } from '../lib/http/supplier-pipeline.ts';

const client = serviceClient();
const endpoint = declareBatch(declarationStore(client));

/** POST /apidev/v1/supplier-portal/invoices/declare-batch */
export const handler = supplierPipeline(declareBatchContract, validate, supplierPorts(client)).handler(endpoint);
