import { describe, expect, it } from 'vitest';
import { type FunctionAccess, routes, signingKeyRotation } from '../../infra/routes.ts';
import { listPermissions, findRoleId } from '../support/stack/stack-permissions.ts';
import { getVariant } from '../support/stack/stack-variants.ts';

const { findResources, getResource } = await getVariant({ stage: 'dev' });
const functions = [...routes, signingKeyRotation];
const tracing = ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *'];
const roles = findResources('AWS::IAM::Role');

describe('permissions', () => {
  it.each(functions)('$name may do exactly what its row says', (row) => {
    expect(listPermissions(findRoleId(row.name))).toEqual(expectedPermissions(row));
  });

  it('only login can read the private signing key, only the rotation can put one there, and nobody else has its encryption key', () => {
    const all = roles.flatMap(({ id, path }) => listPermissions(id).map((line) => `${path}: ${line}`));
    expect(all.filter((line) => line.endsWith(' SigningKeys'))).toEqual([
      'login-role: dynamodb:GetItem SigningKeys',
      'rotate-signing-key-role: dynamodb:PutItem SigningKeys',
    ]);
    const withKey = all.filter((line) => line.includes(': kms:')).map((line) => line.replace(/:.*/, ''));
    expect([...new Set(withKey)]).toEqual(['login-role', 'rotate-signing-key-role']);
  });

  it('only login and the legacy route can read passwords, and no function can write one', () => {
    const reading = functions.filter(({ name }) =>
      listPermissions(findRoleId(name)).some((line) => / Directory if .*ACCOUNT#/.test(line)),
    );
    expect(reading.map(({ name }) => name)).toEqual(['login', 'legacy-dispatch']);
    const lines = functions.flatMap(({ name }) => listPermissions(findRoleId(name)));
    expect(lines.filter((line) => line.includes('password'))).toEqual([]);
    expect(lines.filter((line) => line.endsWith(' Directory'))).toEqual([]);
  });

  it('no function can write an API key, a user, a permission or a supplier, and login of a tenant nothing but player ids', () => {
    const writes = functions.flatMap(({ name }) =>
      listPermissions(findRoleId(name))
        .filter((line) => /^dynamodb:(?!BatchGetItem|GetItem|Query).* Directory if .*(TENANT|APIKEY)#/.test(line))
        .map((line) => `${name}: ${line.split(' if ')[0]}`),
    );
    expect(writes).toEqual(['login: dynamodb:UpdateItem Directory']);
  });

  it.each(['login', 'list-invoices', 'get-invoice', 'validate-amount'])('%s writes no invoices', (name) => {
    const onInvoices = listPermissions(findRoleId(name)).filter((line) => / (Invoices|Declarations)/.test(line));
    expect(onInvoices.filter((line) => !/^dynamodb:(GetItem|BatchGetItem|Query) /.test(line))).toEqual([]);
  });

  it('no role but those of the functions reaches a table', () => {
    const functionRoles = functions.map(({ name }) => findRoleId(name));
    const others = roles.filter(({ id }) => !functionRoles.includes(id));
    expect(others.flatMap(({ id }) => listPermissions(id)).filter((line) => /^(dynamodb|kms|\*)/.test(line))).toEqual(
      [],
    );
  });
});

const viaService = { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] };
const throughDynamoDb = { StringEquals: { 'kms:ViaService': viaService } };

interface KeyProperties {
  readonly KeyPolicy: {
    readonly Statement: readonly {
      readonly Action: string[];
      readonly Principal: object;
      readonly Condition?: object;
    }[];
  };
}

describe('the policy of the encryption key of the signing keys', () => {
  const { Statement } = getResource<KeyProperties>('AWS::KMS::Key', 'SigningKeysEncryption').Properties.KeyPolicy;
  const account = {
    AWS: { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':root']] },
  };
  const roleNamed = (name: string) => ({ AWS: { 'Fn::GetAtt': [findRoleId(name), 'Arn'] } });
  const reads = ['kms:Decrypt', 'kms:DescribeKey'];
  const writes = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
  const [administration, creation, ...uses] = Statement;

  it('the policy gives the account the administration of the key without its use, so that the policy can always be changed', () => {
    expect(administration).toMatchObject({ Effect: 'Allow', Principal: account });
    expect(administration).not.toHaveProperty('Condition');
    const { Action: actions } = administration!;
    expect(actions).toEqual(expect.arrayContaining(['kms:Put*', 'kms:ScheduleKeyDeletion', 'kms:Enable*']));
    const using = [...reads.slice(0, 1), ...writes, 'kms:CreateGrant', 'kms:ReplicateKey', 'kms:RetireGrant'];
    const isCovered = (action: string) => actions.some((one) => new RegExp(`^${one.replace('*', '.*')}$`).test(action));
    expect(using.filter(isCovered)).toEqual([]);
  });

  it('the policy allows CloudFormation, through DynamoDB alone, what AWS requires of the principal that creates a table with a key', () => {
    const execution =
      'arn:${AWS::Partition}:iam::${AWS::AccountId}:role/cdk-hnb659fds-cfn-exec-role-${AWS::AccountId}-${AWS::Region}';
    expect(creation).toMatchObject({
      Effect: 'Allow',
      Principal: account,
      Condition: { ...throughDynamoDb, ArnEquals: { 'aws:PrincipalArn': { 'Fn::Sub': execution } } },
    });
    expect(creation?.Action).toEqual(
      [...reads, ...writes, 'kms:CreateGrant', 'kms:GenerateDataKeyWithoutPlaintext'].toSorted(),
    );
  });

  it('the policy allows the use of the key to the login, which reads, and the rotation, which writes, through DynamoDB alone', () => {
    const through = { Effect: 'Allow', Resource: '*', Condition: throughDynamoDb };
    expect(uses).toEqual([
      { ...through, Action: reads, Principal: roleNamed('login') },
      { ...through, Action: [...reads, ...writes], Principal: roleNamed('rotate-signing-key') },
    ]);
  });
});

