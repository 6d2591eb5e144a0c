import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cachedPublicKeys } from '../../lib/auth/key-cache.ts';
import { generateSigningKey } from '../../lib/auth/key-pairs.ts';
import { rotateSigningKey } from '../../lib/services/rotate-signing-key.ts';
import { type Access, SigningKeysFake } from '../support/fakes/signing-keys-fake.ts';

const START = Date.parse('2026-07-01T10:00:00.000Z');
const ROTATION_AT_MS = 60_000;
const { publicKey } = await generateSigningKey('');

/** Time that moves to whatever waits next, as soon as nothing else is to do. */
class VirtualTime {
  #nowMs = START;
  #waiting: { readonly atMs: number; readonly wake: () => void }[] = [];

  readonly now = () => new Date(this.#nowMs);

  readonly sleep = (ms: number) =>
    new Promise<void>((wake) => void this.#waiting.push({ atMs: this.#nowMs + ms, wake }));

  async run(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const [next] = this.#waiting.toSorted((one, other) => one.atMs - other.atMs);
      if (!next) return;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#nowMs = next.atMs;
      next.wake();
    }
  }
}

/** A token: the key that has signed it, and whether the login read that key after the rotation. */
interface Token {
  readonly kid: string;
  readonly isOfAfter: boolean;
}

/** How long calls take until they have an effect, and from then until they are answered, in turns. */
const callTimes = (slow: number) =>
  fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 20 }) }, { weight: slow, arbitrary: fc.nat({ max: 4_000 }) }),
    { minLength: 1, maxLength: 30 },
  );
/** Times from the start on: most of them close to the rotation, or to the end of a cache that was filled then. */
const moment = fc.oneof(
  fc.integer({ min: ROTATION_AT_MS - 1_000, max: ROTATION_AT_MS + 5_000 }),
  fc.integer({ min: ROTATION_AT_MS + 58_000, max: ROTATION_AT_MS + 68_000 }),
  fc.nat({ max: 200_000 }),
);
const logins = fc.array(moment, { minLength: 1, maxLength: 6 });
/** When each reader is shown which token, or (null) a forged one; not before it is issued. */
const uses = fc.array(
  fc.record({ reader: fc.nat({ max: 1 }), token: fc.option(fc.nat({ max: 5 }), { freq: 5 }), atMs: moment }),
  { minLength: 1, maxLength: 30 },
);

const shown = (token: number | null, atMs: number) => ({ reader: 0, token, atMs });
// What random reads rarely meet. The answer to a reader's question of before the new key was published comes when that
// key is in use; and one of before the leak keeps the leaked key for longer than a minute.
const slowReads: [number[], ReturnType<typeof shown>[], number[], number[]][] = [
  [[62_001], [shown(null, 59_000), shown(0, 62_001)], [0], [0, 2_001]],
  [[58_000], [shown(null, 58_000), shown(0, 122_001)], [0], [634, 3_367]],
];

it.each([
  { kind: 'planned: no token is ever refused', leaked: false },
  {
    kind: 'because of a leak: none is whose login reads its key after it; of the others none is valid a minute later',
    leaked: true,
  },
])(
  'readers and logins around a rotation, whose reads of the keys begin and are answered at any time $kind',
  async ({ leaked }) => {
    await fc.assert(
      fc.asyncProperty(logins, uses, callTimes(1), callTimes(3), async (loginsAtMs, allUses, times, readTimes) => {
        const time = new VirtualTime();
        const keys = new SigningKeysFake({ old: null }, 'old');
        const accessTaking = (ofCalls: readonly number[]): Access => {
          let calls = 0;
          const callTime = () => ofCalls[calls++ % ofCalls.length] ?? 0;
          return async (_, act) => {
            await time.sleep(callTime());
            const result = act();
            await time.sleep(callTime());
            return result;
          };
        };
        const access = accessTaking(times);
        const read = accessTaking(readTimes);
        let usedAtMs = Number.POSITIVE_INFINITY;
        const faults: string[] = [];

        async function rotate(): Promise<void> {
          await time.sleep(ROTATION_AT_MS);
          const ports = keys.ports((operation, act) =>
            operation.startsWith('pause')
              ? time.sleep(Number(operation.split(' ')[1])).then(act)
              : access(operation, () => {
                  if (operation.startsWith('use')) usedAtMs = time.now().getTime();
                  return act();
                }),
          );
          await rotateSigningKey(ports, { rotate: true, leaked, now: time.now() });
        }

        async function logIn(atMs: number): Promise<Token> {
          await time.sleep(atMs);
          return access('in use', () => ({
            kid: keys.used.at(-1) ?? '',
            isOfAfter: usedAtMs < Number.POSITIVE_INFINITY,
          }));
        }

        const isTrusted = ([, expiresAt]: [string, Date | null]) => expiresAt === null || expiresAt > time.now();
        const published = () => [...keys.published].filter(isTrusted).map(([kid]) => ({ ...publicKey, kid }));
        const readers = [0, 1].map(() => cachedPublicKeys(() => read('published', published), time));

        async function use(token: Promise<Token> | null, reader: number, atMs: number): Promise<void> {
          const issued = await token;
          await time.sleep(Math.max(0, START + atMs - time.now().getTime()));
          const shownAtMs = time.now().getTime();
          const kid = issued?.kid ?? 'forged';
          const outcome = await readers[reader]!({ kid }).then(
            () => 'accepted',
            () => 'refused',
          );
          if (!mayBe(issued, shownAtMs).includes(outcome)) faults.push(`${kid} is ${outcome} at ${shownAtMs - START}`);
        }

        /** What may become of a token that a reader is shown at this time. */
        function mayBe(issued: Token | null, shownAtMs: number): string[] {
          if (!issued) return ['refused'];
          if (!leaked || issued.isOfAfter) return ['accepted'];
          return shownAtMs > usedAtMs + 60_000 ? ['refused'] : ['accepted', 'refused'];
        }

        void rotate();
        const tokens = loginsAtMs.map(logIn);
        for (const { token, reader, atMs } of allUses) {
          void use(token === null ? null : (tokens[token % tokens.length] ?? null), reader, atMs);
        }
        await time.run();
        expect(faults).toEqual([]);
        expect(keys.used).toEqual(['old', 'new-1']);
      }),
      { numRuns: 300, examples: slowReads },
    );
  },
);
