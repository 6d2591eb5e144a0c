import { getKeyAgeDays, MAX_KEY_AGE_DAYS, rotateSigningKey } from '../lib/access/rotate-signing-key.ts';
import { generateSigningKey } from '../lib/access/sign-token.ts';
import { pause } from '../lib/runtime/attempts.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { newUuid } from '../lib/runtime/ids.ts';
import { buildEmbeddedMetrics, Logger } from '../lib/runtime/logger.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createSigningKeyTables } from '../lib/tables/signing-key-tables.ts';

const tables = createSigningKeyTables(createTableClient(), {
  directory: getTableName('DIRECTORY'),
  signingKeys: getTableName('SIGNING_KEYS'),
});
const ports = { tables, generate: () => generateSigningKey(newUuid()), pause };

/** `rotate` creates a new key. `leaked` does the same, and also ends the tokens of all other keys. */
export interface RotationRequest {
  readonly rotate?: boolean;
  readonly leaked?: boolean;
}

/**
 * Creates a signing key if there is none, if the key is 30 days old, or on request. Returns whether the key was created,
 * rotated or kept, and reports the age of the key in use as a metric.
 */
export async function handler(request: RotationRequest): Promise<{ outcome: 'created' | 'rotated' | 'kept' }> {
  const now = systemClock.now();
  const leaked = request.leaked === true;
  const ageDays = getKeyAgeDays(await tables.readPublished(), now);
  const rotate = leaked || request.rotate === true || ageDays >= MAX_KEY_AGE_DAYS;
  const outcome = await rotateSigningKey(ports, { rotate, leaked, now });
  const metrics = buildEmbeddedMetrics({ SigningKeyAgeDays: outcome === 'kept' ? ageDays : 0 }, now);
  new Logger().info('signing key', { outcome, leaked, ...metrics });
  return { outcome };
}
