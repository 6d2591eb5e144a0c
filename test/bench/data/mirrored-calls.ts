import { randomUUID } from 'node:crypto';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import type { RecordedCall } from '../processes/recorder.ts';
import type { Callers } from './callers.ts';

/** A call to be sent again; `after`: the places of the calls that must have ended before. */
export interface ReplayedCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly after: readonly number[];
}

/**
 * The calls of a user of one supplier as those of the same user of another, whose data are the same: all conditions
 * hold there too. No transaction is taken for a repetition.
 */
export function mirroredCalls(
  recorded: readonly RecordedCall[],
  from: Callers,
  to: Callers,
  user: number,
): ReplayedCall[] {
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
    const mirrored = old.reduce((text, name, index) => text.replaceAll(name, replaced[index] ?? ''), body);
    // The entries for a request have its id in their key, which both suppliers have in common.
    const renewed = mirrored
      .replace(/("ClientRequestToken":")[^"]+/, `$1${randomUUID()}`)
      .replaceAll('"REQUEST#', '"REQUEST#again-');
    return {
      headers: { ...headers, 'content-length': String(Buffer.byteLength(renewed)) },
      body: renewed,
      after: calls.flatMap((before, index) => (before.endMs < startMs ? [index] : [])),
    };
  });
}
