import type { KeyPair, PairWrite, RotationPorts } from '../../../lib/access/rotate-signing-key.ts';

/** Lets an access to the tables happen: at once, later, or never when whoever wanted it has crashed. */
export type Access = <Result>(operation: string, run: () => Result) => Promise<Result>;

/** The conditions of the tables of signing keys, over keys in memory. */
export class SigningKeysFake {
  /** The ends of the public keys, by key id. */
  readonly published: Map<string, Date | null>;
  /** The keys that were put into use, in this order. */
  readonly used: string[] = [];
  #made = 0;

  constructor(published: Readonly<Record<string, Date | null>> = {}, inUse?: string) {
    this.published = new Map(Object.entries(published));
    if (inUse !== undefined) this.used.push(inUse);
  }

  /** The ports over these tables, whose accesses go one by one. */
  ports(access: Access): RotationPorts {
    const { published, used } = this;
    const use = (kid: string) => {
      published.set(kid, null);
      used.push(kid);
    };
    const refuseUnless = (allowed: boolean, write: () => void): PairWrite => {
      if (allowed) write();
      return { kind: allowed ? 'written' : 'refused' };
    };
    return {
      generate: async () => pairOf(`new-${++this.#made}`),
      pause: (ms) => access(`pause ${ms}`, () => {}),
      tables: {
        readPublished: () =>
          access('published', () => [...published].map(([kid, expiresAt]) => ({ publicKey: { kid }, expiresAt }))),
        publish: ({ kid }, expiresAt) => access(`publish ${kid}`, () => void published.set(kid, expiresAt)),
        activateFirst: ({ publicKey: { kid } }) =>
          access(`use first ${kid}`, () => refuseUnless(used.length === 0, () => use(kid))),
        replace: ({ publicKey: { kid }, publishedUntil, old, oldExpireAt }) =>
          access(`use ${kid}, end ${old.map((key) => key.kid).join()} ${oldExpireAt.toISOString()}`, () => {
            const asPublished = published.get(kid)?.getTime() === publishedUntil.getTime();
            return refuseUnless(asPublished && old.every((key) => published.get(key.kid) === null), () => {
              use(kid);
              for (const key of old) published.set(key.kid, oldExpireAt);
            });
          }),
        setEarlierEnd: ({ kid }, expiresAt) =>
          access(`end ${kid} ${expiresAt.toISOString()}`, () => {
            const before = published.get(kid);
            if (before && before > expiresAt) published.set(kid, expiresAt);
          }),
        removeExpired: ({ kid }) => access(`remove ${kid}`, () => void published.delete(kid)),
      },
    };
  }
}

function pairOf(kid: string): KeyPair {
  return { publicKey: { kid }, privateKey: { kid, privateJwk: {} } };
}
