/**
 * npm run smoke: tries a running service through the client, and writes nothing. Exit codes: 0 it works, 1 it does not,
 * 2 wrong use.
 */
import { env } from 'node:process';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { createPortalClient, type PortalClient, PortalError } from '../../lib/client/index.ts';
import { print, printError } from '../terminal.ts';
import { checks, type Seen } from './checks.ts';

const help = `
PORTAL_API_KEY and PORTAL_PASSWORD in the environment hold the API key and the password.

Example, with the service of \`npm start\`:
  $ export PORTAL_API_KEY=7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001 PORTAL_PASSWORD='Demo-2026!'
  $ npm run smoke -- --api http://127.0.0.1:3000 --tenant demo.example --email ana@demo.example

Exit codes: 0 it works; 1 it does not; 2 wrong use.`;

const program = new Command('npm run smoke --')
  .description('Tries a running service: log in, list, check an amount, be refused. Nothing is declared.')
  .requiredOption('--api <url>', 'the address of the service, in front of /apidev: the output ApiUrl of the stack')
  .requiredOption('--tenant <tenant>', 'the tenant')
  .requiredOption('--email <email>', 'a user of a supplier of the tenant')
  .addHelpText('after', help)
  .exitOverride();

try {
  const { api, tenant, email } = program.parse().opts();
  const secrets = { apiKey: secret('PORTAL_API_KEY'), password: secret('PORTAL_PASSWORD') };
  process.exitCode = await tryAll(openClient({ api, tenant, email, ...secrets }));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}

function secret(name: string): string {
  return env[name] || program.error(`error: ${name} must be set in the environment.`);
}

function openClient({ api, ...credentials }: Record<'api' | 'tenant' | 'email' | 'apiKey' | 'password', string>) {
  try {
    return createPortalClient({ baseUrl: api.replace(/\/+$/, ''), ...credentials });
  } catch (error) {
    return program.error(`error: ${(error as Error).message}`);
  }
}

async function tryAll(portal: PortalClient): Promise<0 | 1> {
  const seen: Seen = {};
  for (const { name, run } of checks) {
    try {
      print(`${name}: ${await run(portal, seen)}`);
    } catch (error) {
      printError(`The service does not work: could not ${name}. ${reasonOf(error)}`);
      return 1;
    }
  }
  print('The service works.');
  return 0;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PortalError)) return (error as Error).message;
  const { code, status, message, requestId } = error;
  const request = requestId === null ? '' : ` Request id: ${requestId}.`;
  return `${code}${status === null ? '' : ` (${status})`}: ${message}${request}`;
}
