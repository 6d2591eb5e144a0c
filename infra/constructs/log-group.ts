import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';

/**
 * Creates a log group that forgets after the stage's time, and outlives the stack where the stage keeps its data; its
 * name is made up unless it is given.
 */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logRetentionDays, keepData }: StageConfig,
  logGroupName?: string,
): LogGroup {
  return new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: logRetentionDays,
    removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}
