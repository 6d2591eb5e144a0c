import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCUMENT_FILE } from '../../infra/openapi/published-documents.ts';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { clientsFolder, runProgram, venvPrograms } from './tools.ts';

/** The least number of random requests for each operation. */
const EXAMPLES = 300;

/**
 * Sends random requests for each operation of the OpenAPI document, valid and invalid ones, and compares the responses
 * with the document. Returns a line with the number of examples of each operation. Throws if a response differs.
 */
export async function testSchema(url: string): Promise<string> {
  // hooks.py reads the first five.
  const variables = {
    ...{ PORTAL_URL: url, DEMO_TENANT: DEMO_ACCOUNT.tenant, DEMO_API_KEY: DEMO_ACCOUNT.apiKey },
    ...{ DEMO_EMAIL: DEMO_ACCOUNT.email, DEMO_PASSWORD: DEMO_ACCOUNT.password },
    ...{ SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' },
  };
  const options = [
    ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
    ...['run', fileURLToPath(DOCUMENT_FILE), '--url', url],
    ...['--phases', 'examples,coverage,fuzzing', '--max-examples', String(EXAMPLES), '--continue-on-failure'],
  ];
  // Each call of the legacy route computes the hash of a password, which takes long.
  const selections = ['--include-tag', '--exclude-tag'].map((option) => [...options, option, 'Legacy']);
  const runs = selections.map((selection) => runProgram(join(venvPrograms, 'st'), selection, clientsFolder, variables));
  const printed = (await Promise.all(runs)).join('\n');
  const { paths } = JSON.parse(await readFile(DOCUMENT_FILE, 'utf8')) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
  const counts = [...printed.matchAll(/^(\d+) examples: .*$/gm)];
  const sufficientCounts = counts.filter(([, count]) => Number(count) >= EXAMPLES);
  if (sufficientCounts.length !== operations.length) {
    throw new Error(`An operation has fewer than ${EXAMPLES} examples:\n${printed}`);
  }
  return counts.map(([line]) => line).join('\n');
}
