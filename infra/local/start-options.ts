import { readOptions } from '../command-line.ts';
import type { ServiceOptions } from './service.ts';

const usage = `Usage: npm start -- [--port N] [--dynamodb-port N] [--data DIR] [--empty] [--watch] [--quiet] [--json-logs]

Runs the service on this machine, with demo data.

  --port N           the port of the service (3000); 0: any free one
  --dynamodb-port N  the port of its DynamoDB engine (8000); 0: any free one
  --data DIR         keeps the data in a folder; without it they live in memory
  --empty            loads no demo data
  --watch            takes over changes of functions/ and lib/ while it runs
  --quiet            prints no line for a request
  --json-logs        prints the functions' own log lines, as they do when the output is no terminal

More: infra/local/README.md`;

/** Reads the command line of `npm start`. */
export function readStartOptions(terminal: NodeJS.WriteStream): ServiceOptions {
  return readOptions(
    usage,
    {
      port: { type: 'string', default: '3000' },
      'dynamodb-port': { type: 'string', default: '8000' },
      data: { type: 'string' },
      empty: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      'json-logs': { type: 'boolean', default: false },
    },
    ({ data, ...values }) => ({
      port: portNumber('--port', values.port),
      dynamodbPort: portNumber('--dynamodb-port', values['dynamodb-port']),
      dataDirectory: data === undefined ? undefined : folderName(data),
      demo: !values.empty,
      watch: values.watch,
      quiet: values.quiet,
      requestLines: terminal.isTTY && !values.quiet && !values['json-logs'] ? terminal : undefined,
    }),
  );
}

function portNumber(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${option} takes a number from 0 to 65535.`);
  return Number(text);
}

function folderName(text: string): string {
  if (text.trim() === '') throw new Error('--data takes the name of a folder.');
  return text;
}
