import { relative } from 'node:path';
import { readOptions } from '../../command-line.ts';
import { endWith, print } from '../../terminal.ts';
import { samFolder, type SamSetting, writeSamFiles } from './sam-files.ts';

const usage = `Usage: npm run sam:events -- [--gateway URL] [--dynamodb URL] [--image NAME]

Writes what sam local needs: a template, its variables, and events with tokens of a running npm start.

  --gateway URL   the service that issues the tokens (http://127.0.0.1:3000)
  --dynamodb URL  its engine, as containers reach it (http://host.docker.internal:8000)
  --image NAME    the image in which the functions run, instead of that of AWS

More: infra/local/sam/README.md`;

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
  const folder = relative('', samFolder);
  print(`${folder} holds a template, its variables, and ${events.length} events whose tokens are valid for an hour.`);
  print('How to run them: infra/local/sam/README.md');
} catch (error) {
  endWith(error);
}

function originOf(option: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error(`${option} takes a URL.`);
  return url.origin;
}
