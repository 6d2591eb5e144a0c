import { describe, expect, it } from 'vitest';
import { chosenTables } from '../../bench/options.ts';
import { mirroredCalls } from '../../bench/data/mirrored-calls.ts';
import { measureInTurns } from '../../bench/measuring/in-turns.ts';
import { quantile, ratioOf, summaryOf } from '../../bench/measuring/statistics.ts';
import { type RecordedCall, roundTripsOf, unitsOf } from '../../bench/processes/recorder.ts';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';

describe('samples', () => {
  it('have the median and the 95th percentile by rank', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(summaryOf(samples)).toEqual({ samples, p50: 50, p95: 95 });
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([7], 0.95)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('two that are compared', () => {
  it('have the median of their ratios in each round', () => {
    const [slowing, steady] = [summaryOf([10, 20, 400]), summaryOf([5, 20, 100])];
    expect(ratioOf(slowing, steady)).toBe(2);
    expect(ratioOf(slowing, undefined)).toBeNaN();
    expect(ratioOf(undefined, steady)).toBeNaN();
  });
});

describe('measuring in turns', () => {
  it('goes forward and backward in turn, and does not count the first rounds', async () => {
    const order: string[] = [];
    const measured = (name: string) => async (round: number) => {
      order.push(`${name}${round}`);
      return -round;
    };
    const summaries = await measureInTurns({ a: measured('a'), b: measured('b') }, { rounds: 2, warmUp: 1 });
    expect(order).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
    expect(summaries.a.samples).toEqual([-1, -2]);
    expect(summaries.b.samples).toEqual([-1, -2]);
  });
});

describe('the words of the command line', () => {
  const all = ['start', 'lists'];

  it('choose tables, or all of them', () => {
    expect(chosenTables([], all)).toEqual({ kind: 'run', names: all, keep: false });
    expect(chosenTables(['lists', '--keep'], all)).toEqual({ kind: 'run', names: ['lists'], keep: true });
    expect(chosenTables(['lists', '--help'], all)).toEqual({ kind: 'help' });
  });

  it('are refused when there is no such table', () => {
    expect(chosenTables(['start', 'list', '--all'], all)).toEqual({
      kind: 'refused',
      reason: 'There is no table list, --all.',
    });
  });
});

describe('recorded calls', () => {
  const call = (startMs: number, endMs: number, body = '{}'): RecordedCall => ({
    operation: 'Query',
    headers: { 'x-amz-target': 'DynamoDB_20120810.Query', 'content-length': '2' },
    body,
    startMs,
    endMs,
    units: [
      { table: 'Invoices', units: 2.5 },
      { table: 'Directory', units: 5 },
    ],
  });

  it('are as many round trips as their longest chain is long', () => {
    expect(roundTripsOf([call(0, 10), call(1, 9), call(11, 20), call(12, 21), call(22, 30)])).toBe(3);
    expect(roundTripsOf([])).toBe(0);
  });

  it('are charged the units of all tables but those that are left out', () => {
    expect(unitsOf([call(0, 1), call(0, 1)])).toBe(15);
    expect(unitsOf([call(0, 1), call(0, 1)], ['Directory'])).toBe(5);
  });

  it('are sent again for another supplier, each after those that had ended, and never as a repetition', () => {
    const callers = (name: string) => ({
      scope: { tenant: `t-${name}`, supplierId: `s-${name}` },
      apiKey: `key-${name}`,
      signingKey: { kid: '', privateJwk: {} },
      all: [
        { user: { tenant: `t-${name}`, userId: `u-${name}`, companyId: `c-${name}`, supplierId: null }, headers: {} },
      ],
    });
    const body = JSON.stringify({
      keys: ['t-one#s-one', 'u-one', 'c-one', hashApiKey('key-one')],
      ClientRequestToken: 'token',
    });
    const [first, ...others] = mirroredCalls(
      [call(11, 20), call(0, 10, body), call(1, 30)],
      callers('one'),
      callers('longer'),
      0,
    );
    expect(JSON.parse(first?.body ?? '')).toEqual({
      keys: ['t-longer#s-longer', 'u-longer', 'c-longer', hashApiKey('key-longer')],
      ClientRequestToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(first?.headers['content-length']).toBe(String(first?.body.length));
    expect([first, ...others].map((each) => each?.after)).toEqual([[], [], [0]]);
  });
});
