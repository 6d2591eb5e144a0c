import type { FromSchema } from 'json-schema-to-ts';
import { expect, expectTypeOf, it } from 'vitest';
import type * as client from '../../../lib/client/index.ts';
import { DECLARATION_LIMITS } from '../../../lib/client/index.ts';
import { readBlock } from '../../support/guides/readme.ts';
import { declareBatchContract } from '../../../lib/contracts/declare-batch.ts';
import { type DeclareInvoiceInput, declarationRequest } from '../../../lib/contracts/declare-invoice.ts';
import { FORMAT_PATTERNS, type pageMeta } from '../../../lib/contracts/fields.doc.ts';
import type * as data from '../../../lib/contracts/response-data.ts';
import type { ListInvoicesInput } from '../../../lib/contracts/list-invoices.ts';
import type { ValidateAmountInput } from '../../../lib/contracts/validate-amount.ts';
import type { ErrorCode } from '../../../lib/domain/errors.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Action } from '../../../lib/domain/tolerance.ts';

// The service ignores unknown properties, and the types of the client have none. Undefined is not sent.
type Sendable<Input> = {
  [Name in keyof Input as string extends Name ? never : Name]:
    Input[Name] | (Partial<Pick<Input, Name>> extends Pick<Input, Name> ? undefined : never);
};

it('the client has the request types of the contracts', () => {
  expectTypeOf<client.InvoiceQuery>().toEqualTypeOf<Sendable<ListInvoicesInput>>();
  expectTypeOf<client.Declaration>().toEqualTypeOf<Sendable<DeclareInvoiceInput>>();
  expectTypeOf<client.AmountToCheck>().toEqualTypeOf<Sendable<ValidateAmountInput>>();
});

it('the client has the result types of the contracts', () => {
  type Page = FromSchema<typeof data.invoiceListData> & FromSchema<typeof pageMeta>;
  expectTypeOf<client.InvoicePage>().toEqualTypeOf<{ [Name in keyof Page]: Page[Name] }>();
  expectTypeOf<client.InvoiceDetail>().toEqualTypeOf<FromSchema<typeof data.invoiceDetailData>>();
  expectTypeOf<client.AmountCheck>().toEqualTypeOf<FromSchema<typeof data.amountCheckData>>();
  expectTypeOf<client.DeclarationResult>().toEqualTypeOf<FromSchema<typeof data.declarationData>>();
  expectTypeOf<client.BatchResult>().toEqualTypeOf<FromSchema<typeof data.batchData>>();
  expectTypeOf<client.PropertyFault>().toEqualTypeOf<FromSchema<typeof data.propertyFault>>();
  expectTypeOf<client.ErrorCode>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<client.StateCode>().toEqualTypeOf<StateCode>();
  expectTypeOf<client.ToleranceAction>().toEqualTypeOf<Action>();
});

it('DECLARATION_LIMITS has the limits of the contracts, and no property without a limit', () => {
  const { declarations, invoice_date: date, ...others } = DECLARATION_LIMITS;
  expect(declarationRequest.properties).toMatchObject(others);
  expect(date.pattern).toBe(FORMAT_PATTERNS[declarationRequest.properties.invoice_date.format]);
  expect(declareBatchContract.request.properties).toMatchObject({ declarations });
  expect(Object.values(DECLARATION_LIMITS)).not.toContainEqual({});
});

it('the guide of the client shows the limits that DECLARATION_LIMITS has', () => {
  const { amount, notes } = DECLARATION_LIMITS;
  expect(readBlock('lib/client/README.md', 'Methods', 'ts')).toBe(
    `DECLARATION_LIMITS.amount; // { minimum: ${amount.minimum}, maximum: ${amount.maximum} }\n` +
      `DECLARATION_LIMITS.notes.maxLength; // ${notes.maxLength}\n`,
  );
});
