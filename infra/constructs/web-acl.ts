import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';

/** In 5 minutes: twenty users behind one address, each at the limit of both of its groups, 40 a minute. */
const REQUESTS_PER_ADDRESS = 4000;

/** Of these to the login, which computes a password before it knows anybody: a user needs one an hour. */
const LOGINS_PER_ADDRESS = 300;

/**
 * Rules that would refuse what the interface allows, and only count: a body of up to 1 MiB, a client that does not name
 * itself.
 */
const onlyCounted = ['SizeRestrictions_BODY', 'NoUserAgent_HEADER'];

/** The path begins with the stage, unless the API has a domain of its own. */
const toLogin: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'CONTAINS',
    searchString: '/v1/login',
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'LOWERCASE' },
    ],
  },
};

const redactedHeaders = ['authorization', 'x-api-key'];

/** Puts a web ACL in front of the API: AWS's common and known-bad-input rules, and limits by source address. */
export function addWebAcl(scope: Construct, api: RestApi, deployment: Deployment): void {
  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('all'),
    rules: [
      limitByAddress('source-address', 0, { limit: REQUESTS_PER_ADDRESS }),
      limitByAddress('login', 1, { limit: LOGINS_PER_ADDRESS, scopeDownStatement: toLogin }),
      managedRules('AWSManagedRulesCommonRuleSet', 2, onlyCounted),
      managedRules('AWSManagedRulesKnownBadInputsRuleSet', 3),
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
  // AWS WAF writes to no group whose name begins otherwise; one that outlived the stack would be in the way of the
  // next.
  const logs = new LogGroup(scope, 'waf-logs', {
    logGroupName: `aws-waf-logs-${deployment.stackName}`,
    retention: deployment.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  new CfnLoggingConfiguration(scope, 'WebAclLogging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [
      Stack.of(scope).formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: logs.logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    redactedFields: redactedHeaders.map((name) => ({ singleHeader: { Name: name } })),
  });
}

function limitByAddress(
  name: string,
  priority: number,
  limits: Omit<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType'>,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', ...limits } },
    visibilityConfig: visibility(name),
  };
}

function managedRules(name: string, priority: number, counted: readonly string[] = []): CfnWebACL.RuleProperty {
  const ruleActionOverrides = counted.map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name, ruleActionOverrides } },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
