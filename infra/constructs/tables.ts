import { RemovalPolicy, Tags } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { TABLE_PARTS, type TableName } from '../routes.ts';
import type { RecoverableTable } from '../stages.ts';
import { createEncryptionKey } from './encryption-key.ts';

/** A table of the stack, or an existing table. With exactOptionalPropertyTypes, a TableV2 is not an ITableV2. */
export type ServiceTable = TableV2 | ITableV2;

export type Tables = Readonly<Record<TableName, ServiceTable>>;

type TableProps = Omit<TablePropsV2, 'partitionKey'>;

const PARTITION_KEY = { name: 'pk', type: AttributeType.STRING };
const SORT_KEY = { name: 'sk', type: AttributeType.STRING };
const NUMERIC_SORT_KEY = { name: 'sk', type: AttributeType.NUMBER };

/** Creates the tables, except those that the option `tables` replaces. They outlive the stack if the stage keeps data. */
export function createTables(scope: Construct, deployment: Deployment): Tables {
  return {
    Directory: createRecoverableTable(scope, deployment, 'Directory', {
      sortKey: SORT_KEY,
      timeToLiveAttribute: 'ttl',
    }),
    Invoices: createRecoverableTable(scope, deployment, 'Invoices', {
      sortKey: SORT_KEY,
      // DynamoDB updates this index in the transaction of an invoice. The index cannot be changed, only its table replaced.
      localSecondaryIndexes: [
        {
          indexName: TABLE_PARTS['Invoices/lists'].index,
          sortKey: { name: 'list_position', type: AttributeType.STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ['state_code', 'search_text', 'changed_ms'],
        },
      ],
    }),
    Declarations: createRecoverableTable(scope, deployment, 'Declarations', {
      sortKey: NUMERIC_SORT_KEY,
      // A replica requires a stream with both images, and adds one if there is none. With both images from the start, the
      // option `replicaRegion` does not replace the stream of the events.
      ...(deployment.events && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
      // The index contains all changes of a tenant and a day in the order of their times.
      globalSecondaryIndexes: [
        {
          indexName: TABLE_PARTS['Declarations/changes'].index,
          partitionKey: { name: 'change_day', type: AttributeType.STRING },
          sortKey: { name: 'change_key', type: AttributeType.STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [
            'kind',
            'changed_at',
            'changed_by',
            'reason',
            'request_id',
            'command_id',
            'declaration',
            'state_change',
            'previous_state',
            'notice',
          ],
        },
      ],
    }),
    RateCounters: createTable(scope, deployment, 'RateCounters', { timeToLiveAttribute: 'ttl' }),
    SigningKeys: createSigningKeyTable(scope, deployment),
  };
}

/** Creates a table that can have a replica, or refers to the existing table that the option `tables` names. */
function createRecoverableTable(
  scope: Construct,
  deployment: Deployment,
  name: RecoverableTable,
  props: TableProps,
): ServiceTable {
  const { replicaRegion, tables } = deployment;
  const tableName = tables[name];
  if (tableName === undefined) {
    const replicas = replicaRegion && { replicas: [{ region: replicaRegion }] };
    return createTable(scope, deployment, name, { ...props, ...replicas });
  }
  const tableStreamArn = name === 'Declarations' ? tables.DeclarationsStream : undefined;
  return TableV2.fromTableAttributes(scope, name, { tableName, ...(tableStreamArn && { tableStreamArn }) });
}

/** Creates the table SigningKeys. A read of it also needs the permission of its own encryption key. */
function createSigningKeyTable(scope: Construct, deployment: Deployment): ServiceTable {
  const table = createTable(scope, deployment, 'SigningKeys', { sortKey: SORT_KEY });
  const encryptionKey = createEncryptionKey(scope, 'SigningKeysEncryption', getRemovalPolicy(deployment));
  // `TableEncryptionV2.customerManagedKey` cannot be used, because it rejects a stack without a region, such as dev.
  const resource = table.node.defaultChild as CfnGlobalTable;
  resource.addPropertyOverride('Replicas.0.SSESpecification.KMSMasterKeyId', encryptionKey.keyArn);
  // The construct does not know the key. allowTableActions reads it here to allow its use.
  return Object.assign(table, { encryptionKey });
}

function createTable(scope: Construct, deployment: Deployment, name: TableName, props: TableProps): TableV2 {
  const table = new TableV2(scope, name, {
    partitionKey: PARTITION_KEY,
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: deployment.keepData,
    removalPolicy: getRemovalPolicy(deployment),
    encryption: TableEncryptionV2.awsManagedKey(),
    ...props,
  });
  // In the template, each replica has its own tags. The CDK does not add the tags of the stack to them.
  for (const [key, value] of Object.entries(deployment.tags)) Tags.of(table).add(key, value);
  return table;
}

function getRemovalPolicy({ keepData }: Deployment): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
