import { defineCommand } from '../command.ts';

/** A command on one user, with the arguments that name it; see defineCommand. */
export function defineUserCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'the tenant')
    .argument('<user>', 'the id, e-mail or username of the user; digits alone are an id');
}
