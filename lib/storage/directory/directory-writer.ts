import type { Attributes, RecordChange } from '../../admin/ports/directory-records.ts';
import type { Key } from '../dynamodb/key.ts';

/** An item of Directory: its key and its attributes. */
export type DirectoryItem = Key & Attributes;

/** A change of a record, by the key of its item and with the numbers that are stored. */
type ItemChange = Omit<RecordChange, 'key'> & { readonly key: Key };

/** A change as a part of a transaction, on the condition that the item is still as it was read. */
export function toWrite(TableName: string, { key, before, after }: ItemChange) {
  if (!before) {
    const absent = { TableName, ConditionExpression: 'attribute_not_exists(pk)' };
    return after ? { Put: { ...absent, Item: { ...key, ...after } } } : { ConditionCheck: { ...absent, Key: key } };
  }
  const names = Object.keys({ ...before, ...after });
  const each = (write: (name: string, index: number) => string | null) =>
    names.map(write).filter((part) => part !== null);
  const values = (prefix: string, attributes: Attributes) =>
    Object.fromEntries(
      names.flatMap((name, index) =>
        attributes[name] === undefined ? [] : [[`:${prefix}${index}`, attributes[name]]],
      ),
    );
  const asRead = each((name, index) =>
    before[name] === undefined ? `attribute_not_exists(#n${index})` : `#n${index} = :b${index}`,
  );
  const unchanged = {
    TableName,
    Key: key,
    ConditionExpression: asRead.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
    ExpressionAttributeValues: values('b', before),
  };
  if (after === undefined) return { ConditionCheck: unchanged };
  if (after === null) return { Delete: unchanged };

  const set = each((name, index) => (after[name] === undefined ? null : `#n${index} = :a${index}`));
  const removed = each((name, index) => (after[name] === undefined ? `#n${index}` : null));
  return {
    Update: {
      ...unchanged,
      UpdateExpression: [
        ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
        ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
      ].join(' '),
      ExpressionAttributeValues: { ...values('b', before), ...values('a', after) },
    },
  };
}
