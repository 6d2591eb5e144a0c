import type { Validator } from '../contracts/contract.ts';
import { itemPath } from '../contracts/declare-batch.ts';
import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { validationError } from '../domain/errors.ts';
import type { ReadItem } from '../endpoints/declare-batch.ts';
import { findBrokenText } from './unicode-text.ts';
import { joinFaults, toDetails } from './validation-details.ts';

/** Creates the function that validates each item of a batch on its own, as declare validates its body. */
export function batchItemReader(validate: Validator<'declare-invoice', DeclareInvoiceInput>): ReadItem {
  return (item, index) => {
    const path = itemPath(index);
    const broken = findBrokenText(item, path);
    if (validate(item) && broken.length === 0) return toDeclarationRequest(item);
    return validationError(joinFaults([...broken, ...toDetails(validate.errors ?? [], path, path)]));
  };
}
