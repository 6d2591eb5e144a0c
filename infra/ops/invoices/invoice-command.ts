import { defineCommand } from '../command.ts';

/** Defines a command on one invoice, with the arguments and the option that identify it; see defineCommand. */
export function defineInvoiceCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'tenant of the invoice')
    .argument('<invoice>', 'id of the invoice')
    .option('--supplier <supplier>', 'supplier of the invoice, if several suppliers have this id');
}
