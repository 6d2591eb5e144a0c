import { afterEach, describe, expect, it, vi } from 'vitest';
import { wait } from '../../../lib/client/retries.ts';
import { buildFailure, createScriptedPortal, buildSuccess, buildLogin } from '../../support/client/scripted-portal.ts';

const reason = new Error('enough');
const throttled = () => buildFailure('RATE_LIMITED', { headers: { 'Retry-After': '60' } });

describe('aborted calls of the client', () => {
  it('a call with an aborted signal throws the reason of the signal and sends nothing', async () => {
    const { client, trace } = createScriptedPortal({});
    await expect(client.getInvoice('1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(trace).toEqual([]);
  });

  it.each([
    ['waits for a retry', { calls: [throttled()] }, ['login', 'token-1']],
    ['waits for the retry of its login', { logins: [throttled()] }, ['login']],
  ])('a call that is aborted while it %s throws the reason and sends no retry', async (_, script, sent) => {
    const controller = new AbortController();
    const waiting = Promise.withResolvers<AbortSignal | undefined>();
    const { client, trace } = createScriptedPortal(script, {
      wait: (seconds, signal) => (waiting.resolve(signal), wait(seconds, signal)),
    });
    const call = client.getInvoice('1', controller);
    const signal = await waiting.promise;
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(signal?.aborted, 'the wait ends as well').toBe(true);
    expect(trace).toEqual(sent);
  });

  it('a call that is aborted during its request or login throws the reason and handles the later failure', async () => {
    const abortAndFail = (controller: AbortController) => () => {
      controller.abort(reason);
      return Promise.reject<Response>(new TypeError('fetch failed'));
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const { client: firstClient } = createScriptedPortal({ calls: [abortAndFail(first)] });
    await expect(firstClient.getInvoice('1', first)).rejects.toBe(reason);
    // An unhandled rejection would fail the test run.
    const { client, trace } = createScriptedPortal({ logins: [abortAndFail(second)] }, { wait });
    await expect(client.getInvoice('1', second)).rejects.toBe(reason);
    expect(trace).toEqual(['login']);
  });

  it('an aborted call throws the reason, and does not abort a login for which other calls wait', async () => {
    const controller = new AbortController();
    const login = Promise.withResolvers<Response>();
    const script = { logins: [() => login.promise], calls: [buildSuccess({})] };
    const { client, trace, requests } = createScriptedPortal(script);
    const aborted = client.getInvoice('1', controller);
    const second = client.getInvoice('2');
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(requests[0]?.signal.aborted).toBe(false);
    login.resolve(buildLogin('shared'));
    await second;
    expect(trace).toEqual(['login', 'shared']);
  });

  it('an aborted call aborts a login for which no other call waits, and the next call logs in again', async () => {
    const controller = new AbortController();
    const neverRespond = () => new Promise<Response>(() => {});
    const { client, trace, requests } = createScriptedPortal({ logins: [neverRespond], calls: [buildSuccess({})] });
    const aborted = client.getInvoice('1', controller);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(requests[0]?.signal.aborted).toBe(true);
    await client.getInvoice('2');
    expect(trace).toEqual(['login', 'login', 'token-1']);
  });
});

describe('waiting before a retry', () => {
  afterEach(() => void vi.useRealTimers());

  it('wait throws the reason of an aborted signal, and leaves no timer and no listener', async () => {
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
