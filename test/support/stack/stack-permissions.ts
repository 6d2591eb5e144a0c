import { getVariant } from './stack-variants.ts';

const { resources, findResources, getResource } = await getVariant({ stage: 'dev' });

/** A statement of a policy. `resources` contains the construct paths of the template. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly condition: Condition | undefined;
}

type Condition = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

type Reference = string | { Ref: string } | { 'Fn::GetAtt': [string, string] } | { 'Fn::Join': [string, Reference[]] };

interface Policy {
  readonly PolicyDocument: {
    readonly Statement: readonly {
      readonly Effect: string;
      readonly Action: string | readonly string[];
      readonly Resource: Reference | readonly Reference[];
      readonly Condition?: Condition;
    }[];
  };
}

interface RoleProperties {
  readonly ManagedPolicyArns?: readonly unknown[];
  readonly Policies?: readonly Policy[];
}

/** Finds the logical id of the role of a function. */
export function findRoleId(functionName: string): string {
  return getResource('AWS::IAM::Role', `${functionName}-role`).id;
}

/**
 * Lists the permissions of a role, one line for each action and resource, such as `dynamodb:Query Invoices`.
 * A condition is appended as ` if <JSON>`, and a managed policy is `managed <JSON>`.
 */
export function listPermissions(roleId: string): string[] {
  const managed = findRoleProperties(roleId).flatMap(({ ManagedPolicyArns = [] }) => ManagedPolicyArns);
  return [
    ...listStatements(roleId).flatMap(toLines),
    ...managed.map((arn) => `managed ${JSON.stringify(arn)}`),
  ].toSorted();
}

/** Lists the Allow statements of all policies of a role. */
export function listStatements(roleId: string): Permission[] {
  const policies = findResources<Policy & { Roles: { Ref: string }[] }>('AWS::IAM::Policy')
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === roleId));
  const inline = findRoleProperties(roleId).flatMap(({ Policies = [] }) => Policies);
  return [...policies, ...inline].flatMap((policy) => readStatements(policy, 'Allow'));
}

/** Lists the Allow (or Deny) statements of a managed policy, by its construct id. */
export function listManagedStatements(name: string, effect = 'Allow'): Permission[] {
  return readStatements(getResource<Policy>('AWS::IAM::ManagedPolicy', name).Properties, effect);
}

function readStatements({ PolicyDocument }: Policy, effect: string): Permission[] {
  return PolicyDocument.Statement.filter(({ Effect }) => Effect === effect).map((statement) => ({
    actions: [statement.Action].flat(),
    resources: [statement.Resource].flat().map(toName),
    condition: statement.Condition,
  }));
}

function findRoleProperties(roleId: string): RoleProperties[] {
  return findResources<RoleProperties>('AWS::IAM::Role')
    .filter(({ id }) => id === roleId)
    .map(({ Properties }) => Properties);
}

function toLines({ actions, resources: names, condition }: Permission): string[] {
  const suffix = condition === undefined ? '' : ` if ${JSON.stringify(condition)}`;
  return actions.flatMap((action) => names.map((name) => `${action} ${name}${suffix}`));
}

function toName(reference: Reference): string {
  if (typeof reference === 'string') return reference;
  if ('Ref' in reference) return reference.Ref;
  if ('Fn::Join' in reference) return reference['Fn::Join'][1].map(toName).join('');
  const [resourceId] = reference['Fn::GetAtt'];
  return resources.find(({ id }) => id === resourceId)?.path ?? resourceId;
}
