import { generateSigningKey } from '../lib/auth/key-pairs.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { tableName } from '../lib/runtime/env.ts';
import { newUuid } from '../lib/runtime/ids.ts';
import { logger } from '../lib/runtime/logger.ts';
import { createDocumentClient } from '../lib/storage/document-client.ts';
import {
  createPublicKeyReader,
  createPublicKeyWriter,
  createSigningKeyWriter,
} from '../lib/storage/signing-key-tables.ts';
import { rotateSigningKey } from '../lib/usecases/rotate-signing-key.ts';

const client = createDocumentClient();
const store = {
  generate: () => generateSigningKey(newUuid()),
  published: createPublicKeyReader(client, tableName('DIRECTORY'), systemClock),
  use: createSigningKeyWriter(client, tableName('SIGNING_KEYS')),
  publish: createPublicKeyWriter(client, tableName('DIRECTORY')),
};

/** Makes sure that there is a signing key; with `rotate: true`, makes a new one. Says what it did. */
export async function handler(event: { rotate?: boolean }): Promise<{ outcome: 'created' | 'rotated' | 'kept' }> {
  const outcome = await rotateSigningKey(store, { rotate: event.rotate === true, now: systemClock.now() });
  logger.info('signing key', { outcome });
  return { outcome };
}
