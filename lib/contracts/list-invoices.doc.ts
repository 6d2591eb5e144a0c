import type { FromSchema } from 'json-schema-to-ts';
import { ServiceError } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import { rangeTooLong } from '../domain/texts.ts';
import type { ContractDoc, SuccessExample } from './contract.ts';
import { EXAMPLE_INVOICE, EXAMPLE_TOLERANCE } from './examples.doc.ts';
import { invoiceListData } from './response-data.ts';
import { listInvoicesContract, type ListInvoicesInput } from './list-invoices.ts';

export const listInvoicesDoc = {
  summary: {
    en: "List the supplier's invoices in a date range, newest first",
    es: 'Listar las facturas del prestador en un rango de fechas, de la más nueva a la más antigua',
  },
  description: {
    en:
      'Filters are applied before paging, and `meta.total` is the number of filtered records. The records are sorted by ' +
      'the date of the invoice (see _Times and amounts_) and then by id, newest first. The range cannot be longer than ' +
      `${LIMITS.rangeDays} days. An empty optional parameter has the same effect as one that is not sent.`,
    es: `Los filtros se aplican antes de paginar, y \`meta.total\` es la cantidad de registros filtrados. Los registros se ordenan por la fecha de la factura (vea _Fechas e importes_) y después por id, del más nuevo al más antiguo. El rango no puede superar los ${LIMITS.rangeDays} días. Un parámetro opcional vacío tiene el mismo efecto que uno que no se envía.`,
  },
  response: invoiceListData,
  isPaged: true,
  schemas: {
    InvoiceQuery: [
      listInvoicesContract.request,
      'The filter of a list. Dates are ISO 8601; a date without a zone is in UTC.',
    ],
    InvoiceList: [invoiceListData, 'The rows of a page, and the tolerance.'],
  },
  spanish: {
    'Start of the range, ISO 8601 (a date: its first instant, UTC)':
      'Inicio del rango, ISO 8601 (una fecha: su primer instante, UTC)',
    'End of the range, ISO 8601 (its last instant: of a day in UTC, a minute or a second)':
      'Fin del rango, ISO 8601 (su último instante: de un día UTC, un minuto o un segundo)',
    'Text in service number, account name, provider invoice number or invoice id':
      'Texto en el número de servicio, el nombre de la cuenta, el número de factura del prestador o el id de la factura',
    [listInvoicesContract.request.properties.changed_since.description]:
      `Solo facturas cuyo último cambio no es anterior a este momento, ISO 8601 (una fecha: su primer instante, UTC). Un cambio se ve hasta ${LIMITS.changeDelaySeconds} segundos después de su hora`,
  },
  examples: [
    {
      en: 'The first two invoices of a month',
      es: 'Las dos primeras facturas de un mes',
      input: { startdate: '2026-08-01', enddate: '2026-08-31', limit: 2 },
      data: {
        rows: [
          {
            ...EXAMPLE_INVOICE,
            invoice_id: '9031',
            invoice_date: '2026-08-31T00:00:00-03:00',
            service_id: '59031',
            service_number: 'OS-2026-09031',
            service_call_date: '2026-08-31T00:00:00-03:00',
            account_name: 'Flota Andina',
            city: 'Mendoza',
            system_amount: 705.5,
            state_code: 'ENV',
            state_name: 'Enviada',
          },
          EXAMPLE_INVOICE,
        ],
        tolerance: EXAMPLE_TOLERANCE,
      },
      meta: { total: 20, limit: 2, offset: 0 },
    },
    {
      en: 'The latest pending invoice of an account',
      es: 'La última factura pendiente de una cuenta',
      input: { startdate: '2026-08-01', enddate: '2026-08-31', status: 'PEN', search: 'La Pampa', limit: 1 },
      data: { rows: [EXAMPLE_INVOICE], tolerance: EXAMPLE_TOLERANCE },
      meta: { total: 3, limit: 1, offset: 0 },
    },
  ] satisfies SuccessExample<ListInvoicesInput, FromSchema<typeof invoiceListData>>[],
  rejections: [
    {
      en: `A limit above ${LIMITS.pageMax} and an unknown state`,
      es: `Un límite mayor que ${LIMITS.pageMax} y un estado desconocido`,
      input: { startdate: '2026-08-01', enddate: '2026-08-31', limit: LIMITS.pageMax + 1, status: 'ALL' },
    },
    {
      en: `A range of more than ${LIMITS.rangeDays} days`,
      es: `Un rango de más de ${LIMITS.rangeDays} días`,
      input: { startdate: '2026-01-01', enddate: '2026-08-31' },
      error: new ServiceError('INVALID_DATE_RANGE', rangeTooLong(LIMITS.rangeDays)),
    },
  ],
} as const satisfies ContractDoc;
