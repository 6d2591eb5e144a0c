import type { SigningKeyStore } from '../../../lib/services/rotate-signing-key.ts';

/** Lets an access to the tables happen: at once, later, or never when whoever wanted it has crashed. */
export type Access = <Result>(operation: string, run: () => Result) => Promise<Result>;

/** The conditions of the tables of signing keys, over keys in memory; a private key is its own key id. */
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

  /** A store over these tables, whose accesses go one by one. */
  store(access: Access): SigningKeyStore<{ readonly kid: string }, string> {
    const { published, used } = this;
    const use = (kid: string) => {
      published.set(kid, null);
      used.push(kid);
    };
    return {
      generate: () => {
        const kid = `new-${++this.#made}`;
        return Promise.resolve({ publicKey: { kid }, privateKey: kid });
      },
      published: () =>
        access('published', () => [...published].map(([kid, expiresAt]) => ({ publicKey: { kid }, expiresAt }))),
      publish: ({ kid }, expiresAt) => access(`publish ${kid}`, () => void published.set(kid, expiresAt)),
      useFirst: ({ privateKey: kid }) =>
        access(`use first ${kid}`, () => {
          if (used.length > 0) return false;
          use(kid);
          return true;
        }),
      replace: ({ privateKey: kid, publishedUntil, old, oldExpireAt }) =>
        access(`use ${kid}, end ${old.map((key) => key.kid).join()} ${oldExpireAt.toISOString()}`, () => {
          const asPublished = published.get(kid)?.getTime() === publishedUntil.getTime();
          if (!asPublished || old.some((key) => published.get(key.kid) !== null)) return false;
          use(kid);
          for (const key of old) published.set(key.kid, oldExpireAt);
          return true;
        }),
      end: ({ kid }, expiresAt) =>
        access(`end ${kid} ${expiresAt.toISOString()}`, () => {
          const before = published.get(kid);
          if (before && before > expiresAt) published.set(kid, expiresAt);
        }),
      removeExpired: ({ kid }) => access(`remove ${kid}`, () => void published.delete(kid)),
      pause: (ms) => access(`pause ${ms}`, () => {}),
    };
  }
}
