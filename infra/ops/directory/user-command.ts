import { defineCommand, dryRunOption } from '../command.ts';

/** A command that changes a user, with the arguments that name it; see defineCommand. */
export function defineUserCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'the tenant')
    .argument('<user>', 'the id, e-mail or username of the user; digits alone are an id')
    .addOption(dryRunOption);
}
