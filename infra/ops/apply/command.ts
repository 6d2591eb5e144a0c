import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { print, printError } from '../../local/terminal.ts';
import type { Command } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { openTarget, targetOptions } from '../target.ts';
import { UsageError } from '../usage-error.ts';
import { type Applied, applyDirectory } from './apply-directory.ts';
import type { Entry } from './directory-entries.ts';

/** `apply`: brings tenants, companies, suppliers, users and API keys to what a file says. */
export const applyCommand: Command = {
  usage: 'FILE (--local | --stack NAME) [--dry-run]',
  summary: 'Creates and changes tenants, companies, suppliers, users and API keys as FILE (JSON or YAML) says.',
  async run(args) {
    const { file, values } = readArguments(args, {
      ...targetOptions,
      'dry-run': { type: 'boolean', default: false },
    });
    const dryRun = values['dry-run'];
    const document = await readDocument(file);
    const { client, tables } = await openTarget(values);
    const counts = { created: 0, changed: 0, left: 0, rejected: 0 };
    try {
      await applyDirectory(client, tables.Directory, document, {
        dryRun,
        report(settled) {
          if ('faults' in settled) {
            counts.rejected += 1;
            for (const fault of settled.faults) printError(`rejected  ${fault}`);
          } else {
            counts[settled.outcome] += 1;
            print(lineOf(settled));
          }
        },
      });
    } finally {
      client.destroy();
    }
    const { created, changed, left, rejected } = counts;
    const note = dryRun ? ' (dry run: nothing was written)' : '';
    print(`${created} created, ${changed} changed, ${left} left, ${rejected} rejected${note}`);
    return rejected > 0 ? 1 : 0;
  },
};

async function readDocument(file: string): Promise<unknown> {
  try {
    const text = await readFile(file, 'utf8');
    return file.endsWith('.json') ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

function lineOf({ entry, outcome, generatedKey }: Applied): string {
  const shown = generatedKey ? `: ${generatedKey} (shown only this once)` : '';
  return `${outcome.padEnd(8)}  ${nameOf(entry)}${shown}`;
}

function nameOf({ kind, tenant, value }: Entry): string {
  switch (kind) {
    case 'tenant':
      return `tenant ${tenant}`;
    case 'company':
      return `company ${value.company_id} of ${tenant}`;
    case 'supplier':
      return `supplier ${value.supplier_id} of ${tenant}`;
    case 'user':
      return `user ${value.user_id} (${value.email}) of ${tenant}`;
    case 'api_key':
      return `API key "${value.name}" of company ${value.company_id} of ${tenant}`;
  }
}
