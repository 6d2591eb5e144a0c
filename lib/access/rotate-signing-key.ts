import type { PublicJwk, SigningKey } from './tokens.ts';

/** A published public key; `expiresAt`: the end of its trust, null while its private key is in use. */
export interface PublishedKey {
  readonly publicKey: PublicJwk;
  readonly expiresAt: Date | null;
}

export interface KeyPair {
  readonly publicKey: PublicJwk;
  readonly privateKey: SigningKey;
}

/** The result of activating a pair; `refused`: the keys have changed since they were read, and nothing was written. */
export interface PairWrite {
  readonly kind: 'written' | 'refused';
}

/** The store of the keys. It can put a private key into use, but cannot read one. */
export interface SigningKeyTables {
  published(): Promise<PublishedKey[]>;
  publish(publicKey: PublicJwk, expiresAt: Date): Promise<void>;
  /** Publishes and activates a pair in one transaction; refused if there is an active key. */
  useFirst(pair: KeyPair): Promise<PairWrite>;
  /** Activates a published pair and sets the end of the old keys, in one transaction; refused if a key has changed. */
  replace(
    pair: KeyPair & { readonly publishedUntil: Date; readonly old: readonly PublicJwk[]; readonly oldExpireAt: Date },
  ): Promise<PairWrite>;
  /** Sets an earlier end of a public key. It never sets a later one, and never restores a removed key. */
  end(publicKey: PublicJwk, expiresAt: Date): Promise<void>;
  removeExpired(publicKey: PublicJwk, now: Date): Promise<void>;
}

export interface RotationPorts {
  readonly tables: SigningKeyTables;
  readonly generate: () => Promise<KeyPair>;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** The options of a rotation. `rotate`: create a new key, not only the first one; `leaked`: withdraw all other keys. */
export interface Rotation {
  readonly rotate: boolean;
  readonly leaked: boolean;
  readonly now: Date;
}

// Its tokens expire within an hour. Until the key is removed, they can be distinguished from forged ones.
const RETIRED_FOR_MS = 90 * 86_400_000;
// A process that has just read the keys does not read them again at once.
const PUBLISHED_BEFORE_USE_MS = 2_000;
// Longer than any rotation takes, so that the key of an interrupted rotation expires.
const PENDING_FOR_MS = 600_000;

/**
 * Creates the first signing key, or replaces the current one, which is retired, and removes expired keys. After a leak,
 * all other keys are withdrawn, so that their tokens are rejected at once.
 */
export async function rotateSigningKey(
  ports: RotationPorts,
  rotation: Rotation,
): Promise<'created' | 'rotated' | 'kept'> {
  const { tables, generate, pause } = ports;
  const { rotate, leaked, now } = rotation;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const pair = await generate();
  if (!rotate) return (await tables.useFirst(pair)).kind === 'written' ? 'created' : 'kept';

  const publishedUntil = after(PENDING_FOR_MS);
  await tables.publish(pair.publicKey, publishedUntil);
  await pause(PUBLISHED_BEFORE_USE_MS);

  const others = (await tables.published()).filter(({ publicKey }) => publicKey.kid !== pair.publicKey.kid);
  const keysThat = (fit: (expiresAt: Date | null) => boolean) =>
    others.filter(({ expiresAt }) => fit(expiresAt)).map(({ publicKey }) => publicKey);
  const old = keysThat((expiresAt) => expiresAt === null);
  const oldExpireAt = leaked ? now : after(RETIRED_FOR_MS);
  const { kind } = await tables.replace({ ...pair, publishedUntil, old, oldExpireAt });
  // Another rotation was faster, so the keys must be read again.
  if (kind === 'refused') return rotateSigningKey(ports, rotation);

  if (leaked) {
    const retired = keysThat((expiresAt) => expiresAt !== null && expiresAt > now);
    await Promise.all(retired.map((key) => tables.end(key, now)));
  }
  const expired = keysThat((expiresAt) => expiresAt !== null && expiresAt <= now);
  await Promise.all(expired.map((key) => tables.removeExpired(key, now)));
  return old.length > 0 ? 'rotated' : 'created';
}
