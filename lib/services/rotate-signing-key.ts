import type { PublicJwk } from '../auth/key-cache.ts';
import type { SigningKey } from '../auth/tokens.ts';

/** A public key as it is published; `expiresAt`: until when it is trusted, null while its private key is in use. */
export interface PublishedKey {
  readonly publicKey: PublicJwk;
  readonly expiresAt: Date | null;
}

/** A private key, and the public key that checks what it signs. */
export interface KeyPair {
  readonly publicKey: PublicJwk;
  readonly privateKey: SigningKey;
}

/** A key that comes into use in place of others, which get an end at that moment. */
export interface Replacement extends KeyPair {
  /** The end with which the new key was published. */
  readonly publishedUntil: Date;
  readonly old: readonly PublicJwk[];
  readonly oldExpireAt: Date;
}

/** Whether a pair was put into use; `refused`: the keys were not as the write expects them, and it changed nothing. */
export interface PairWrite {
  readonly kind: 'written' | 'refused';
}

/** Where the keys are kept; a private key can be put into use, but not be read. */
export interface SigningKeyTables {
  /** All public keys, those that have expired too. */
  published(): Promise<PublishedKey[]>;
  /** Makes the public key of a new pair known. */
  publish(publicKey: PublicJwk, expiresAt: Date): Promise<void>;
  /** Publishes a pair and puts it into use, in one step; refused when there is one in use. */
  useFirst(pair: KeyPair): Promise<PairWrite>;
  /** Puts a published pair into use and ends the old ones, in one step; refused when one of them has changed. */
  replace(replacement: Replacement): Promise<PairWrite>;
  /** Brings the end of a public key forward; never puts it off, and never brings a key back. */
  end(publicKey: PublicJwk, expiresAt: Date): Promise<void>;
  removeExpired(publicKey: PublicJwk, now: Date): Promise<void>;
}

/** What a rotation needs from its surroundings. */
export interface RotationPorts {
  readonly tables: SigningKeyTables;
  readonly generate: () => Promise<KeyPair>;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** What is asked for: a new key if `rotate`, else only the first one; if `leaked`, no other key stays trusted. */
export interface Rotation {
  readonly rotate: boolean;
  readonly leaked: boolean;
  readonly now: Date;
}

// Its tokens end within the hour; long after that, they can still be told from forged ones.
const RETIRED_FOR_MS = 90 * 86_400_000;
// A verifier that has just read the keys does not read them again at once.
const PUBLISHED_BEFORE_USE_MS = 2_000;
// Longer than any rotation takes: the key of one that stops halfway ends by itself.
const PENDING_FOR_MS = 600_000;

/**
 * Makes the first signing key; or a new one in place of the one in use, which is retired, and removes what has expired.
 * When a key has leaked, all others are withdrawn: their tokens end at once.
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
  // Another rotation was faster: the keys have to be read again.
  if (kind === 'refused') return rotateSigningKey(ports, rotation);

  if (leaked) {
    const retired = keysThat((expiresAt) => expiresAt !== null && expiresAt > now);
    await Promise.all(retired.map((key) => tables.end(key, now)));
  }
  const expired = keysThat((expiresAt) => expiresAt !== null && expiresAt <= now);
  await Promise.all(expired.map((key) => tables.removeExpired(key, now)));
  return old.length > 0 ? 'rotated' : 'created';
}
