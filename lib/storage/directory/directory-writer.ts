import type { Key } from '../dynamodb/key.ts';

/** Attributes of an item; one that is absent or undefined is not there. */
export type Attributes = Readonly<Record<string, unknown>>;

/** An item of Directory: its key and its attributes. */
export type DirectoryItem = Key & Attributes;

/**
 * A change of some attributes of an item; its other attributes stay as they are. `before`: the attributes as they were
 * read (null: no item). `after`: what they become (null: the item is deleted); without it, the item is only checked.
 */
export interface DirectoryChange {
  readonly key: Key;
  readonly before: Attributes | null;
  readonly after?: Attributes | null;
}

/** A change as a part of a transaction, on the condition that the item is still as it was read. */
export function toWrite(TableName: string, { key, before, after }: DirectoryChange) {
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
