import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshalled } from './unmarshalled.ts';

/** What became of a write with a condition; `current`: the item as it is now, when the write asks for it. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly current: object | undefined }
  | { readonly kind: 'condition-failed'; readonly current: object | undefined };

/** Waits for a write with a condition; it throws when anything else than the condition stands against the write. */
export async function conditionalWrite(write: Promise<{ Attributes?: object | undefined }>): Promise<WriteOutcome> {
  try {
    const { Attributes } = await write;
    return { kind: 'written', current: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { kind: 'condition-failed', current: unmarshalled(error.Item) };
  }
}
