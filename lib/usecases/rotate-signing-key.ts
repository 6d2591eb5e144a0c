/** A key pair for signing tokens, with its key id. */
interface KeyPair<Public, Private> {
  readonly publicKey: Public;
  readonly privateKey: Private;
}

/** Where the keys are made and kept. */
export interface SigningKeyStore<Public, Private> {
  generate(): Promise<KeyPair<Public, Private>>;
  current(): Promise<Private | null>;
  publicPartOf(privateKey: Private): Public;
  /** Publishes a public key; `expiresAt`: until when it is needed, null while its private key is in use. */
  publish(publicKey: Public, expiresAt: Date | null): Promise<void>;
  use(privateKey: Private): Promise<void>;
}

// Tokens of the old key live for an hour, and a signer may keep that key for minutes.
const RETIRED_FOR_MS = 2 * 3_600_000;

/** Makes a signing key and retires the one in use; unless `rotate`, only when there is none yet. */
export async function rotateSigningKey<Public, Private>(
  store: SigningKeyStore<Public, Private>,
  { rotate, now }: { rotate: boolean; now: Date },
): Promise<'created' | 'rotated' | 'kept'> {
  const old = await store.current();
  if (old && !rotate) return 'kept';
  const { publicKey, privateKey } = await store.generate();
  // Published before it is used, so that no verifier meets a token that it cannot check.
  await store.publish(publicKey, null);
  await store.use(privateKey);
  if (!old) return 'created';
  await store.publish(store.publicPartOf(old), new Date(now.getTime() + RETIRED_FOR_MS));
  return 'rotated';
}
