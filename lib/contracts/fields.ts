import { STATE_CODES } from '../domain/invoice-states.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../domain/tolerance.ts';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const numberOrNull = { type: ['number', 'null'] } as const;

/** An invoice id in a request. */
export const invoiceId = {
  type: 'string',
  pattern: '^[0-9]{1,20}$',
  description: 'Invoice identifier, digits only',
} as const;

/** A submitted amount. */
export const amount = {
  type: 'number',
  minimum: 0,
  maximum: 999_999_999_999.99,
  description: 'Amount, rounded half-up to 6 decimals',
} as const;

const invoiceRowProperties = {
  invoice_id: { type: 'string', pattern: '^[0-9]+$' },
  invoice_date: textOrNull,
  service_id: text,
  service_number: textOrNull,
  service_call_date: textOrNull,
  account_name: textOrNull,
  city: textOrNull,
  system_amount: number,
  declaration_id: textOrNull,
  declared_amount: numberOrNull,
  declared_notes: textOrNull,
  provider_invoice_number: textOrNull,
  provider_invoice_date: textOrNull,
  state_code: { type: 'string', enum: STATE_CODES },
  state_name: text,
  difference: numberOrNull,
  difference_pct: numberOrNull,
  attachment_url: textOrNull,
  attachment_filename: textOrNull,
} as const;

/** An object of which every property is present and no other. */
function exactly<const Properties extends Record<string, object>>(properties: Properties) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties) as (keyof Properties & string)[],
    properties,
  } as const;
}

const concept = exactly({
  concept_id: text,
  description: text,
  unit_amount: number,
  quantity: number,
  tax_pct: number,
  total: number,
});

const tolerance = exactly({
  mode: { type: ['string', 'null'], enum: [...TOLERANCE_MODES, null] },
  tolerance_pct: numberOrNull,
  tolerance_abs: numberOrNull,
  auto_approve: { type: 'boolean' },
  source: { type: 'string', enum: TOLERANCE_SOURCES },
});

const outcomeProperties = {
  within_tolerance: { type: 'boolean' },
  difference: number,
  difference_pct: number,
  difference_abs: number,
  action: { type: 'string', enum: ACTIONS },
  config_source: { type: 'string', enum: TOLERANCE_SOURCES },
} as const;

const declarationResultProperties = {
  declaration_id: text,
  declared_amount: number,
  state_id: { type: 'integer' },
  tolerance: exactly(outcomeProperties),
} as const;

/** `data` of the list. */
export const invoiceListData = exactly({
  rows: { type: 'array', items: exactly(invoiceRowProperties) },
  tolerance,
});

/** `data` of the detail. */
export const invoiceDetailData = exactly({
  ...invoiceRowProperties,
  concepts: { type: 'array', items: concept },
  tolerance,
});

/** `data` of declare. */
export const declarationData = exactly(declarationResultProperties);

/** `data` of validate. */
export const amountCheckData = exactly({
  invoice_id: text,
  system_amount: number,
  declared_amount: number,
  ...outcomeProperties,
});

/** `data` of the batch. */
export const batchData = exactly({
  results: {
    type: 'array',
    items: {
      oneOf: [
        exactly({ invoice_id: text, success: { const: true }, ...declarationResultProperties }),
        exactly({
          invoice_id: text,
          success: { const: false },
          error: exactly({ code: text, message: text }),
        }),
      ],
    },
  },
  accepted: { type: 'integer' },
  rejected: { type: 'integer' },
});
