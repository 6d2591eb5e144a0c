import type { TableName } from '../../../infra/routes.ts';
import type { Permission } from './stack-permissions.ts';

/** An IAM action on a table, with the values of the condition keys that policies can use. */
export interface TableAction {
  readonly action: string;
  /** The table, or an index such as `Invoices/index/lists`. */
  readonly table: TableName | `${TableName}/index/${string}`;
  readonly context: Readonly<Record<string, readonly string[]>>;
}

type AttributeMap = Readonly<Record<string, { readonly S?: string }>>;

interface Request {
  readonly TableName?: string;
  readonly Key?: AttributeMap;
  readonly Item?: AttributeMap;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: AttributeMap;
  readonly ProjectionExpression?: string;
  readonly FilterExpression?: string;
  readonly IndexName?: string;
  readonly Select?: string;
  readonly ReturnValues?: string;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly AttributeMap[] }>>;
  readonly Statement?: string;
  readonly Parameters?: readonly { readonly S?: string }[];
  readonly TransactItems?: readonly Readonly<Record<'Get' | 'Put' | 'Update' | 'Delete' | 'ConditionCheck', Request>>[];
}

const ACTIONS = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};
const WORDS = /#?[a-z]\w*/gi;
const KEYWORDS = new Set([
  'SET',
  'REMOVE',
  'ADD',
  'AND',
  'OR',
  'NOT',
  'attribute_exists',
  'attribute_not_exists',
  'if_not_exists',
  'contains',
  'size',
]);

/** Lists the IAM actions that a call to DynamoDB needs. */
export function listActions(
  operation: string,
  input: object,
  toTableName: (table: string) => TableName,
): TableAction[] {
  const request = input as Request;
  if (request.TransactItems) {
    return request.TransactItems.flatMap((item) =>
      Object.entries(item).flatMap(([kind, part]) =>
        listActions(ACTIONS[kind as keyof typeof ACTIONS], part, toTableName),
      ),
    );
  }
  if (request.RequestItems) {
    return Object.entries(request.RequestItems).map(([table, { Keys }]) => ({
      action: operation,
      table: toTableName(table),
      context: { 'dynamodb:LeadingKeys': Keys.map(({ pk }) => pk?.S ?? '') },
    }));
  }
  if (request.Statement !== undefined) {
    // The only statement is `INSERT INTO "…" VALUE {'pk': ?, …}` of the operator record.
    const table = toTableName(request.Statement.split('"')[1] ?? '');
    return [
      { action: 'PartiQLInsert', table, context: { 'dynamodb:LeadingKeys': [request.Parameters?.[0]?.S ?? ''] } },
    ];
  }
  const { Key, Item, ExpressionAttributeValues: values = {}, IndexName, Select, ReturnValues } = request;
  const leadingKey = (Key ?? Item)?.['pk']?.S ?? readPartitionValue(request.KeyConditionExpression, values);
  const context = {
    ...(leadingKey !== null && { 'dynamodb:LeadingKeys': [leadingKey] }),
    ...(Select !== undefined && { 'dynamodb:Select': [Select] }),
    'dynamodb:Attributes': [...Object.keys(Key ?? Item ?? {}), ...listAttributeNames(request)],
    ...(ReturnValues && { 'dynamodb:ReturnValues': [ReturnValues] }),
  };
  const table = toTableName(request.TableName ?? '');
  return [{ action: operation, table: IndexName === undefined ? table : `${table}/index/${IndexName}`, context }];
}

/** True if one of the statements is about the action, so that it allows or denies the action. */
export function isPermitted({ action, table, context }: TableAction, statements: readonly Permission[]): boolean {
  const replaceVariables = (pattern: string) =>
    pattern.replaceAll(/\$\{(.+?)\}/g, (_, key: string) => context[key]?.[0] ?? '');
  return statements.some(
    ({ actions, resources, condition = {} }) =>
      actions.some((pattern) => matchesPattern(`dynamodb:${action}`, pattern)) &&
      resources.some((pattern) => matchesPattern(table, pattern)) &&
      Object.entries(condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, values]) =>
          meetsCondition(operator, context[key], [values].flat().map(replaceVariables)),
        ),
      ),
  );
}

function meetsCondition(operator: string, values: readonly string[] | undefined, allowed: readonly string[]): boolean {
  switch (operator) {
    case 'ForAllValues:StringLike':
      return (values ?? []).every((value) => allowed.some((pattern) => matchesPattern(value, pattern)));
    case 'ForAnyValue:StringNotLike':
      return (values ?? []).some((value) => !allowed.some((pattern) => matchesPattern(value, pattern)));
    case 'Null':
      return String(values === undefined) === allowed[0];
    case 'StringEquals':
      return values !== undefined && values.every((value) => allowed.includes(value));
    case 'StringEqualsIfExists':
      return values === undefined || values.every((value) => allowed.includes(value));
    default:
      throw new Error(`The operator ${operator} is not supported.`);
  }
}

function matchesPattern(value: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
}

function listAttributeNames({
  UpdateExpression = '',
  ConditionExpression = '',
  ProjectionExpression = '',
  FilterExpression = '',
  ExpressionAttributeNames: names = {},
}: Request) {
  const expression = [UpdateExpression, ConditionExpression, ProjectionExpression, FilterExpression]
    .join(' ')
    .replaceAll(/:\w+/g, '');
  const words = expression.match(WORDS) ?? [];
  return words.filter((word) => !KEYWORDS.has(word)).map((word) => names[word] ?? word);
}

/** Returns the partition key of a query, or null for a request without a key. */
function readPartitionValue(condition: string | undefined, values: AttributeMap): string | null {
  if (condition === undefined) return null;
  const [, name = ''] = /^\w+ = (:\w+)/.exec(condition) ?? [];
  return values[name]?.S ?? '';
}
