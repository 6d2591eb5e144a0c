import { randomUUID } from 'node:crypto';
import { hashApiKey } from '../../../../lib/access/access-rules.ts';
import type { EngineCall } from '../../../support/engine/engine-calls.ts';
import type { Callers } from './callers.ts';

/** A call to be sent again; `after`: the indexes of the calls that must have ended before. */
export interface ReplayedCall {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly after: readonly number[];
}

/**
 * Converts the calls of a user of one supplier to calls of the user with the same index of another supplier, whose data
 * are equal, so that all conditions are met. No transaction is taken for a repetition.
 */
export function mirrorCalls(recorded: readonly EngineCall[], from: Callers, to: Callers, user: number): ReplayedCall[] {
  const calls = recorded.toSorted((a, b) => a.startMs - b.startMs);
  const names = (callers: Callers) => [
    callers.scope.tenant,
    callers.scope.supplierId,
    callers.all[user]?.user.companyId ?? '',
    callers.all[user]?.user.userId ?? '',
    hashApiKey(callers.apiKey),
  ];
  const [old, replaced] = [names(from), names(to)];
  return calls.map(({ headers, body, startMs }) => {
    const { host: _host, connection: _connection, ...passed } = headers;
    const mirrored = old.reduce((text, name, index) => text.replaceAll(name, replaced[index] ?? ''), body);
    // The entries of a request have its id in their key, which is the same for both suppliers.
    const renewed = mirrored
      .replace(/("ClientRequestToken":")[^"]+/, `$1${randomUUID()}`)
      .replaceAll('"REQUEST#', '"REQUEST#again-');
    return {
      headers: { ...passed, 'content-length': String(Buffer.byteLength(renewed)) },
      body: renewed,
      after: calls.flatMap((before, index) => (before.endMs < startMs ? [index] : [])),
    };
  });
}
