import { describe, expect, it } from 'vitest';
import { withinDeadline } from '../../../lib/runtime/deadline.ts';
import { attempts } from '../../../lib/runtime/attempts.ts';

describe('the rounds of work that may have to be done again', () => {
  it('follow one another until whoever asks has what it needs', async () => {
    const begun: number[] = [];
    for await (const round of attempts()) {
      begun.push(round);
      if (round === 3) break;
    }
    expect(begun).toEqual([1, 2, 3]);
  });

  it('end when another one, as long as the longest so far, would not end by the deadline', async () => {
    let remainingMs = 10_000;
    const begun = await withinDeadline(
      () => remainingMs,
      async () => {
        let count = 0;
        for await (const round of attempts()) {
          count = round;
          await new Promise((resolve) => setTimeout(resolve, 50));
          // A second is kept for the answer.
          if (round === 2) remainingMs = 1_040;
        }
        return count;
      },
    );
    expect(begun).toBe(2);
  });

  it('give one round even when the time is over, so that its call can say so', async () => {
    const begun = await withinDeadline(
      () => 0,
      async () => {
        let count = 0;
        for await (const round of attempts()) count = round;
        return count;
      },
    );
    expect(begun).toBe(1);
  });
});
