import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contracts, eventPublishing, declarePage, referencePage, signingKeyRotation } from '../../../infra/routes.ts';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { LEGACY_NAMES } from '../../../lib/legacy/protocol.ts';
import { openApi } from '../../support/answers/contract-faults.ts';
import { proves } from '../../rules/proves.ts';

const listNames = (endpoints: readonly { readonly name: string }[]) => endpoints.map(({ name }) => name).toSorted();
const listRoutes = (endpoints: readonly { readonly name: string; readonly method: string; readonly path: string }[]) =>
  endpoints.map(({ name, method, path }) => `${name}: ${method} ${path}`).toSorted();
const listFileNames = (folder: string) =>
  readdirSync(new URL(`../../../${folder}`, import.meta.url)).map((file) => file.replace(/\.ts$/, ''));

describe('endpoints', () => {
  it('the endpoints are the six of the interface, the history and the legacy route', () => {
    proves('versioning/current-path', 'versioning/legacy-path');
    expect(listRoutes(contracts)).toEqual([
      'declare-batch: POST /apidev/v1/supplier-portal/invoices/declare-batch',
      'declare-invoice: POST /apidev/v1/supplier-portal/invoices/declare',
      'get-history: GET /apidev/v1/supplier-portal/invoices/{id}/history',
      'get-invoice: GET /apidev/v1/supplier-portal/invoices/{id}',
      'legacy-dispatch: POST /apidev/legacy/{WSName}',
      'list-invoices: GET /apidev/v1/supplier-portal/invoices',
      'login: POST /apidev/v1/login',
      'validate-amount: POST /apidev/v1/supplier-portal/invoices/validate',
    ]);
  });

  it('each endpoint has a function; the others rotate the signing key, publish events and serve the docs', () => {
    const others = [eventPublishing, declarePage, referencePage, signingKeyRotation];
    expect(listFileNames('functions').toSorted()).toEqual(listNames([...contracts, ...others]));
  });

  it('the OpenAPI document has an operation for each endpoint and each legacy operation, and no other', () => {
    const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: name }]) => ({ name, method: method.toUpperCase(), path })),
    );
    const toLegacyOperations = (contract: Contract) =>
      Object.keys(LEGACY_NAMES).map((name) => ({ ...contract, name, path: contract.path.replace('{WSName}', name) }));
    const documentedRoutes = contracts.flatMap((contract: Contract) =>
      contract.name === 'legacy-dispatch' ? toLegacyOperations(contract) : [contract],
    );
    expect(listRoutes(operations)).toEqual(listRoutes(documentedRoutes));
  });
});
