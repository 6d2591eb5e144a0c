import { expect, it } from 'vitest';
import { respondToClock, VirtualClock } from '../../../infra/local/virtual-clock.ts';

/** Sends a request with or without a body to a clock. Returns the response. */
function sendTo(clock: VirtualClock, body?: string) {
  const { status, body: text } = respondToClock(clock, body);
  return { status, response: JSON.parse(String(text)) as { now: string; offset_seconds: number } };
}

it('the clock is advanced and reset, and the response contains its time', () => {
  const clock = new VirtualClock();
  expect(sendTo(clock, '{"advance_seconds": 61}').response).toEqual({ now: expect.any(String), offset_seconds: 61 });
  expect(sendTo(clock, '{"advance_seconds": 86400.5}').response).toMatchObject({ offset_seconds: 86_461.5 });
  expect(sendTo(clock, '{"reset": true}').response).toMatchObject({ offset_seconds: 0 });
  expect(sendTo(clock)).toEqual({ status: 200, response: { now: expect.any(String), offset_seconds: 0 } });
});

it.each([
  ['2026-08-01T00:00:00Z', '2026-08-01T00:00:0'],
  ['2026-08-01T00:00:00.000-03:00', '2026-08-01T03:00:0'],
  ['2031-02-28', '2031-02-28T00:00:0'],
  ['9999-12-31', '9999-12-31T00:00:0'],
])('the clock is set to %s, and continues from this time', (time, now) => {
  const clock = new VirtualClock();
  for (const body of [JSON.stringify({ set: time }), undefined])
    expect(sendTo(clock, body).response.now).toContain(now);
});

it.each([
  ...['', 'set=2026', 'null', '[]', '{"set": "2026-08-01", "reset": true}', '{"reset": 1}'],
  ...['{"advance_seconds": -1}', '{"advance_seconds": "61"}', '{"advance_seconds": 1e300}'],
  ...['{"set": "1969-12-31T23:59:59Z"}', '{"set": "2026-02-30"}', '{"set": 1785542400}'],
  ...['{"sett": "2026-08-01"}', '{"constructor": 1}'],
])('the clock rejects %s with the list of its commands, and is not changed', (body) => {
  const clock = new VirtualClock();
  const error = { code: 'VALIDATION_ERROR', message: expect.stringMatching('^Send one of ') };
  expect(sendTo(clock, body)).toEqual({ status: 400, response: { success: false, error } });
  expect(clock.offsetMs).toBe(0);
});
