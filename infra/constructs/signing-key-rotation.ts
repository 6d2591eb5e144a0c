import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';
import { signingKeyRotation } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/** The function that creates and replaces the signing key, and its schedule. */
export type SigningKeyRotation = ReturnType<typeof rotateSigningKey>;

/** Makes sure after a deployment that a signing key exists, and replaces it every 30 days. */
export function rotateSigningKey(scope: Construct, tables: Tables, deployment: Deployment) {
  const handler = createFunction(scope, signingKeyRotation, tables, deployment);
  new Trigger(scope, 'EnsureSigningKey', { handler });
  const schedule = new Rule(scope, 'RotateSigningKey', {
    schedule: Schedule.rate(Duration.days(30)),
    targets: [new LambdaFunction(handler, { event: RuleTargetInput.fromObject({ rotate: true }) })],
  });
  return { handler, schedule };
}
