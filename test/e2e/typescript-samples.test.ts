import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { samplesFor, withFile } from '../support/processes/sample-files.ts';
import { startLocalService } from '../support/service/local-service.ts';

const client = new URL('../../lib/client/index.ts', import.meta.url).href;

describe('the TypeScript samples of the reference page', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
  });
  afterAll(() => service.close());

  it('run as they are shown, and print an answer of each operation', async () => {
    const samples = samplesFor('typescript', service.url);
    expect(samples).toHaveLength(11);
    for (const [operationId, sample] of samples) {
      const code = sample.replace("'supplier-portal-client'", JSON.stringify(client));
      const { stdout } = await withFile('sample.mts', code, (path) => promisify(execFile)(process.execPath, [path]));
      if (operationId === 'login') expect(stdout).toBe('');
      else expect(stdout, operationId).toMatch(/invoice_id|total:|tolerance|accepted|Exito: true/);
    }
  });
});
