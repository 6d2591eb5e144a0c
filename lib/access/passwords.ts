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

// Matches the PHC string of a hash: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>` (Base64 without padding).
const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<lanes>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/;

// A hash that no password matches. Its check makes the response for an unknown user as slow as for a known user.
const UNKNOWN_USER_HASH = formatPhc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/** Hashes a password with argon2id and a random salt. Returns a PHC string, which contains salt and parameters. */
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
  return formatPhc(salt, tag);
}

/** True if the password matches the PHC string. Null (no user, no password) never matches, and takes the same time. */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const parts = PHC.exec(phc ?? UNKNOWN_USER_HASH)?.groups;
  if (!parts) throw new Error('A stored password hash is not an argon2id PHC string.');
  const { memory, passes, lanes, salt = '', tag = '' } = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await deriveKey('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(lanes),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && phc !== null;
}

function formatPhc(salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${toBase64(salt)}$${toBase64(tag)}`;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

const PROOF_LIFETIME_MS = 300_000;
const MAX_PROOFS = 1_000;

/**
 * Creates a function that verifies a password, and remembers a success for 5 minutes. The legacy route needs it,
 * because its callers send the password with every request.
 *
 * A proof is an HMAC of the stored hash and the password, with the API key of the caller. The API key is not stored.
 * Without its 122 random bits, a proof reveals nothing about the password. After the password changes, the proof no
 * longer matches the stored hash. The function does not check whether the user is active.
 */
export function createCachedPasswordVerifier(
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
