import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

type Bytes = ArrayBuffer | ArrayBufferView;

// Node takes longer to make a key of bytes than to sign with it, and the SDK signs with the same bytes for a day.
const keys = new WeakMap<object, KeyObject>();

/** SHA-256, or HMAC with SHA-256 where there is a secret: what the SDK signs its calls with. */
export class SigningHash {
  readonly #secret: string | Bytes | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: string | Bytes) {
    this.#secret = secret;
    this.#hash = begin(secret);
  }

  /** Begins anew. */
  reset(): void {
    this.#hash = begin(this.#secret);
  }

  /** Adds to what is hashed. */
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  /** The hash of all that was added; it can be asked for once. */
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function begin(secret: string | Bytes | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac('sha256', typeof secret === 'string' ? secret : keyOf(secret));
}

function keyOf(secret: Bytes): KeyObject {
  // Node accepts all types of bytes, but its type definitions do not.
  const key = keys.get(secret) ?? createSecretKey(secret as Uint8Array);
  keys.set(secret, key);
  return key;
}
