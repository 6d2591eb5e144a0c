/** What is told of samples: half of them are at most `p50`, 95 of 100 at most `p95`. */
export interface Summary {
  /** In the order in which they were taken. */
  readonly samples: readonly number[];
  readonly p50: number;
  readonly p95: number;
}

/** The sample below or at which this share of all samples lies; NaN when there is none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median and the 95th percentile of samples. */
export function summaryOf(samples: readonly number[]): Summary {
  return { samples, p50: quantile(samples, 0.5), p95: quantile(samples, 0.95) };
}

/**
 * How many times as much one took as the other: the median of the ratios of each round, which move less than the
 * samples themselves when the machine has other work. NaN when one was not measured.
 */
export function ratioOf(one: Summary | undefined, other: Summary | undefined): number {
  const ratios = one?.samples.map((sample, round) => sample / (other?.samples[round] ?? Number.NaN)) ?? [];
  return ratios.some(Number.isNaN) ? Number.NaN : quantile(ratios, 0.5);
}
