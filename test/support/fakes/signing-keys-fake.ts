import type { KeyPair, RotationPorts } from '../../../lib/access/rotate-signing-key.ts';

/** A function that runs an access to the tables: immediately, later, or never (the caller has crashed). */
export type Access = <Result>(operation: string, run: () => Result) => Promise<Result>;

/** The tables of signing keys in memory, with the write conditions of the real tables. */
export class SigningKeysFake {
  /** The expiry dates of the published keys, by key id. null: the key does not expire. */
  readonly published: Map<string, Date | null>;
  /** The ids of the keys that were put into use, oldest first. */
  readonly used: string[] = [];
  #generatedCount = 0;

  constructor(published: Readonly<Record<string, Date | null>> = {}, inUse?: string) {
    this.published = new Map(Object.entries(published));
    if (inUse !== undefined) this.used.push(inUse);
  }

  /** Returns ports for these tables that pass every access to `access`. */
  ports(access: Access): RotationPorts {
    const { published, used } = this;
    const putIntoUse = (kid: string) => {
      published.set(kid, null);
      used.push(kid);
    };
    const writeIf = (isAllowed: boolean, write: () => void): boolean => {
      if (isAllowed) write();
      return isAllowed;
    };
    return {
      generate: async () => buildPair(`new-${++this.#generatedCount}`),
      pause: (ms) => access(`pause ${ms}`, () => {}),
      tables: {
        readPublished: () =>
          access('published', () =>
            [...published].map(([kid, expiresAt]) => ({ publicKey: { kid }, expiresAt, activeSince: null })),
          ),
        publish: ({ kid }, expiresAt) => access(`publish ${kid}`, () => void published.set(kid, expiresAt)),
        activateFirst: ({ publicKey: { kid } }) =>
          access(`use first ${kid}`, () => writeIf(used.length === 0, () => putIntoUse(kid))),
        replace: ({ publicKey: { kid }, publishedUntil, oldKeys, oldKeysExpireAt }) =>
          access(`use ${kid}, end ${oldKeys.map((key) => key.kid).join()} ${oldKeysExpireAt.toISOString()}`, () => {
            const isUnchanged = published.get(kid)?.getTime() === publishedUntil.getTime();
            return writeIf(isUnchanged && oldKeys.every((key) => published.get(key.kid) === null), () => {
              putIntoUse(kid);
              for (const key of oldKeys) published.set(key.kid, oldKeysExpireAt);
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

function buildPair(kid: string): KeyPair {
  return { publicKey: { kid }, privateKey: { kid, privateJwk: {} } };
}
