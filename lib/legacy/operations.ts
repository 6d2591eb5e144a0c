import type { ValidateFunction } from 'ajv';
import type { Contract } from '../contracts/contract.ts';
import { declareBatchContract } from '../contracts/declare-batch.ts';
import { declareInvoiceContract } from '../contracts/declare-invoice.ts';
import { getInvoiceContract } from '../contracts/get-invoice.ts';
import { listInvoicesContract } from '../contracts/list-invoices.ts';
import { validateAmountContract } from '../contracts/validate-amount.ts';
import * as validators from '../contracts/validators.generated.js';
import type { AccessKind } from '../domain/directory.ts';
import { declareBatchOperation } from '../operations/declare-batch.ts';
import { declareInvoiceOperation } from '../operations/declare-invoice.ts';
import { getInvoiceOperation } from '../operations/get-invoice.ts';
import { listInvoicesOperation } from '../operations/list-invoices.ts';
import type { Operation } from '../operations/operation.ts';
import { validateAmountOperation } from '../operations/validate-amount.ts';
import type { DeclarationStore } from '../usecases/declare-batch.ts';
import type { InvoiceReader } from '../usecases/get-invoice.ts';
import type { InvoiceLists } from '../usecases/list-invoices.ts';

/** The current name of each legacy field; an array stands for a list whose items have these fields. */
export interface FieldNames {
  readonly [legacyName: string]: string | readonly [name: string, items: FieldNames];
}

/** An operation of the legacy protocol: an endpoint of the current interface under other names. */
export interface LegacyOperation {
  /** Permission, limit group and request schema, in the current names. */
  readonly contract: Contract & { readonly access: AccessKind };
  readonly validate: ValidateFunction;
  readonly run: Operation<never>;
  /** The fields of the request. */
  readonly request: FieldNames;
}

const DECLARATION: FieldNames = {
  IdFactura: 'invoice_id',
  Importe: 'amount',
  Observaciones: 'notes',
  NumeroFactura: 'invoice_number',
  FechaFactura: 'invoice_date',
  PorcentajeImpuesto: 'tax_pct',
};

/** Every operation of the legacy protocol, by its WSName. Names and fields are to be changed here, and nowhere else. */
export function legacyOperations(
  stores: InvoiceLists & InvoiceReader & DeclarationStore,
): Readonly<Record<string, LegacyOperation>> {
  return {
    WSListarFacturas: {
      contract: listInvoicesContract,
      validate: validators.listInvoices,
      run: listInvoicesOperation(stores),
      request: {
        FechaDesde: 'startdate',
        FechaHasta: 'enddate',
        Estado: 'status',
        Busqueda: 'search',
        Limite: 'limit',
        Desplazamiento: 'offset',
      },
    },
    WSObtenerFactura: {
      contract: getInvoiceContract,
      validate: validators.getInvoice,
      run: getInvoiceOperation(stores),
      request: { IdFactura: 'id' },
    },
    WSDeclararFactura: {
      contract: declareInvoiceContract,
      validate: validators.declareInvoice,
      run: declareInvoiceOperation(stores),
      request: DECLARATION,
    },
    WSDeclararFacturas: {
      contract: declareBatchContract,
      validate: validators.declareBatch,
      run: declareBatchOperation(stores),
      request: { Declaraciones: ['declarations', DECLARATION] },
    },
    WSValidarFactura: {
      contract: validateAmountContract,
      validate: validators.validateAmount,
      run: validateAmountOperation(stores),
      request: { IdFactura: 'invoice_id', Importe: 'amount' },
    },
  };
}

/** The legacy name of each field of an answer. */
export const ANSWER_NAMES: Readonly<Record<string, string>> = {
  rows: 'Facturas',
  total: 'Total',
  limit: 'Limite',
  offset: 'Desplazamiento',
  invoice_id: 'IdFactura',
  invoice_date: 'FechaFactura',
  service_id: 'IdServicio',
  service_number: 'NumeroServicio',
  service_call_date: 'FechaSolicitud',
  account_name: 'Cuenta',
  city: 'Ciudad',
  system_amount: 'ImporteSistema',
  declaration_id: 'IdDeclaracion',
  declared_amount: 'ImporteDeclarado',
  declared_notes: 'Observaciones',
  provider_invoice_number: 'NumeroFacturaProveedor',
  provider_invoice_date: 'FechaFacturaProveedor',
  state_id: 'IdEstado',
  state_code: 'CodigoEstado',
  state_name: 'NombreEstado',
  difference: 'Diferencia',
  difference_pct: 'DiferenciaPorcentual',
  difference_abs: 'DiferenciaAbsoluta',
  attachment_url: 'UrlAdjunto',
  attachment_filename: 'NombreAdjunto',
  concepts: 'Conceptos',
  concept_id: 'IdConcepto',
  description: 'Descripcion',
  unit_amount: 'ImporteUnitario',
  quantity: 'Cantidad',
  tax_pct: 'PorcentajeImpuesto',
  tolerance: 'Tolerancia',
  mode: 'Modo',
  tolerance_pct: 'ToleranciaPorcentual',
  tolerance_abs: 'ToleranciaAbsoluta',
  auto_approve: 'AprobacionAutomatica',
  source: 'Origen',
  within_tolerance: 'DentroDeTolerancia',
  action: 'Accion',
  config_source: 'OrigenTolerancia',
  results: 'Resultados',
  success: 'Exito',
  error: 'Error',
  code: 'Codigo',
  message: 'Mensaje',
  accepted: 'Aceptadas',
  rejected: 'Rechazadas',
};
