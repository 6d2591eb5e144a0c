import { createRotationPorts } from '../lib/composition/handler-ports.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { Logger } from '../lib/runtime/logger.ts';
import { rotateSigningKey } from '../lib/access/rotate-signing-key.ts';

const ports = createRotationPorts();

/** `rotate` creates a new key. `leaked` does the same, and also ends the tokens of all other keys. */
export interface RotationRequest {
  readonly rotate?: boolean;
  readonly leaked?: boolean;
}

/** Creates a signing key if there is none, or on request. Returns whether the key was created, rotated or kept. */
export async function handler(request: RotationRequest): Promise<{ outcome: 'created' | 'rotated' | 'kept' }> {
  const leaked = request.leaked === true;
  const rotate = leaked || request.rotate === true;
  const outcome = await rotateSigningKey(ports, { rotate, leaked, now: systemClock.now() });
  new Logger().info('signing key', { outcome, leaked });
  return { outcome };
}
