import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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
