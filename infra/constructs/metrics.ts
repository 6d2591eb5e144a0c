import { Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../config.ts';

/** Creates a metric that the functions write. The default is the sum over 5 minutes, the period of the CDK. */
export function createServiceMetric(scope: Construct, metricName: string, options: MetricOptions = {}): Metric {
  const dimensionsMap = { service: Stack.of(scope).stackName };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic: Stats.SUM, ...options });
}
