import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { createLogGroup } from './service-function.ts';

interface AddressLimit {
  readonly name: string;
  /** The requests that an address can send in 5 minutes. */
  readonly limit: number;
  /** A string that the path of a limited request contains. By default, all requests are limited. */
  readonly pathPart?: string;
}

const ADDRESS_LIMITS: readonly AddressLimit[] = [
  // A user can send 30 reads and 10 writes a minute. In 5 minutes, 20 users with one address send 20 × 40 × 5 = 4000.
  { name: 'source-address', limit: 4000 },
  // The login hashes a password before the user is authenticated. A user needs one login per hour.
  { name: 'login', limit: 300, pathPart: '/v1/login' },
  // On the legacy route, every call hashes a password. Five users at their limits send 5 × 40 × 5 = 1000.
  { name: 'legacy', limit: 1000, pathPart: '/legacy/' },
];

/** The rule groups of AWS. The listed rules only count requests, because the interface allows what they would block. */
const MANAGED_RULE_GROUPS = {
  AWSManagedRulesCommonRuleSet: ['SizeRestrictions_BODY', 'NoUserAgent_HEADER'],
  AWSManagedRulesKnownBadInputsRuleSet: [],
};

/** Adds a web ACL to the API: AWS's rules for common attacks and known bad inputs, and limits by source address. */
export function addWebAcl(scope: Construct, api: RestApi, deployment: Deployment): void {
  const addressRules = ADDRESS_LIMITS.map(buildAddressRule);
  const managedRules = Object.entries(MANAGED_RULE_GROUPS).map(buildManagedRule);
  const rules = [...addressRules, ...managedRules];
  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: buildVisibility('all'),
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
  // AWS WAF requires the prefix. A kept group would block a new stack, whose group has the same name, so it is not kept.
  const logName = `aws-waf-logs-${deployment.stackName}`;
  const logs = createLogGroup(scope, 'waf-logs', { ...deployment, keepData: false }, logName);
  const { partition, region, account } = Stack.of(scope);
  new CfnLoggingConfiguration(scope, 'WebAclLogging', {
    resourceArn: acl.attrArn,
    // AWS WAF takes the ARN of a log group without the suffix `:*`, which `logGroupArn` has.
    logDestinationConfigs: [`arn:${partition}:logs:${region}:${account}:log-group:${logs.logGroupName}`],
    redactedFields: ['authorization', 'x-api-key'].map((name) => ({ singleHeader: { Name: name } })),
  });
}

function buildAddressRule({ name, limit, pathPart }: AddressLimit) {
  const limitedPath = pathPart === undefined ? {} : { scopeDownStatement: buildPathStatement(pathPart) };
  return {
    name,
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit, ...limitedPath } },
    visibilityConfig: buildVisibility(name),
  };
}

/** Builds a statement for paths that contain a string. Without a custom domain, the stage precedes it in the path. */
function buildPathStatement(pathPart: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'CONTAINS',
      searchString: pathPart,
      textTransformations: [
        { priority: 0, type: 'URL_DECODE' },
        { priority: 1, type: 'LOWERCASE' },
      ],
    },
  };
}

function buildManagedRule([name, countedRules]: [string, readonly string[]]) {
  const ruleActionOverrides = countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name, ruleActionOverrides } },
    visibilityConfig: buildVisibility(name),
  };
}

function buildVisibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
