import type { Validator } from '../contracts/contract.ts';
import { buildItemPath } from '../contracts/declare-batch.ts';
import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { createValidationError } from '../domain/errors.ts';
import type { ReadItem } from '../endpoints/declare-batch.ts';
import { findBrokenText } from './request-text.ts';
import { joinFaults, toPropertyFaults } from './validation-details.ts';

/** Creates the function that validates one item of a batch, by the rules for the body of a single declaration. */
export function createBatchItemReader(validate: Validator<'declare-invoice', DeclareInvoiceInput>): ReadItem {
  return (item, index) => {
    const path = buildItemPath(index);
    const unicodeFaults = findBrokenText(item, path);
    if (validate(item) && unicodeFaults.length === 0) return toDeclarationRequest(item);
    const schemaFaults = toPropertyFaults(validate.errors ?? [], path, path);
    return createValidationError(joinFaults([...unicodeFaults, ...schemaFaults]));
  };
}
