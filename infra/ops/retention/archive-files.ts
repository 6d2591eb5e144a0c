import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { toInvoice } from '../../../lib/tables/invoice-items.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import { openOutFile, replaceFile } from '../output/out-file.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { InvoiceRecord } from '../tables/invoice-records.ts';

/** A file with the invoices of a supplier and a month, one in each line. Amounts are sums as decimal texts. */
export interface ArchiveFile extends Readonly<Record<'invoices' | 'declarations' | 'state_changes', number>> {
  readonly file: string;
  readonly supplier_id: string;
  readonly month: string;
  readonly system_amount: string;
  readonly declared_amount: string;
  readonly sha256: string;
}

/** The contents of manifest.json. It is written after all other files of an archive. */
export interface Manifest extends Readonly<Record<'tenant' | 'before' | 'created_at', string>> {
  readonly files: readonly ArchiveFile[];
}

/** The sort keys of the invoices that one file of an archive contains. */
export interface ArchivedMonth {
  readonly scope: SupplierScope;
  readonly month: string;
  readonly sortKeys: readonly string[];
}

export const MANIFEST = 'manifest.json';

/** Writes the invoices of a month that are settled or withdrawn to a file of a folder (null: only computes the sums). */
export async function writeMonth(
  { invoiceRecords }: Pick<AdminPorts, 'invoiceRecords'>,
  { scope, month, sortKeys }: ArchivedMonth,
  folder: string | null,
): Promise<ArchiveFile> {
  const file = `${scope.supplierId}-${month}.ndjson`;
  const outFile = folder === null ? null : await openOutFile(join(folder, file));
  const hash = createHash('sha256');
  const counts = { invoices: 0, declarations: 0, state_changes: 0 };
  let [systemAmount, declaredAmount] = [decimal(0), decimal(0)];
  try {
    for await (const records of invoiceRecords.read(scope, sortKeys)) {
      for (const record of records) {
        const invoice = toInvoice(record.invoice);
        // The state has changed since the invoice was listed.
        if (invoice.state !== 'LIQ' && !invoice.isWithdrawn) continue;
        counts.invoices += 1;
        counts.declarations += record.declarations.length;
        counts.state_changes += record.state_changes.length;
        systemAmount = systemAmount.plus(invoice.systemAmount);
        declaredAmount = declaredAmount.plus(invoice.declaration?.amount ?? 0);
        const line = `${JSON.stringify(record, toRawNumber)}\n`;
        hash.update(line);
        outFile?.stream.write(line);
      }
      await outFile?.canContinue();
    }
    await outFile?.complete();
  } finally {
    await outFile?.discard();
  }
  const amounts = { system_amount: systemAmount.toFixed(), declared_amount: declaredAmount.toFixed() };
  return { file, supplier_id: scope.supplierId, month, ...counts, ...amounts, sha256: hash.digest('hex') };
}

/** Reads the invoices of a file. Throws an OutputError if the file is not as the manifest describes it. */
export async function readMonth(folder: string, { file, sha256 }: ArchiveFile): Promise<InvoiceRecord[]> {
  const data = await readFile(join(folder, file)).catch((error: Error) => error);
  if (data instanceof Error || createHash('sha256').update(data).digest('hex') !== sha256) {
    const reason = data instanceof Error ? describeSystemError(data).en : 'its SHA-256 is not that of the manifest';
    throw new OutputError(
      `The file ${join(folder, file)} is damaged, and none of its invoices was changed: ${reason}.`,
    );
  }
  const parse = JSON.parse as (text: string, reviver: typeof fromRawNumber) => InvoiceRecord;
  return String(data)
    .split('\n')
    .slice(0, -1)
    .map((line) => parse(line, fromRawNumber));
}

/** Writes the manifest of an archive. */
export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return replaceFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Reads the manifest of an archive. Returns null if the folder contains none. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, MANIFEST);
  try {
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest | null;
    if (Array.isArray(manifest?.files)) return manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`The file ${path} cannot be read: ${describeSystemError(error).en}`);
  }
  throw new OperatorError(`The file ${path} is not the manifest of an archive.`);
}

// Numbers are written with all digits. The types of TypeScript do not contain these two functions yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const toRawNumber = (_: string, value: unknown) => (value instanceof NumberValue ? rawJSON(value.toString()) : value);
const fromRawNumber = (_: string, value: unknown, { source }: { source: string }) =>
  typeof value === 'number' ? NumberValue.from(source) : value;
