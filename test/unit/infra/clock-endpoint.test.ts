import { beforeEach, expect, it, vi } from 'vitest';
import { buildClockReply, runClockCommand } from '../../../infra/local/clock-command.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

const deleteCounters = vi.fn<() => Promise<void>>(async () => {});
beforeEach(() => deleteCounters.mockClear());

/** Sends a command to a clock, or reads its time. Returns the response. */
async function sendTo(clock: VirtualClock, command?: string) {
  const isRead = command === undefined;
  const reply = isRead ? buildClockReply(clock) : await runClockCommand(clock, command, deleteCounters);
  const { status, body: text } = reply;
  return { status, response: JSON.parse(String(text)) as { now: string; offset_seconds: number } };
}

it('the clock deletes the counters unless it is moved forward', async () => {
  const clock = new VirtualClock();
  await sendTo(clock, '{"advance_seconds": 61}');
  await sendTo(clock, '{"set": "9999-12-31"}');
  expect(deleteCounters).not.toHaveBeenCalled();
  await sendTo(clock, '{"set": "9000-01-01"}');
  await sendTo(clock, '{"reset": true}');
  await sendTo(clock, '{"reset": true}');
  expect(deleteCounters).toHaveBeenCalledTimes(3);
});

it('the clock is advanced and reset, and the response contains its time', async () => {
  const clock = new VirtualClock();
  expect((await sendTo(clock, '{"advance_seconds": 61}')).response).toEqual({
    now: expect.any(String),
    offset_seconds: 61,
  });
  expect((await sendTo(clock, '{"advance_seconds": 86400.5}')).response).toMatchObject({ offset_seconds: 86_461.5 });
  expect((await sendTo(clock, '{"reset": true}')).response).toMatchObject({ offset_seconds: 0 });
  expect(await sendTo(clock)).toEqual({ status: 200, response: { now: expect.any(String), offset_seconds: 0 } });
});

it.each([
  ['2026-08-01T00:00:00Z', '2026-08-01T00:00:0'],
  ['2026-08-01T00:00:00.000-03:00', '2026-08-01T03:00:0'],
  ['2031-02-28', '2031-02-28T00:00:0'],
  ['9999-12-31', '9999-12-31T00:00:0'],
])('the clock is set to %s, and continues from this time', async (time, now) => {
  const clock = new VirtualClock();
  for (const body of [JSON.stringify({ set: time }), undefined])
    expect((await sendTo(clock, body)).response.now).toContain(now);
});

it.each([
  ...['', 'set=2026', 'null', '[]', '{"set": "2026-08-01", "reset": true}', '{"reset": 1}'],
  ...['{"advance_seconds": -1}', '{"advance_seconds": "61"}', '{"advance_seconds": 1e300}'],
  ...['{"set": "1969-12-31T23:59:59Z"}', '{"set": "2026-02-30"}', '{"set": 1785542400}'],
  ...['{"sett": "2026-08-01"}', '{"constructor": 1}'],
])('the clock rejects %s with the list of its commands, and is not changed', async (body) => {
  const clock = new VirtualClock();
  const error = { code: 'VALIDATION_ERROR', message: expect.stringMatching('^Send one of ') };
  expect(await sendTo(clock, body)).toEqual({ status: 400, response: { success: false, error } });
  expect(clock.offsetMs).toBe(0);
  expect(deleteCounters).not.toHaveBeenCalled();
});
