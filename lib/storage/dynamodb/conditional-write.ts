import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** What became of a write with a condition; `current`: the item as it is now, when the write asks for it. */
export interface WriteOutcome {
  readonly kind: 'written' | 'refused';
  readonly current: object | undefined;
}

/** Waits for a write with a condition. Throws every error, except that the condition does not hold. */
export async function conditionalWrite(write: Promise<{ Attributes?: object | undefined }>): Promise<WriteOutcome> {
  try {
    const { Attributes } = await write;
    return { kind: 'written', current: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { kind: 'refused', current: unmarshalled(error.Item) };
  }
}

/** The item that came with a failed condition, which the document client leaves in its wire form. */
export function unmarshalled(item: Record<string, AttributeValue> | undefined): object | undefined {
  return item && unmarshall(item, { wrapNumbers: true });
}
