import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { fileWith, samplesFor } from '../support/processes/sample-files.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { programs } from './programs.ts';

/** A success of either protocol, as the languages print it. */
const success = /"success":true|'success': True|\[success\] => 1|"Exito":true|'Exito': True|\[Exito\] => 1/;

it.each(['curl', 'python', 'php'] as const)(
  'the samples for %s run as they are shown, and succeed for each operation',
  async (language) => {
    const service = await startLocalService({ demo: true });
    const samples = samplesFor(language, service.url);
    expect(samples).toHaveLength(11);
    for (const [operationId, code] of samples) {
      const { stdout, stderr } = await promisify(execFile)(programs[language].program, [fileWith(code)]);
      const expected = { operationId, stdout: expect.stringMatching(success), stderr: '' };
      expect({ operationId, stdout, stderr }).toEqual(expected);
    }
    await service.close();
  },
);
