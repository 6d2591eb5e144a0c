import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsOf } from '../../../infra/docs/openapi.ts';
import { sampleCall } from '../../../infra/docs/samples/sample-call.ts';
import { sampleLanguages } from '../../../infra/docs/samples/samples.ts';
import { demoAccount } from '../../../infra/demo-account.ts';
import { readDocument } from '../../../infra/openapi/read-document.ts';

/** The samples of the reference page in one language, by operation, for a service of this machine. */
export function samplesFor(
  language: keyof typeof sampleLanguages,
  baseUrl: string,
): [operationId: string, code: string][] {
  return operationsOf(readDocument('en')).map(({ operationId }) => {
    const call = sampleCall(operationId, baseUrl, demoAccount);
    return [operationId, sampleLanguages[language].sample(call)];
  });
}

/** Writes code to a file of its own, gives its path to `use`, and removes it. */
export async function withFile<Result>(
  name: string,
  code: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, code);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
