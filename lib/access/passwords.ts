import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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

/** Hashes a password (NFC) with argon2id and a random salt. Returns a PHC string with salt and parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await deriveKey('argon2id', {
    message: password.normalize('NFC'),
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
    message: password.normalize('NFC'),
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
