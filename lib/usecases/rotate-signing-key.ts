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
}

// Tokens of the old key live for an hour, and a signer may keep that key for minutes.
const RETIRED_FOR_MS = 2 * 3_600_000;

/** Makes a signing key and retires the one in use; unless `rotate`, only when there is none yet. */
export async function rotateSigningKey<Public, Private>(
  store: SigningKeyStore<Public, Private>,
  { rotate, now }: { rotate: boolean; now: Date },
): Promise<'created' | 'rotated' | 'kept'> {
  const before = await store.published();
  const { publicKey, privateKey } = await store.generate();
  // Published before it is used, so that no verifier meets a token that it cannot check.
  await store.publish({ publicKey, expiresAt: null });
  if (!(await store.use(privateKey, { replace: rotate }))) {
    await store.publish({ publicKey, expiresAt: now });
    return 'kept';
  }
  const expiresAt = new Date(now.getTime() + RETIRED_FOR_MS);
  const inUse = before.filter((key) => key.expiresAt === null);
  await Promise.all(inUse.map((old) => store.publish({ publicKey: old.publicKey, expiresAt })));
  return inUse.length > 0 ? 'rotated' : 'created';
}
