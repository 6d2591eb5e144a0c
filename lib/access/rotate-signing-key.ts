import { DAY_MS } from '../domain/iso-date.ts';
import type { SigningKey } from './sign-token.ts';
import type { PublicJwk } from './tokens.ts';

/** A published key. Its tokens are trusted until `expiresAt`. The value is null while the private key is in use. */
export interface PublishedKey {
  readonly publicKey: PublicJwk;
  readonly expiresAt: Date | null;
  /** The time at which the private key came into use; null before it. */
  readonly activeSince: Date | null;
}

export interface KeyPair {
  readonly publicKey: PublicJwk;
  readonly privateKey: SigningKey;
}

/** The store of the keys. It can activate a pair, which returns false if a key has changed. It reads no private key. */
export interface SigningKeyTables {
  readPublished(): Promise<PublishedKey[]>;
  publish(publicKey: PublicJwk, expiresAt: Date): Promise<void>;
  /** Publishes and activates a pair in one transaction. The result is false if there is an active key. */
  activateFirst(pair: KeyPair, activeSince: Date): Promise<boolean>;
  /** Activates a published pair and sets the end of the old keys, in one transaction. */
  replace(
    pair: KeyPair & {
      readonly publishedUntil: Date;
      readonly activeSince: Date;
      readonly oldKeys: readonly PublicJwk[];
      readonly oldKeysExpireAt: Date;
    },
  ): Promise<boolean>;
  /** Sets an earlier end of a public key. It never sets a later end, and never restores a removed key. */
  setEarlierEnd(publicKey: PublicJwk, expiresAt: Date): Promise<void>;
  removeExpired(publicKey: PublicJwk, now: Date): Promise<void>;
}

export interface RotationPorts {
  readonly tables: SigningKeyTables;
  readonly generate: () => Promise<KeyPair>;
  readonly pause: (ms: number) => Promise<unknown>;
}

export interface Rotation {
  /** True if a new key replaces the current one. Otherwise a key is created only if there is none. */
  readonly rotate: boolean;
  /** True if all other keys are withdrawn. */
  readonly leaked: boolean;
  readonly now: Date;
}

/** The age of a signing key, in days, at which the next run of the rotation replaces it. */
export const MAX_KEY_AGE_DAYS = 30;

// Tokens expire within an hour. While their key is published, an old token gets TOKEN_EXPIRED, and not UNAUTHORIZED.
const RETIRED_KEY_LIFETIME_MS = 90 * DAY_MS;
// A process that does not know a key reads the keys again if its last read is more than a second ago.
const PUBLICATION_LEAD_MS = 2_000;
// The end of a key that is not active yet. A rotation is faster, so only the key of an interrupted rotation expires.
const PENDING_KEY_LIFETIME_MS = 600_000;

/** Returns the age of the signing key in use, in days; 0 if there is no key. */
export function getKeyAgeDays(keys: readonly PublishedKey[], now: Date): number {
  const keysInUse = keys.filter(({ expiresAt }) => expiresAt === null);
  const ages = keysInUse.map(({ activeSince }) => (now.getTime() - Number(activeSince)) / DAY_MS);
  return keysInUse.length === 0 ? 0 : Math.min(...ages);
}

/**
 * Creates the first signing key, or replaces the current key and removes expired keys. A replaced key signs no new
 * tokens, but its tokens remain valid. After a leak, all other keys are withdrawn, so that their tokens are rejected.
 */
export async function rotateSigningKey(
  ports: RotationPorts,
  rotation: Rotation,
): Promise<'created' | 'rotated' | 'kept'> {
  const { tables, generate, pause } = ports;
  const { rotate, leaked, now } = rotation;
  const addToNow = (ms: number) => new Date(now.getTime() + ms);
  const pair = await generate();
  if (!rotate) return (await tables.activateFirst(pair, now)) ? 'created' : 'kept';

  // The public key is published before the private key signs tokens, so that every process can verify the first token.
  const publishedUntil = addToNow(PENDING_KEY_LIFETIME_MS);
  await tables.publish(pair.publicKey, publishedUntil);
  await pause(PUBLICATION_LEAD_MS);

  const publishedKeys = await tables.readPublished();
  const otherKeys = publishedKeys.filter(({ publicKey }) => publicKey.kid !== pair.publicKey.kid);
  const selectKeys = (matches: (expiresAt: Date | null) => boolean) =>
    otherKeys.filter(({ expiresAt }) => matches(expiresAt)).map(({ publicKey }) => publicKey);
  const oldKeys = selectKeys((expiresAt) => expiresAt === null);
  const oldKeysExpireAt = leaked ? now : addToNow(RETIRED_KEY_LIFETIME_MS);
  const isReplaced = await tables.replace({ ...pair, publishedUntil, activeSince: now, oldKeys, oldKeysExpireAt });
  // Another rotation has changed the keys after they were read. Therefore the rotation starts again.
  if (!isReplaced) return rotateSigningKey(ports, rotation);

  if (leaked) {
    const retiredKeys = selectKeys((expiresAt) => expiresAt !== null && expiresAt > now);
    await Promise.all(retiredKeys.map((key) => tables.setEarlierEnd(key, now)));
  }
  const expiredKeys = selectKeys((expiresAt) => expiresAt !== null && expiresAt <= now);
  await Promise.all(expiredKeys.map((key) => tables.removeExpired(key, now)));
  return oldKeys.length > 0 ? 'rotated' : 'created';
}
