import { expect, it } from 'vitest';
import { Recorder } from '../../../infra/recording/record-exchanges.ts';
import { demoAccount, sampleOperations } from '../../../infra/openapi/sample-requests.ts';

const operation = sampleOperations(demoAccount, 'token').find(({ name }) => name === 'get-invoice')!;
const notFound = { code: 'NOT_FOUND', en: 'None', es: 'Ninguna' } as const;

it('a response with another error code than its example stops the recording', async () => {
  const recorder = new Recorder('http://127.0.0.1:9', new Map());
  const forbidden = async () => Response.json({ success: false, error: { code: 'FORBIDDEN', message: '' } });
  await expect(recorder.take('en', operation, [notFound], forbidden)).rejects.toThrow(
    'get-invoice, NOT_FOUND: the code is FORBIDDEN, expected NOT_FOUND.',
  );
  expect(recorder.exchanges.en).toEqual([]);
});
