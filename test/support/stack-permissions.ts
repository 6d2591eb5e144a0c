import { resources, resourcesOfType, theResource } from './stack-template.ts';

type Reference = string | { 'Fn::GetAtt': [string, string] } | { 'Fn::Join': [string, Reference[]] };

interface Policy {
  readonly PolicyDocument: {
    readonly Statement: readonly {
      readonly Effect: string;
      readonly Action: string | readonly string[];
      readonly Resource: Reference | readonly Reference[];
      readonly Condition?: unknown;
    }[];
  };
}

interface RoleProperties {
  readonly ManagedPolicyArns?: readonly unknown[];
  readonly Policies?: readonly Policy[];
}

/** The role of a function of the service. */
export function roleOf(functionName: string): string {
  return theResource('AWS::IAM::Role', `${functionName}-role`).id;
}

/**
 * What a role may do, one line for each action on each resource, such as `dynamodb:Query Invoices/index/by-date`;
 * a condition follows as ` if <JSON>`, a managed policy reads `managed <JSON>`.
 */
export function permissionsOf(roleId: string): string[] {
  const roles = resourcesOfType<RoleProperties>('AWS::IAM::Role').filter(({ id }) => id === roleId);
  const policies = resourcesOfType<Policy & { Roles: { Ref: string }[] }>('AWS::IAM::Policy')
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === roleId));
  const inline = roles.flatMap(({ Properties }) => Properties.Policies ?? []);
  const managed = roles.flatMap(({ Properties }) => Properties.ManagedPolicyArns ?? []);
  return [
    ...[...policies, ...inline].flatMap(permissionsIn),
    ...managed.map((arn) => `managed ${JSON.stringify(arn)}`),
  ].toSorted();
}

function permissionsIn({ PolicyDocument }: Policy): string[] {
  return PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap((statement) => {
    const condition = statement.Condition === undefined ? '' : ` if ${JSON.stringify(statement.Condition)}`;
    const names = [statement.Resource].flat().map(nameOf);
    return [statement.Action].flat().flatMap((action) => names.map((name) => `${action} ${name}${condition}`));
  });
}

function nameOf(reference: Reference): string {
  if (typeof reference === 'string') return reference;
  if ('Fn::Join' in reference) return reference['Fn::Join'][1].map(nameOf).join('');
  const [resourceId] = reference['Fn::GetAtt'];
  return resources.find(({ id }) => id === resourceId)?.path ?? resourceId;
}
