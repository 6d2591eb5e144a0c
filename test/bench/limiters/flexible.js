import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { RateLimiterDynamo, RateLimiterRes } from 'rate-limiter-flexible';

const limiter = new RateLimiterDynamo({
  storeClient: new DynamoDB({}),
  tableName: process.env.LIMITER_TABLE,
  tableCreated: true,
  ttlSet: true,
  points: 30,
  duration: 60,
});

const machineNow = Date.now;

export const handler = async ({ subject, nowMs }) => {
  // The limiter asks the clock itself.
  Date.now = () => nowMs;
  try {
    await limiter.consume(subject);
    return { statusCode: 200, body: 'allowed' };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { statusCode: 200, body: 'refused' };
    throw refusal;
  } finally {
    Date.now = machineNow;
  }
};
