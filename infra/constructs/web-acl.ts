import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';

/** The limit in 5 minutes: twenty users with the same address, each at the limit of both groups (40 a minute). */
const REQUESTS_PER_ADDRESS = 4000;

/** The limit of the login, which computes a password before it knows the user; a user needs one login per hour. */
const LOGINS_PER_ADDRESS = 300;

/** The limit of the legacy route, where every call computes a password: five users at the limit of both groups. */
const LEGACY_CALLS_PER_ADDRESS = 1000;

/**
 * Rules that only count, because the interface allows what they would reject: a body of up to 1 MiB, and a client
 * without User-Agent.
 */
const onlyCounted = ['SizeRestrictions_BODY', 'NoUserAgent_HEADER'];

/** Matches the paths that contain a text. A path begins with the stage, unless the API has a custom domain. */
function matchPath(searchString: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'CONTAINS',
      searchString,
      textTransformations: [
        { priority: 0, type: 'URL_DECODE' },
        { priority: 1, type: 'LOWERCASE' },
      ],
    },
  };
}

const redactedHeaders = ['authorization', 'x-api-key'];

/** Adds a web ACL to the API: AWS's rules for common attacks and known bad inputs, and limits by source address. */
export function addWebAcl(scope: Construct, api: RestApi, deployment: Deployment): void {
  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('all'),
    rules: [
      limitByAddress('source-address', 0, { limit: REQUESTS_PER_ADDRESS }),
      limitByAddress('login', 1, { limit: LOGINS_PER_ADDRESS, scopeDownStatement: matchPath('/v1/login') }),
      limitByAddress('legacy', 2, { limit: LEGACY_CALLS_PER_ADDRESS, scopeDownStatement: matchPath('/legacy/') }),
      managedRules('AWSManagedRulesCommonRuleSet', 3, onlyCounted),
      managedRules('AWSManagedRulesKnownBadInputsRuleSet', 4),
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
  // AWS WAF requires this prefix of the name. A group that outlives the stack would prevent the creation of the next
  // stack.
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
