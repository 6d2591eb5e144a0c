import { endSessions } from '../../../lib/admin/access/end-sessions.ts';
import { runCommand } from '../command.ts';
import { printResult } from './print-result.ts';
import { defineUserCommand } from './user-command.ts';

/** `end-sessions`: the tokens of a user are refused, and it may log in again. */
export const endSessionsCommand = defineUserCommand('end-sessions', {
  summary: 'End the sessions of a user: from the next request on its tokens are refused, and it may log in again.',
  example: 'end-sessions demo.example ana --local',
}).action((tenant, user, options) =>
  runCommand(options, async ({ installation, output }) =>
    printResult(output, await endSessions(installation, { tenant, user })),
  ),
);
