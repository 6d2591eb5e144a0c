import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { createLogGroup } from './service-function.ts';

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

/** Adds a web ACL to the API: AWS's rules for common attacks and known bad inputs, and limits by source address. */
export function addWebAcl(scope: Construct, api: RestApi, deployment: Deployment): void {
  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('all'),
    rules: [
      // In 5 minutes: twenty users with the same address, each at the limit of both groups (40 a minute).
      limitByAddress('source-address', 0, { limit: 4000 }),
      // The login computes a password before it knows the user; a user needs one login per hour.
      limitByAddress('login', 1, { limit: 300, scopeDownStatement: matchPath('/v1/login') }),
      // On the legacy route, every call computes a password: five users at the limit of both groups.
      limitByAddress('legacy', 2, { limit: 1000, scopeDownStatement: matchPath('/legacy/') }),
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
  const logName = `aws-waf-logs-${deployment.stackName}`;
  const logs = createLogGroup(scope, 'waf-logs', { ...deployment, keepData: false }, logName);
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
    redactedFields: ['authorization', 'x-api-key'].map((name) => ({ singleHeader: { Name: name } })),
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
