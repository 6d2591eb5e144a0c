import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
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

/** A new file with this code, which is removed after the test. */
export function fileWith(code: string, name = 'program'): string {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
}
