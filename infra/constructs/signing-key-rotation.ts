import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import { signingKeyRotation } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/** Makes sure after a deployment that a signing key exists, and replaces it every 30 days; gives the function that does so. */
export function rotateSigningKey(scope: Construct, tables: Tables): IFunction {
  const handler = createFunction(scope, signingKeyRotation, tables);
  new Trigger(scope, 'EnsureSigningKey', { handler });
  new Rule(scope, 'RotateSigningKey', {
    schedule: Schedule.rate(Duration.days(30)),
    targets: [new LambdaFunction(handler, { event: RuleTargetInput.fromObject({ rotate: true }) })],
  });
  return handler;
}
