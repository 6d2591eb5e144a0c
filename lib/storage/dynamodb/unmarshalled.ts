import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** The item that came with a failed condition, which the document client leaves in its wire form. */
export function unmarshalled(item: Record<string, AttributeValue> | undefined): object | undefined {
  return item && unmarshall(item, { wrapNumbers: true });
}
