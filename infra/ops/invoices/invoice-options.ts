import { Option } from '@commander-js/extra-typings';
import { OperatorError } from '../operator-error.ts';
import { changeTextFault } from '../../../lib/domain/invoice-state-change.ts';
import { defineCommand, type Session } from '../command.ts';

/** Defines a command on one invoice, with the arguments and the option that identify it; see defineCommand. */
export function defineInvoiceCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'tenant of the invoice')
    .argument('<invoice>', 'id of the invoice')
    .option('--supplier <supplier>', 'supplier of the invoice, if several suppliers have this id');
}

/** The option of every command whose author the history of an invoice records. */
export const byOption = new Option(
  '--by <name>',
  'person on whose behalf; the history records the name after the identity of the caller',
);

/**
 * Returns the text by which a history names the author of a change: the verified identity of the caller, followed by
 * the name of --by in parentheses.
 *
 * @example
 * await identifyAuthor(operator, 'Ana Pérez'); // arn:aws:sts::123456789012:assumed-role/operator/ana (Ana Pérez)
 */
export async function identifyAuthor(operator: Session['operator'], by: string | undefined): Promise<string> {
  if (by === undefined) return operator();
  const name = readText('--by', by);
  return readText('--by with the identity of the caller', `${await operator()} (${name})`);
}

/** Reads the text of an option that a history records; throws an OperatorError if it is blank or too long. */
export function readText(option: string, text: string): string {
  const trimmed = text.trim();
  const error = changeTextFault(trimmed);
  if (error) throw new OperatorError(`${option} ${error}.`);
  return trimmed;
}
