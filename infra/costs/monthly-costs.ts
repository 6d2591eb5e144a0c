import { prices } from './prices.ts';
import {
  type Capacity,
  fixed,
  importOf25,
  logs,
  type RequestKind,
  requestKinds,
  storedBytesPerSupplier,
  tracing,
} from './workload.ts';

const GIGABYTE = 1024 ** 3;
const kinds: readonly RequestKind[] = Object.values(requestKinds);

/** What a number of suppliers costs in a month, in US dollars, by what it is paid for. */
export function monthlyCosts(suppliers: number): Readonly<Record<string, number>> {
  const requests = suppliers * total(({ perMonth }) => perMonth);
  const gigabyteSeconds =
    suppliers * total(({ perMonth, durationMs, memoryGigabytes }) => (perMonth * durationMs * memoryGigabytes) / 1000);
  const capacity = total(({ perMonth, capacity: used }) => perMonth * priceOf(used));
  const stored = (suppliers * storedBytesPerSupplier) / GIGABYTE;
  const logged = (requests * logs.bytesPerRequest) / GIGABYTE;
  const sent = (suppliers * total(({ perMonth, answerBytes }) => perMonth * answerBytes)) / GIGABYTE;
  const firstsOfSeconds = Math.min(requests, tracing.busySeconds);
  const traces = firstsOfSeconds + (requests - firstsOfSeconds) * tracing.shareOfOthers;
  return {
    'API Gateway, data sent': requests * prices.gatewayRequest + sent * prices.sentGigabyte,
    Lambda: requests * prices.functionRequest + gigabyteSeconds * prices.functionGigabyteSecond,
    'DynamoDB, reads and writes': suppliers * (capacity + importOf25.perMonth * priceOf(importOf25.capacity)),
    'DynamoDB, a year of data, with recovery': stored * (prices.storedGigabyteMonth + prices.recoverableGigabyteMonth),
    'Logs, kept for 3 months': logged * (prices.loggedGigabyte + logs.months * prices.keptLogGigabyteMonth),
    Traces: traces * prices.trace,
    'Metrics, alarms, dashboard':
      fixed.metrics * prices.metricMonth +
      fixed.alarmMetrics * prices.alarmMetricMonth +
      fixed.dashboards * prices.dashboardMonth,
    'Encryption keys': fixed.encryptionKeys * prices.encryptionKeyMonth,
  };
}

/** What a web ACL (the option `waf`) adds to a month's costs, without its log. */
export function webAclCosts(suppliers: number): number {
  const requests = suppliers * total(({ perMonth }) => perMonth);
  return prices.webAclMonth + fixed.webAclRules * prices.webAclRuleMonth + requests * prices.webAclRequest;
}

function total(of: (kind: RequestKind) => number): number {
  return kinds.reduce((sum, kind) => sum + of(kind), 0);
}

function priceOf({ readUnits, writeUnits }: Capacity): number {
  return readUnits * prices.readUnit + writeUnits * prices.writeUnit;
}
