import type { StackTemplate } from './read-template.ts';

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Value: unknown }[];
}

interface Alarm extends Metric {
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period: number;
  /** Present instead of a single metric: an expression and the metrics that it names. */
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: Metric; readonly Stat: string; readonly Period: number };
  }[];
  readonly Threshold: number;
  readonly DatapointsToAlarm: number;
  readonly EvaluationPeriods: number;
}

/** The name of an alarm, its metrics with their dimensions, and the threshold for how many of how many periods. */
type AlarmRow = readonly [name: string, metrics: string, condition: string];

/**
 * Converts the alarms of a template to rows that a test can list.
 *
 * @example
 * ['login-throttles', 'Sum of AWS/Lambda Throttles in 300 s (login)', '> 0 in 2 of 3'];
 */
export function toAlarmRows({ resources, resourcesOfType }: StackTemplate): AlarmRow[] {
  const paths = new Map(resources.map(({ id, path }) => [id, path]));
  // Resolves references to construct paths: { Ref: 'login68DC89FC' } to "login".
  const valueText = (value: unknown): string => {
    if (typeof value === 'string') return paths.get(value) ?? value;
    const [name = '', argument] = Object.entries(value as object)[0] ?? [];
    return [argument]
      .flat(2)
      .map(valueText)
      .join(name === 'Fn::GetAtt' ? '.' : '');
  };
  const metricText = (statistic: string, { Namespace, MetricName, Dimensions }: Metric, seconds: number) => {
    const dimensions = Dimensions.map(({ Value }) => valueText(Value)).join(', ');
    return `${statistic} of ${Namespace} ${MetricName} in ${seconds} s (${dimensions})`;
  };
  return resourcesOfType<Alarm>('AWS::CloudWatch::Alarm').map(({ path, Properties: alarm }) => {
    const { Metrics, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
    const metrics = Metrics
      ? Metrics.reduce(
          (text, { Id, MetricStat }) =>
            MetricStat ? text.replace(Id, metricText(MetricStat.Stat, MetricStat.Metric, MetricStat.Period)) : text,
          Metrics.find(({ Expression }) => Expression)?.Expression ?? '',
        )
      : metricText(alarm.Statistic ?? alarm.ExtendedStatistic ?? '', alarm, alarm.Period);
    return [path.replace(/-alarm$/, ''), metrics, `> ${Threshold} in ${DatapointsToAlarm} of ${EvaluationPeriods}`];
  });
}
