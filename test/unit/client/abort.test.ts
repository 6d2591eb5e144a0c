import { afterEach, describe, expect, it, vi } from 'vitest';
import { wait } from '../../../lib/client/exchange.ts';
import { buildFailure, createScriptedPortal, buildSuccess, buildLogin } from '../../support/client/scripted-portal.ts';

const reason = new Error('enough');
const limited = () => buildFailure('RATE_LIMITED', { headers: { 'Retry-After': '60' } });

describe('an aborted call of the client throws the reason of its signal', () => {
  it('before it sends anything, if the signal is already aborted', async () => {
    const { client, trace } = createScriptedPortal({});
    await expect(client.getInvoice('1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(trace).toEqual([]);
  });

  it.each([
    ['waits for a retry', { calls: [limited()] }, ['login', 'token-1']],
    ["waits for its login's retry", { logins: [limited()] }, ['login']],
  ])('while it %s, and the retry is not sent', async (_, script, sent) => {
    const controller = new AbortController();
    const waiting = Promise.withResolvers<AbortSignal | undefined>();
    const { client, trace } = createScriptedPortal(script, {
      wait: (seconds, signal) => (waiting.resolve(signal), wait(seconds, signal)),
    });
    const call = client.getInvoice('1', controller);
    const signal = await waiting.promise;
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(signal?.aborted, 'the wait ends, too').toBe(true);
    expect(trace).toEqual(sent);
  });

  it('during its request or its login, whose later failure is handled', async () => {
    const aborting = (controller: AbortController) => () => {
      controller.abort(reason);
      return Promise.reject<Response>(new TypeError('fetch failed'));
    };
    const [one, other] = [new AbortController(), new AbortController()];
    await expect(createScriptedPortal({ calls: [aborting(one)] }).client.getInvoice('1', one)).rejects.toBe(reason);
    // A rejection that nobody handles would fail the test run.
    const { client, trace } = createScriptedPortal({ logins: [aborting(other)] });
    await expect(client.getInvoice('1', other)).rejects.toBe(reason);
    expect(trace).toEqual(['login']);
  });

  it('while it waits for a login for which other calls still wait', async () => {
    const controller = new AbortController();
    const login = Promise.withResolvers<Response>();
    const { client, trace, requests } = createScriptedPortal({
      logins: [() => login.promise],
      calls: [buildSuccess({})],
    });
    const aborted = client.getInvoice('1', controller);
    const other = client.getInvoice('2');
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(requests[0]?.signal.aborted).toBe(false);
    login.resolve(buildLogin('shared'));
    await other;
    expect(trace).toEqual(['login', 'shared']);
  });

  it('and aborts a login for which no call waits any more; the next call logs in again', async () => {
    const controller = new AbortController();
    const deaf = () => new Promise<Response>(() => {});
    const { client, trace, requests } = createScriptedPortal({ logins: [deaf], calls: [buildSuccess({})] });
    const aborted = client.getInvoice('1', controller);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(requests[0]?.signal.aborted).toBe(true);
    await client.getInvoice('2');
    expect(trace).toEqual(['login', 'login', 'token-1']);
  });
});

describe('the function wait', () => {
  afterEach(() => void vi.useRealTimers());

  it('waits for the given number of seconds', async () => {
    vi.useFakeTimers();
    const waiting = wait(4);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
  });

  it('throws the reason of an aborted signal, and leaves no timer and no listener', async () => {
    await expect(wait(60, AbortSignal.abort(reason))).rejects.toBe(reason);
    vi.useFakeTimers();
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const waiting = wait(60, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
  });
});
