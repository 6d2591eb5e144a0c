import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

/** A part of an update: actions, conditions that must all be true, and the names and values of both. */
export interface UpdatePart {
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly add?: readonly string[];
  readonly conditions?: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Builds one update from several parts. If a condition fails, the error contains the current item. */
export function buildUpdate(TableName: string, Key: object, parts: readonly UpdatePart[]) {
  const clauses: string[] = [];
  for (const clause of ['set', 'remove', 'add'] as const) {
    const actions = parts.flatMap((part) => part[clause] ?? []);
    if (actions.length > 0) clauses.push(`${clause.toUpperCase()} ${actions.join(', ')}`);
  }
  const conditions = parts.flatMap((part) => part.conditions ?? []);
  const names: Record<string, string> = Object.assign({}, ...parts.map((part) => part.names));
  const values: Record<string, unknown> = Object.assign({}, ...parts.map((part) => part.values));
  return {
    TableName,
    Key,
    UpdateExpression: clauses.length > 0 ? clauses.join(' ') : undefined,
    ConditionExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    ExpressionAttributeNames: Object.keys(names).length > 0 ? names : undefined,
    ExpressionAttributeValues: Object.keys(values).length > 0 ? values : undefined,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } satisfies UpdateCommandInput;
}

/** Builds the part that sets the time to live of an item, from Unix milliseconds. */
export function buildExpiry(timeMs: number): UpdatePart {
  return { set: ['#ttl = :ttl'], names: { '#ttl': 'ttl' }, values: { ':ttl': Math.ceil(timeMs / 1000) } };
}
