import { expect, it } from 'vitest';
import { reportWait, showWaitsDuring } from '../../../lib/declare-page/browser/waits.ts';

it('a wait is shown where requests are being sent, and no longer after they succeed or fail', async () => {
  const shown: string[] = [];
  const first = Promise.withResolvers<string>();
  const firstResult = showWaitsDuring(
    (seconds) => shown.push(`first ${seconds}`),
    () => first.promise,
  );
  const failure = showWaitsDuring(
    (seconds) => shown.push(`second ${seconds}`),
    async () => {
      reportWait(1);
      throw new Error('no response');
    },
  );
  await expect(failure).rejects.toThrow('no response');
  reportWait(2);
  first.resolve('value');
  expect(await firstResult).toBe('value');
  reportWait(3);
  expect(shown).toEqual(['first 1', 'second 1', 'first 2']);
});
