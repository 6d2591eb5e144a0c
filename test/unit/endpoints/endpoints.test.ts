import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contracts, eventPublishing, publishedDocs, signingKeyRotation } from '../../../infra/routes.ts';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { LEGACY_NAMES } from '../../../lib/legacy/protocol.ts';
import { openApi } from '../../support/answers/contract-faults.ts';

const namesOf = (endpoints: readonly { readonly name: string }[]) => endpoints.map(({ name }) => name).toSorted();
const mountsOf = (endpoints: readonly { readonly name: string; readonly method: string; readonly path: string }[]) =>
  endpoints.map(({ name, method, path }) => `${name}: ${method} ${path}`).toSorted();
const stemsIn = (folder: string) =>
  readdirSync(new URL(`../../../${folder}`, import.meta.url)).map((file) => file.replace(/\.ts$/, ''));

describe('endpoints', () => {
  it('are the six of the current interface and the legacy route [versioning/current-path] [versioning/legacy-path]', () => {
    expect(mountsOf(contracts)).toEqual([
      'declare-batch: POST /apidev/v1/supplier-portal/invoices/declare-batch',
      'declare-invoice: POST /apidev/v1/supplier-portal/invoices/declare',
      'get-invoice: GET /apidev/v1/supplier-portal/invoices/{id}',
      'legacy-dispatch: POST /apidev/legacy/{WSName}',
      'list-invoices: GET /apidev/v1/supplier-portal/invoices',
      'login: POST /apidev/v1/login',
      'validate-amount: POST /apidev/v1/supplier-portal/invoices/validate',
    ]);
  });

  it('have a function each; the others rotate the signing key, publish events and serve the published page', () => {
    const others = [eventPublishing, publishedDocs, signingKeyRotation];
    expect(stemsIn('functions').toSorted()).toEqual(namesOf([...contracts, ...others]));
  });

  it('have an operation each in the OpenAPI document, the legacy route one for each of its own, and there is no other operation', () => {
    const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: name }]) => ({ name, method: method.toUpperCase(), path })),
    );
    const ofLegacy = (contract: Contract) =>
      Object.keys(LEGACY_NAMES).map((name) => ({ ...contract, name, path: contract.path.replace('{WSName}', name) }));
    const documented = contracts.flatMap((contract: Contract) =>
      contract.name === 'legacy-dispatch' ? ofLegacy(contract) : [contract],
    );
    expect(mountsOf(operations)).toEqual(mountsOf(documented));
  });
});
