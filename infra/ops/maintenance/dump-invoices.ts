import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { IMPORTED_FIELDS } from '../../../lib/domain/invoice-fields.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import { toDecimal } from '../../../lib/tables/dynamodb/values.ts';
import { type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { defineCommand, runCommand } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { IMPORT_FIELDS } from '../import/record-schema.ts';
import { OperatorError } from '../operator-errors.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import { DECISION_COLUMNS, INVOICE_LIST, toReviewedInvoices } from '../review/reviewed-invoices.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

export const dumpInvoicesCommand = defineCommand('dump-invoices', {
  summary:
    'Print the invoices in a restored copy of the table Invoices as NDJSON. import-invoices then changes the invoices ' +
    'back, and keeps the declarations of suppliers.',
  example: 'dump-invoices demo.example --from-table Invoices-restored --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .requiredOption('--from-table <table>', 'name of the restored table')
  .option('--supplier <supplier>', 'only this supplier')
  .option('--against', 'list instead the invoices that only the service has, as a sheet with WITHDRAW for decide')
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .action((tenant, { fromTable, supplier, against = false, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const format = findSheetFormat(options);
      if (!against && (format || options.json)) {
        throw new OperatorError('The file for import-invoices is NDJSON. Omit --json and --csv, or pass --against.');
      }
      await requireInvoices(ports, tenant, fromTable);
      const suppliers = await findSuppliers(ports, tenant, supplier);
      const scopes = suppliers.map(({ supplierId }) => ({ tenant, supplierId }));
      if (against) {
        const end = () => ({ from_table: fromTable });
        await printList(output, readAddedInvoices(ports, scopes, fromTable), ADDED_LIST, { tenant, format, end });
        return;
      }
      for (const scope of scopes) {
        for await (const items of ports.invoiceItems(scope, fromTable)) {
          output.write(items.map((item) => `${toRecord(scope, item)}\n`).join(''));
          if (!(await output.canContinue())) break;
        }
      }
    }),
  );

/** The invoices that the restored table does not contain. The decision is filled in. */
const ADDED_LIST: typeof INVOICE_LIST = {
  ...INVOICE_LIST,
  columns: { ...INVOICE_LIST.columns, decision: { ...DECISION_COLUMNS.decision, toCell: () => 'WITHDRAW' } },
};

/** Throws an OperatorError unless a table has an invoice of the tenant. A wrong table would make every invoice new. */
async function requireInvoices(ports: AdminPorts, tenant: string, table: string): Promise<void> {
  for (const { supplierId } of await findSuppliers(ports, tenant)) {
    for await (const [item] of ports.invoiceItems({ tenant, supplierId }, table)) if (item?.sort_date) return;
  }
  throw new OperatorError(`--from-table: ${table} has no invoice of ${tenant}. Pass a copy of the table Invoices.`);
}

/** Yields the invoices of the service, except those that another table contains, also as withdrawn. */
async function* readAddedInvoices(ports: AdminPorts, scopes: readonly SupplierScope[], table: string) {
  const restored = ports.invoicesIn(table);
  for (const scope of scopes) {
    for await (const items of ports.invoiceItems(scope)) {
      const ids = items.map(({ sk }) => sk);
      const known = [await restored.getMany(scope, ids), await restored.getWithdrawn(scope, ids)];
      const added = items.filter(({ sk }) => !known.some((invoices) => invoices.has(sk)));
      yield await toReviewedInvoices(ports, scope, added.map(toInvoice));
    }
  }
}

const IMPORTED_NAMES = [...IMPORTED_FIELDS.map(({ name }) => name), 'concepts'];

/**
 * Converts an item to a record for import-invoices. Amounts are texts with all digits, and null clears a field. If the
 * supplier has declared, the record contains neither the declaration nor the state, which an import would ignore.
 */
function toRecord(scope: SupplierScope, item: InvoiceItem): string {
  // An attribute has the name of its field.
  const names = item.declared_outcome ? IMPORTED_NAMES : IMPORT_FIELDS;
  const fields = Object.fromEntries(names.map((name) => [name, item[name] ?? null]));
  const record = { ...fields, supplier_id: scope.supplierId, invoice_id: item.sk };
  const toDigits = (_: string, value: unknown) => (value instanceof NumberValue ? toDecimal(value).toFixed() : value);
  return toPrintableJson(JSON.stringify(record, toDigits));
}
