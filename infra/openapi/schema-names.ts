import { declarationRequest } from '../../lib/contracts/declare-invoice.ts';
import { declareBatchContract } from '../../lib/contracts/declare-batch.ts';
import { emptyMeta, ERROR_ENVELOPES, pageMeta } from '../../lib/contracts/envelopes.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { loginContract } from '../../lib/contracts/login.ts';
import { validateAmountContract } from '../../lib/contracts/validate-amount.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';

/**
 * The names that the schemas of the contracts have in the document; those of the client are the same where it has one.
 */
export const SCHEMA_NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [loginContract.request, 'LoginRequest'],
  [loginContract.response, 'AccessToken'],
  [declarationRequest, 'Declaration'],
  [declareBatchContract.request, 'DeclareBatchRequest'],
  [validateAmountContract.request, 'AmountToCheck'],
  [fields.invoiceRow, 'InvoiceRow'],
  [fields.concept, 'Concept'],
  [fields.tolerance, 'Tolerance'],
  [fields.toleranceOutcome, 'ToleranceOutcome'],
  [fields.invoiceListData, 'InvoiceList'],
  [fields.invoiceDetailData, 'InvoiceDetail'],
  [fields.declarationData, 'DeclarationResult'],
  [fields.amountCheckData, 'AmountCheck'],
  [fields.declaredItem, 'DeclaredItem'],
  [fields.failedItem, 'FailedItem'],
  [fields.failedItem.properties.error, 'ItemError'],
  [fields.batchData, 'BatchResult'],
  [pageMeta, 'PageMeta'],
  [emptyMeta, 'EmptyMeta'],
  [fields.propertyFault, 'PropertyFault'],
  [legacyDispatchContract.request.properties.WSAutorizacion, 'LegacyCredentials'],
  ...Object.entries(ERROR_ENVELOPES).flatMap(([code, envelope]) => [
    [envelope, `${errorName(code)}Answer`] as const,
    [(envelope['properties'] as { error: unknown }).error, errorName(code)] as const,
  ]),
]);

/**
 * The lists of values that occur in several places; `valueNames` says what a program should call each value, where the
 * values themselves say nothing.
 */
export const NAMED_ENUMS: readonly { name: string; values: readonly unknown[]; valueNames?: readonly string[] }[] = [
  { name: 'StateCode', values: STATE_CODES },
  { name: 'StateId', values: Object.values(INVOICE_STATES).map(({ id }) => id), valueNames: STATE_CODES },
  { name: 'ToleranceMode', values: TOLERANCE_MODES },
  { name: 'ToleranceSource', values: TOLERANCE_SOURCES },
  { name: 'ToleranceAction', values: ACTIONS },
  { name: 'ItemErrorCode', values: fields.failedItem.properties.error.properties.code.enum },
];

/** `VALIDATION_ERROR` is ValidationError, `NOT_FOUND` is NotFoundError. */
export function errorName(code: string): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return [...words, 'ERROR'].map((word) => word.slice(0, 1) + word.slice(1).toLowerCase()).join('');
}

/** `declare-invoice` is DeclareInvoice. */
export function operationName(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
