/** List prices of us-east-1 in US dollars, November 2026, without free tiers and volume discounts. */
export const prices = {
  gatewayRequest: 3.5 / 1e6,
  functionRequest: 0.2 / 1e6,
  functionGigabyteSecond: 0.0000133334,
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  storedGigabyteMonth: 0.25,
  recoverableGigabyteMonth: 0.2,
  loggedGigabyte: 0.5,
  keptLogGigabyteMonth: 0.03,
  metricMonth: 0.3,
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  encryptionKeyMonth: 1,
  trace: 5 / 1e6,
  sentGigabyte: 0.09,
} as const;
