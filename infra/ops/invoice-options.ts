import { Option } from '@commander-js/extra-typings';
import { findChangeTextError } from '../../lib/domain/invoice-change.ts';
import type { Text } from '../../lib/domain/language.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import { defineCommand, type Session } from './command.ts';
import { findSuppliers } from './directory/read-directory.ts';
import { OperatorError } from './operator-errors.ts';
import type { AdminPorts } from './tables/admin-ports.ts';
import type { OwnedInvoice } from './tables/stored-invoices.ts';
import { translate } from './texts/language.ts';
import { opsTexts, rejectionTexts } from './texts/ops-texts.ts';

/** The option of commands that change invoices; see identifyAuthor. */
export const byOption = new Option(
  '--by <name>',
  'name of the person who asked for the change; the history records it after your identity',
);

export interface InvoiceQuery {
  readonly tenant: string;
  readonly invoiceId: string;
  readonly supplierId?: string | undefined;
}

/** Defines a command with the arguments and the option that identify an invoice. */
export function defineInvoiceCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'tenant of the invoice')
    .argument('<invoice>', 'id of the invoice')
    .option('--supplier <supplier>', 'id of the supplier; required if several suppliers have an invoice with this id');
}

/** Finds an invoice. Throws an OperatorError unless exactly one supplier has an invoice with this id. */
export async function findInvoice(
  { records, invoices }: Pick<AdminPorts, 'records' | 'invoices'>,
  { tenant, invoiceId, supplierId }: InvoiceQuery,
): Promise<OwnedInvoice> {
  if (!/^\d+$/.test(invoiceId) || invoiceId.length > LIMITS.idDigits) {
    throw new OperatorError(`<invoice>: ${translate(rejectionTexts.digits(LIMITS.idDigits))}.`);
  }
  const scopes = await findSuppliers({ records }, tenant, supplierId);
  const candidates = await invoices.getForSuppliers(scopes, invoiceId);
  const [invoice, ...others] = candidates;
  const createError = (text: Text) =>
    new OperatorError(`${translate(opsTexts.invoice(invoiceId, tenant))}: ${translate(text)}.`);
  if (!invoice) throw createError(opsTexts.unknownInvoice);
  if (others.length > 0) {
    const owners = candidates.map(({ scope }) => scope.supplierId).toSorted();
    throw createError(opsTexts.severalSuppliers(owners.join(', ')));
  }
  return invoice;
}

// No parentheses and commas, because a name such as `Ana), arn:aws:sts::123456789012:… (Leo` could imitate another
// author. No e-mail, because erase-user could not remove it. At least one character is not a space.
const NAME = /^(?=.*\S)[^(),@\p{Cc}\u2028\u2029]{1,64}$/u;

/** Returns the verified identity of the caller, with the name of --by. Throws an OperatorError for an invalid name. */
export async function identifyAuthor(readIdentity: Session['readIdentity'], by: string | undefined): Promise<string> {
  if (by === undefined) return readIdentity();
  if (!NAME.test(by) || !by.isWellFormed()) throw new OperatorError(`--by: ${translate(rejectionTexts.name)}.`);
  return `${await readIdentity()} (${by.trim()})`;
}

/** Trims the text of an option for a history. Throws an OperatorError if it is blank, too long or not Unicode. */
export function readText(option: string, text: string): string {
  const trimmedText = text.trim();
  const error = trimmedText.isWellFormed() ? findChangeTextError(trimmedText) : rejectionTexts.malformed;
  if (error) throw new OperatorError(`${option}: ${translate(error)}.`);
  return trimmedText;
}
