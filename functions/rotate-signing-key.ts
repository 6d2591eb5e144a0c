import { rotateSigningKeyPorts } from '../lib/composition/handler-ports.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { Logger } from '../lib/runtime/logger.ts';
import { rotateSigningKey } from '../lib/services/rotate-signing-key.ts';

const ports = rotateSigningKeyPorts();

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
