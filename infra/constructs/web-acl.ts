import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { createLogGroup } from './service-function.ts';

/**
 * The rules that only count requests. They would reject requests that the interface allows: a body of up to 1 MiB, and a
 * client without User-Agent.
 */
const COUNTED_RULES = ['SizeRestrictions_BODY', 'NoUserAgent_HEADER'];

/** Builds a statement for paths that contain a text. Without a custom domain, a path begins with the stage. */
function buildPathStatement(searchString: string): CfnWebACL.StatementProperty {
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
    visibilityConfig: buildVisibility('all'),
    rules: [
      // The limits are for 5 minutes. A user can send 30 reads and 10 writes a minute; twenty users with one address send
      // 20 × 40 × 5 = 4000.
      limitByAddress('source-address', 0, { limit: 4000 }),
      // The login hashes a password before the user is authenticated. A user needs one login per hour.
      limitByAddress('login', 1, { limit: 300, scopeDownStatement: buildPathStatement('/v1/login') }),
      // On the legacy route, every call hashes a password. Five users at their limits send 5 × 40 × 5 = 1000.
      limitByAddress('legacy', 2, { limit: 1000, scopeDownStatement: buildPathStatement('/legacy/') }),
      useManagedRules('AWSManagedRulesCommonRuleSet', 3, COUNTED_RULES),
      useManagedRules('AWSManagedRulesKnownBadInputsRuleSet', 4),
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
  // AWS WAF requires this prefix of the name. The group never outlives the stack, because the next stack could then not
  // create a group with the same name.
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
    visibilityConfig: buildVisibility(name),
  };
}

/** Builds a rule that applies a rule group of AWS. Some of its rules can only count. */
function useManagedRules(name: string, priority: number, countedRules: readonly string[] = []): CfnWebACL.RuleProperty {
  const ruleActionOverrides = countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name, ruleActionOverrides } },
    visibilityConfig: buildVisibility(name),
  };
}

function buildVisibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
