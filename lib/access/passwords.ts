import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createLruCache } from '../runtime/lru-cache.ts';

const deriveKey = promisify(argon2);

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 iterations, 1 degree of parallelism.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// The hash of no password, with which an unknown user takes as long as a known one.
const NOBODY = toPhc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/** Hashes a password with argon2id at OWASP's parameters, as a PHC string with its own random salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await deriveKey('argon2id', {
    message: password,
    nonce: salt,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
  });
  return toPhc(salt, tag);
}

/** True if the password matches the PHC string. Null (no such user, or no password) takes as long and never matches. */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const match = PHC.exec(phc ?? NOBODY);
  if (!match) throw new Error('A stored password hash is not an argon2id PHC string.');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await deriveKey('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && phc !== null;
}

function toPhc(salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${base64(salt)}$${base64(tag)}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

const PROOF_LIFETIME_MS = 300_000;
const MAX_PROOFS = 1_000;

/**
 * Creates a function that remembers for 5 minutes that a password was verified, for callers that send it with every
 * request.
 *
 * A proof is an HMAC of the password with the API key of the caller. The key is not kept, and without its 122 random
 * bits a proof reveals nothing about the password. A proof belongs to one stored hash, so it ends when the password
 * changes. Whether the user is active is checked elsewhere.
 */
export function createPasswordProofs(
  verify: typeof verifyPassword,
  clock: { now(): Date },
): (password: string, hash: string | null, apiKey: string) => Promise<boolean> {
  const proofs = createLruCache<{ readonly digest: Buffer; readonly expiresMs: number }>(MAX_PROOFS);

  return async (password, hash, apiKey) => {
    if (hash === null) return verify(password, hash);
    const nowMs = clock.now().getTime();
    const digest = createHmac('sha256', apiKey).update(hash).update(password).digest();
    const proof = proofs.get(hash);
    if (proof && nowMs < proof.expiresMs && timingSafeEqual(proof.digest, digest)) return true;
    if (!(await verify(password, hash))) return false;
    proofs.set(hash, { digest, expiresMs: nowMs + PROOF_LIFETIME_MS });
    return true;
  };
}
