import { relative } from 'node:path';
import { readOptions } from '../command-line.ts';
import { StartError } from '../local/start-error.ts';
import { print, printError } from '../terminal.ts';
import { samFolder, samPort, writeSamFiles } from './sam-files.ts';
import type { SamSetting } from './sam-files.ts';

const usage = `Usage: npm run sam:events -- [--gateway URL] [--dynamodb URL] [--image NAME]

Writes what sam local needs: a template, its variables, and events with tokens of a running npm start.

  --gateway URL   the service that issues the tokens (http://127.0.0.1:3000)
  --dynamodb URL  its engine, as containers reach it (http://host.docker.internal:8000)
  --image NAME    the image in which the functions run, instead of that of AWS

More: infra/sam/README.md`;

const setting: SamSetting = readOptions(
  usage,
  {
    gateway: { type: 'string', default: 'http://127.0.0.1:3000' },
    dynamodb: { type: 'string', default: 'http://host.docker.internal:8000' },
    image: { type: 'string' },
  },
  (values) => ({
    ...values,
    gateway: originOf('--gateway', values.gateway),
    dynamodb: originOf('--dynamodb', values.dynamodb),
  }),
);
try {
  const events = await writeSamFiles(setting);
  print(nextCommands(events.map(({ name }) => name)));
} catch (error) {
  printError(error instanceof StartError ? error.message : error);
  process.exit(1);
}

function originOf(option: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error(`${option} takes a URL.`);
  return url.origin;
}

function nextCommands(names: readonly string[]): string {
  const folder = relative('', samFolder);
  const port = URL.parse(setting.dynamodb)?.port || '80';
  return [
    `${folder} holds a template, its variables, and ${names.length} events whose tokens are valid for an hour.\n`,
    ...(process.platform === 'linux'
      ? ['In a terminal of its own, so that containers reach the engine:\n', `  npm run sam:bridge -- --port ${port}\n`]
      : []),
    'Then:\n',
    `  cd ${folder}`,
    `  sam local start-api    # http://127.0.0.1:${samPort}/apidev/v1/login`,
    ...names.map((name) => `  sam local invoke ${name.replace(/\..*/, '')} --event events/${name}.json`),
  ].join('\n');
}
