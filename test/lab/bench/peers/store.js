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

/** Counts the invoices of a range. */
export async function countInvoices(supplier, from, to) {
  const { Count } = await documents.send(new QueryCommand({ ...buildQuery(supplier, from, to), Select: 'COUNT' }));
  return Count;
}

/** Reads the newest invoices of a range. */
export async function readNewestInvoices(supplier, from, to, limit) {
  const query = { ...buildQuery(supplier, from, to), Select: 'ALL_ATTRIBUTES', Limit: limit };
  const { Items } = await documents.send(new QueryCommand(query));
  return Items;
}

function buildQuery(supplier, from, to) {
  return {
    TableName,
    IndexName: 'lists',
    KeyConditionExpression: 'pk = :pk AND list_position BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': `INVOICES#${supplier}`, ':first': from, ':last': `${to}T99` },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
}

export async function readInvoice(supplier, id) {
  const Key = { pk: `INVOICES#${supplier}`, sk: id };
  const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item;
}

/**
 * Writes a declared invoice and the item of its history in one transaction. `rule` contains the outcome and the
 * tolerance for the history.
 */
export async function writeDeclaration(invoice, rule) {
  const { pk, sk, version } = invoice;
  const declared = Object.entries(invoice).filter(([name]) => /^decl|^provider|^system/.test(name));
  const changedAt = new Date().toISOString();
  const change = {
    pk: `HISTORY#${pk}#${sk}`,
    sk: String(version + 1),
    change_day: `${pk}#${changedAt.slice(0, 10)}#0`,
    change_key: `${changedAt}#${sk.padStart(20, '0')}#${version + 1}`,
    kind: 'declaration',
    changed_at: changedAt,
    changed_by: invoice.declared_by,
    request_id: randomUUID(),
    declaration: { ...Object.fromEntries(declared), ...rule },
  };
  await documents.send(
    new TransactWriteCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName,
            Item: { ...invoice, version: version + 1, changed_at: changedAt },
            ConditionExpression: 'version = :version',
            ExpressionAttributeValues: { ':version': version },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        { Put: { TableName, Item: change, ConditionExpression: 'attribute_not_exists(pk)' } },
      ],
    }),
  );
}
