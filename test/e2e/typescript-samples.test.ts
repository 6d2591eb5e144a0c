import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { fileWith, samplesFor } from '../support/processes/sample-files.ts';
import { useLocalService } from '../support/service/local-service.ts';

const client = new URL('../../lib/client/index.ts', import.meta.url).href;

describe('the TypeScript samples of the reference page', () => {
  const service = useLocalService();

  it('run as they are shown, and print an answer of each operation', async () => {
    const samples = samplesFor('typescript', service.url);
    expect(samples).toHaveLength(11);
    const log = vi.spyOn(console, 'log').mockReturnValue();
    for (const [operationId, sample] of samples) {
      const code = sample.replace("'supplier-portal-client'", JSON.stringify(client));
      await import(/* @vite-ignore */ pathToFileURL(fileWith(code, 'sample.mts')).href);
      const printed = inspect(log.mock.calls.splice(0), { depth: 9 });
      if (operationId === 'login') expect(printed).toBe('[]');
      else expect(printed, operationId).toMatch(/invoice_id|total:|tolerance|accepted|Exito: true/);
    }
    log.mockRestore();
  });
});
