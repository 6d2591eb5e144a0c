import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind } from '../support/engine/engine-faults.ts';
import type { EngineProxy } from '../support/engine/engine-proxy.ts';

const everywhere = ['refuse', 'lose-answer', 'deliver-late', 'answer-late', 'error', 'throttle'] as const;

const kindsOf: Readonly<Record<string, readonly FaultKind[]>> = {
  Query: everywhere,
  UpdateItem: everywhere,
  BatchGetItem: [...everywhere, 'unprocessed', 'half-unprocessed'],
  TransactWriteItems: [...everywhere, 'conflict', 'throttled-item'],
};

/** Lets a share of all calls fail, in every way that is possible; late ones are up to `maxHoldMs` late. */
export function failInEveryWay(proxy: EngineProxy, total: number, maxHoldMs: number, random: () => number): void {
  for (const [operation, kinds] of Object.entries(kindsOf)) {
    for (const how of kinds) {
      proxy.fail({ operation, how, share: total / kinds.length, wait: () => sleep(random() * maxHoldMs) });
    }
  }
}
