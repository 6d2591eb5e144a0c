import { defineCommand } from '../command.ts';

/** A command on one invoice, with the arguments and the option that name it; see defineCommand. */
export function defineInvoiceCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'whose invoice it is')
    .argument('<invoice>', 'the id of the invoice')
    .option('--supplier <supplier>', 'whose invoice it is, when several suppliers have one of this id');
}
