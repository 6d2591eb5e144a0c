import { generateSigningKey } from '../lib/auth/key-pairs.ts';
import { pause } from '../lib/runtime/backoff.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { tableName } from '../lib/runtime/env.ts';
import { newUuid } from '../lib/runtime/ids.ts';
import { Logger } from '../lib/runtime/logger.ts';
import { rotateSigningKey } from '../lib/services/rotate-signing-key.ts';
import { createDocumentClient } from '../lib/storage/dynamodb/document-client.ts';
import { createSigningKeyTables } from '../lib/storage/access/signing-key-tables.ts';

const names = { directory: tableName('DIRECTORY'), signingKeys: tableName('SIGNING_KEYS') };
const ports = {
  tables: createSigningKeyTables(createDocumentClient(), names),
  generate: () => generateSigningKey(newUuid()),
  pause,
};

/** What is asked for: a new key (`rotate`), or one after which the tokens of all others end (`leaked`). */
export interface RotationRequest {
  readonly rotate?: boolean;
  readonly leaked?: boolean;
}

/** Makes sure that there is a signing key, or makes a new one. Says what it did. */
export async function handler(request: RotationRequest): Promise<{ outcome: 'created' | 'rotated' | 'kept' }> {
  const leaked = request.leaked === true;
  const rotate = leaked || request.rotate === true;
  const outcome = await rotateSigningKey(ports, { rotate, leaked, now: systemClock.now() });
  new Logger().info('signing key', { outcome, leaked });
  return { outcome };
}
