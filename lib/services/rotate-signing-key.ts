/** A public key as it is published; `expiresAt`: until when it is trusted, null while its private key is in use. */
export interface PublishedKey<Public> {
  readonly publicKey: Public;
  readonly expiresAt: Date | null;
}

/** A private key, and the public key that checks what it signs. */
export interface KeyPair<Public, Private> {
  readonly publicKey: Public;
  readonly privateKey: Private;
}

/** A key that shall come into use in place of others, which end with that. */
export interface Replacement<Public, Private> extends KeyPair<Public, Private> {
  /** The end with which the new key was published. */
  readonly publishedUntil: Date;
  readonly old: readonly Public[];
  readonly oldExpireAt: Date;
}

/** Where the keys are made and kept; a private key can be put into use, but not be read. */
export interface SigningKeyStore<Public, Private> {
  generate(): Promise<KeyPair<Public, Private>>;
  /** All public keys, those that have expired too. */
  published(): Promise<PublishedKey<Public>[]>;
  /** Makes the public key of a new pair known. */
  publish(publicKey: Public, expiresAt: Date): Promise<void>;
  /** Publishes a pair and puts it into use, in one step; false when there is one in use. */
  useFirst(pair: KeyPair<Public, Private>): Promise<boolean>;
  /** Puts a published pair into use and ends the old ones, in one step; false when any of them is no longer as it was. */
  replace(replacement: Replacement<Public, Private>): Promise<boolean>;
  /** Brings the end of a public key forward; never puts it off, and never brings a key back. */
  end(publicKey: Public, expiresAt: Date): Promise<void>;
  removeExpired(publicKey: Public, now: Date): Promise<void>;
  pause(ms: number): Promise<unknown>;
}

/** What is asked for: a new key if `rotate`, else only the first one; if `leaked`, no other key is trusted any longer. */
export interface Rotation {
  readonly rotate: boolean;
  readonly leaked: boolean;
  readonly now: Date;
}

// Its tokens end within the hour; until long after, one of them shall be told from a forged one.
const RETIRED_FOR_MS = 90 * 86_400_000;
// A verifier that has read the keys a moment ago does not read them again at once.
const PUBLISHED_BEFORE_USE_MS = 2_000;
// Longer than any rotation takes: when one dies on its way, its key ends by itself.
const PENDING_FOR_MS = 600_000;

/**
 * Makes the first signing key; or a new one in place of the one in use, which is retired, and removes what has expired.
 * When a key has leaked, all others are withdrawn: their tokens end at once.
 */
export async function rotateSigningKey<Public extends { readonly kid: string }, Private>(
  store: SigningKeyStore<Public, Private>,
  rotation: Rotation,
): Promise<'created' | 'rotated' | 'kept'> {
  const { rotate, leaked, now } = rotation;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const pair = await store.generate();
  if (!rotate) return (await store.useFirst(pair)) ? 'created' : 'kept';

  const publishedUntil = after(PENDING_FOR_MS);
  await store.publish(pair.publicKey, publishedUntil);
  await store.pause(PUBLISHED_BEFORE_USE_MS);

  const others = (await store.published()).filter(({ publicKey }) => publicKey.kid !== pair.publicKey.kid);
  const keysThat = (fit: (expiresAt: Date | null) => boolean) =>
    others.filter(({ expiresAt }) => fit(expiresAt)).map(({ publicKey }) => publicKey);
  const old = keysThat((expiresAt) => expiresAt === null);
  const oldExpireAt = leaked ? now : after(RETIRED_FOR_MS);
  // Refused when another rotation was faster: what has to be ended is to be read again.
  if (!(await store.replace({ ...pair, publishedUntil, old, oldExpireAt }))) return rotateSigningKey(store, rotation);

  if (leaked) {
    const retired = keysThat((expiresAt) => expiresAt !== null && expiresAt > now);
    await Promise.all(retired.map((key) => store.end(key, now)));
  }
  const expired = keysThat((expiresAt) => expiresAt !== null && expiresAt <= now);
  await Promise.all(expired.map((key) => store.removeExpired(key, now)));
  return old.length > 0 ? 'rotated' : 'created';
}
