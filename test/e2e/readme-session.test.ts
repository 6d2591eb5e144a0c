import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { useLocalService } from '../support/service/local-service.ts';
import { parseShownResponses, readBlock } from '../support/guides/readme.ts';

// Every declaration gets a new id.
const replaceIds = (text: string) => text.replace(/"(declaration_id|IdDeclaracion)": ?"\d{19}"/g, '"$1":"<new>"');

const service = useLocalService();

const sessions = [
  ['README.md', 'Quick start'],
  ['lib/legacy/README.md', 'The legacy route'],
] as const;
it.each(sessions)('the session of %s prints the responses that the guide shows', async (guide, heading) => {
  const session = readBlock(guide, heading, 'sh').replace('http://127.0.0.1:3000', service.url);
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', session]);
  expect(stderr).toBe('');
  expect(parseShownResponses(replaceIds(stdout))).toEqual(
    parseShownResponses(replaceIds(readBlock(guide, heading, 'json'))),
  );
});