const guard = ['f_*', 's_*', 'h??', 'k??', 'u??', 'v??', '?_pause', 'failures', 'failures_from', 'source_*'];

const onKeys = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
/** As an update must be that reads nothing back. */
const onAttributes = (key: string, ...own: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [key], 'dynamodb:Attributes': ['pk', 'sk', ...own] },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
});

/** What limits an action on a part of a table, as the policies write it. */
const inPart: Readonly<Record<string, object>> = {
  'Invoices/rows DeleteItem': onKeys('*#*#*'),
  'Declarations/log Query': onKeys('LOG#*'),
  'Directory/records BatchGetItem': onKeys('TENANT#*', 'APIKEY#*'),
  'Directory/logins BatchGetItem': onKeys('TENANT#*'),
  'Directory/accounts GetItem': onKeys('ACCOUNT#*'),
  'Directory/accounts UpdateItem': onAttributes('ACCOUNT#*', ...guard),
  'Directory/unknown-names GetItem': onKeys('NOBODY#*'),
  'Directory/unknown-names UpdateItem': onAttributes('NOBODY#*', ...guard, 'ttl'),
  'Directory/player-ids UpdateItem': onAttributes('TENANT#*', 'player_ids'),
  'Directory/public-keys Query': onKeys('JWKS'),
  'Directory/public-keys PutItem': onKeys('JWKS'),
  'Directory/public-keys DeleteItem': onKeys('JWKS'),
  'RateCounters/limits UpdateItem': onKeys('*#*#*#*'),
  'RateCounters/login-guards GetItem': onKeys('LOGIN#*'),
  'RateCounters/login-guards UpdateItem': onKeys('LOGIN#*'),
  'RateCounters/legacy-guards GetItem': onKeys('LEGACY#*'),
  'RateCounters/legacy-guards UpdateItem': onKeys('LEGACY#*'),
};

function expectedPermissions({ name, tables }: FunctionAccess): string[] {
  const onTables = Object.entries(tables).flatMap(([area, actions]) =>
    actions.flatMap((action) => {
      const [table, part] = area.split('/');
      const condition = part ? ` if ${JSON.stringify(inPart[`${area} ${action}`])}` : '';
      return `dynamodb:${action} ${table}${condition}`;
    }),
  );
  const onKey = [
    ...(tables.SigningKeys ? ['Decrypt', 'DescribeKey'] : []),
    ...(tables.SigningKeys?.includes('PutItem') ? ['Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'] : []),
  ].map((action) => `kms:${action} SigningKeysEncryption if ${JSON.stringify(throughDynamoDb)}`);
  const onLogs = ['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} ${name}-logs`);
  return [...onTables, ...onKey, ...onLogs, ...tracing].toSorted();
}
