// The calls of the service, made with a plain document client over one plain table.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createHash, randomUUID } from 'node:crypto';

const TableName = process.env.PEER_TABLE;
const WINDOW_MS = 60_000;
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Reads tenant, company, user, supplier and API key in one consistent read. */
export async function readAccess({ tenant, sub, company_id: company, supplier_id: supplier }, apiKey) {
  const hash = createHash('sha256').update(apiKey).digest('hex');
  const keys = ['TENANT', `COMPANY#${company}`, `USER#${sub}`, `SUPPLIER#${supplier}`];
  const Keys = [...keys.map((sk) => ({ pk: `TENANT#${tenant}`, sk })), { pk: `APIKEY#${hash}`, sk: 'APIKEY' }];
  const { Responses } = await documents.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
  );
  return Object.fromEntries(Responses[TableName].map((item) => [item.sk.split('#')[0].toLowerCase(), item]));
}

/** Counts a request if the oldest counted request has left the window. Returns how many remain. */
export async function countRequest(user, group, limit) {
  const now = Date.now();
  const field = (index) => `h${String(index).padStart(2, '0')}`;
  const shift = Array.from({ length: limit }, (_, index) =>
    index < limit - 1 ? `${field(index)} = if_not_exists(${field(index + 1)}, :never)` : `${field(index)} = :now`,
  );
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName,
      Key: { pk: `RATE#${user}#${group}`, sk: 'RATE' },
      UpdateExpression: `SET ${shift.join(', ')}, expires = :expires`,
      ConditionExpression: 'attribute_not_exists(h00) OR h00 <= :start',
      ExpressionAttributeValues: {
        ':now': now,
        ':never': 0,
        ':start': now - WINDOW_MS,
        ':expires': Math.ceil((now + WINDOW_MS) / 1000),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  const counted = Object.entries(Attributes).filter(([name, at]) => name.startsWith('h') && at > now - WINDOW_MS);
  return limit - counted.length;
}

/** Reads the counters of the months in a range. */
export async function readCounters(supplier, from, to) {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': `INVOICES#${supplier}`,
        ':first': `COUNT#${from.slice(0, 7)}#0`,
        ':last': `COUNT#${to.slice(0, 7)}#9`,
      },
      ConsistentRead: true,
    }),
  );
  return Items;
}

/** Reads the newest rows of a range. */
export async function readRows(supplier, from, to, limit) {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': `ROWS#${supplier}`, ':first': from, ':last': `${to}T99` },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items;
}

export async function readInvoice(supplier, id) {
  const Key = { pk: `INVOICES#${supplier}`, sk: id };
  const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item;
}

/**
 * Writes a declared invoice, its rows, its entry in the history, the record of the request and the counters of its
 * month in one transaction. `rule` contains the outcome, the tolerance and the user for the history.
 */
export async function writeDeclaration(invoice, month, rule) {
  const { pk, sk, version, concepts: _, declared_outcome: _outcome, ...listed } = invoice;
  const declared = Object.entries(invoice).filter(([name]) => /^decl|^provider|^system/.test(name));
  const revision = {
    pk: `HISTORY#${pk}#${sk}`,
    sk: randomUUID(),
    ...Object.fromEntries(declared),
    ...rule,
    declared_at: new Date().toISOString(),
    request_id: randomUUID(),
  };
  const row = { ...listed, pk: pk.replace('INVOICES', 'ROWS'), invoice_id: sk, search_text: sk };
  const sortKey = `${invoice.sort_date}#${sk.padStart(20, '0')}`;
  await documents.send(
    new TransactWriteCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName,
            Item: { ...invoice, version: version + 1 },
            ConditionExpression: 'version = :version',
            ExpressionAttributeValues: { ':version': version },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        { Delete: { TableName, Key: { pk: row.pk, sk: `S#PEN#${sortKey}` } } },
        { Put: { TableName, Item: { ...row, sk: sortKey } } },
        { Put: { TableName, Item: { ...row, sk: `S#APR#${sortKey}` } } },
        { Put: { TableName, Item: revision, ConditionExpression: 'attribute_not_exists(pk)' } },
        {
          Put: {
            TableName,
            Item: { pk: `REQUEST#${revision.request_id}`, sk: revision.sk, owner: pk, declarations: [`${sk}#1`] },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        {
          Update: {
            TableName,
            Key: { pk, sk: `COUNT#${month}#0` },
            UpdateExpression: 'ADD #from :less, #to :more, #day :fingerprint, changes :more',
            ExpressionAttributeNames: { '#from': '01PEN', '#to': '01APR', '#day': '01' },
            ExpressionAttributeValues: { ':less': -1, ':more': 1, ':fingerprint': 1 },
          },
        },
      ],
    }),
  );
}
