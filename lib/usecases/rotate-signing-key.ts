/** A public key as it is published; `expiresAt`: until when it is needed, null while its private key may be in use. */
export interface PublishedKey<Public> {
  readonly publicKey: Public;
  readonly expiresAt: Date | null;
}

/** Where the keys are made and kept; a private key can be put into use, but not be read. */
export interface SigningKeyStore<Public, Private> {
  generate(): Promise<{ publicKey: Public; privateKey: Private }>;
  /** The public keys that have not expired. */
  published(): Promise<PublishedKey<Public>[]>;
  publish(key: PublishedKey<Public>): Promise<void>;
  /** Puts a private key into use; unless `replace`, only when there is none yet. Says whether it is in use now. */
  use(privateKey: Private, options: { replace: boolean }): Promise<boolean>;
  pause(ms: number): Promise<unknown>;
}

// Its tokens end within the hour; until long after, one of them shall be told from a forged one.
const RETIRED_FOR_MS = 90 * 86_400_000;
// A verifier that has read the keys a moment ago does not read them again at once.
const PUBLISHED_BEFORE_USE_MS = 2_000;

/**
 * Makes a signing key and retires the one in use; unless `rotate`, only when there is none yet. When a key has `leaked`,
 * no other key than the new one is trusted any longer, and their tokens end at once.
 */
export async function rotateSigningKey<Public, Private>(
  store: SigningKeyStore<Public, Private>,
  { rotate, leaked, now }: { rotate: boolean; leaked: boolean; now: Date },
): Promise<'created' | 'rotated' | 'kept'> {
  const before = await store.published();
  const { publicKey, privateKey } = await store.generate();
  // Published before it is used, so that no verifier meets a token that it cannot check.
  await store.publish({ publicKey, expiresAt: null });
  if (rotate) await store.pause(PUBLISHED_BEFORE_USE_MS);
  if (!(await store.use(privateKey, { replace: rotate }))) {
    await store.publish({ publicKey, expiresAt: now });
    return 'kept';
  }
  const expiresAt = leaked ? now : new Date(now.getTime() + RETIRED_FOR_MS);
  const old = leaked ? before : before.filter((key) => key.expiresAt === null);
  await Promise.all(old.map((key) => store.publish({ publicKey: key.publicKey, expiresAt })));
  return old.length > 0 ? 'rotated' : 'created';
}
