import { expect, it } from 'vitest';
import { buildUpdate } from '../../../lib/tables/dynamodb/updates.ts';

it('buildUpdate joins the actions, conditions, names and values of all parts', () => {
  const parts = [
    { set: ['#a = :a'], names: { '#a': 'a' }, values: { ':a': 1 }, conditions: ['attribute_exists(pk)'] },
    { set: ['b = :b'], remove: ['c'], add: ['d :d'], values: { ':b': 2, ':d': 3 }, conditions: ['b < :b'] },
  ];
  expect(buildUpdate('T', { pk: 'p' }, parts)).toEqual({
    TableName: 'T',
    Key: { pk: 'p' },
    UpdateExpression: 'SET #a = :a, b = :b REMOVE c ADD d :d',
    ConditionExpression: 'attribute_exists(pk) AND b < :b',
    ExpressionAttributeNames: { '#a': 'a' },
    ExpressionAttributeValues: { ':a': 1, ':b': 2, ':d': 3 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
});

// DynamoDB rejects an empty expression. The embedded engine accepts it.
it('buildUpdate omits each expression that would be empty', () => {
  const expected = { TableName: 'T', Key: { pk: 'p' }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  expect(buildUpdate('T', { pk: 'p' }, [{}])).toEqual(expected);
});
