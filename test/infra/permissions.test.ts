import { describe, expect, it } from 'vitest';
import { type FunctionAccess, routes, signingKeyRotation } from '../../infra/routes.ts';
import { buildOperatorPartition } from '../../lib/tables/keys.ts';
import { isPermitted } from '../support/stack/permitted-calls.ts';
import {
  findRoleId,
  listManagedStatements,
  listPermissions,
  listStatements,
  type Permission,
} from '../support/stack/stack-permissions.ts';
import { everyOption, getVariant } from '../support/stack/stack-variants.ts';

const { outputs, findResources, getResource } = await getVariant({ stage: 'dev' });
const functions = [...routes, signingKeyRotation];
const roles = findResources('AWS::IAM::Role');

describe('permissions', () => {
  it.each(functions)('$name has exactly the permissions in its row of infra/routes.ts', (row) => {
    expect(listPermissions(findRoleId(row.name))).toEqual(listExpectedPermissions(row));
  });

  it('only login can read the private signing key, and only the rotation can write it', () => {
    const all = roles.flatMap(({ id, path }) => listPermissions(id).map((line) => `${path}: ${line}`));
    expect(all.filter((line) => line.endsWith(' SigningKeys'))).toEqual([
      'login-role: dynamodb:GetItem SigningKeys',
      'rotate-signing-key-role: dynamodb:PutItem SigningKeys',
    ]);
    // The policy of the encryption key, and no policy of a role, allows its use.
    expect(all.filter((line) => line.includes(': kms:'))).toEqual([]);
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

  it('no function can write API keys, users, permissions or suppliers; login can only write player ids', () => {
    const writes = functions.flatMap(({ name }) =>
      listPermissions(findRoleId(name))
        .filter((line) => /^dynamodb:(?!BatchGetItem|GetItem|Query).* Directory if .*(TENANT|APIKEY)#/.test(line))
        .map((line) => `${name}: ${line.split(' if ')[0]}`),
    );
    expect(writes).toEqual(['login: dynamodb:UpdateItem Directory']);
  });

  it('no function can read or write the operator record', () => {
    const actions = [
      'GetItem',
      'BatchGetItem',
      'Query',
      'Scan',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'BatchWriteItem',
    ];
    const context = { 'dynamodb:LeadingKeys': [buildOperatorPartition('demo.example')] };
    const allowed = roles.flatMap(({ id, path }) =>
      ['ConditionCheckItem', 'PartiQLSelect', 'PartiQLUpdate', ...actions]
        .filter((action) => isPermitted({ action, table: 'Directory', context }, listStatements(id)))
        .map((action) => `${path}: ${action}`),
    );
    expect(allowed).toEqual([]);
  });

  it.each(['login', 'list-invoices', 'get-invoice', 'validate-amount'])('%s cannot write invoices', (name) => {
    const onInvoices = listPermissions(findRoleId(name)).filter((line) => / (Invoices|Declarations)/.test(line));
    expect(onInvoices.filter((line) => !/^dynamodb:(GetItem|BatchGetItem|Query) /.test(line))).toEqual([]);
  });

  it('no role except those of the functions can access a table', () => {
    const functionRoles = functions.map(({ name }) => findRoleId(name));
    const others = roles.filter(({ id }) => !functionRoles.includes(id));
    expect(others.flatMap(({ id }) => listPermissions(id)).filter((line) => /^(dynamodb|kms|\*)/.test(line))).toEqual(
      [],
    );
  });
});

describe('the policies for operators', () => {
  const names = ['OperatorRead', 'OperatorReview', 'OperatorAdminister', 'OperatorTenant'] as const;
  const type = 'AWS::IAM::ManagedPolicy';
  const [read, review, administer] = names.map((name) => listManagedStatements(name));

  it('the outputs contain the four policies, each small enough for IAM', async () => {
    const policies = findResources<object>(type);
    expect(policies.map(({ path }) => path)).toEqual(names);
    for (const { path, id, Properties } of policies) {
      expect(outputs[`${path}Policy`]).toMatchObject({ Value: { Ref: id } });
      expect(JSON.stringify(Properties).length).toBeLessThan(6144);
    }
  });

  it('only OperatorAdminister can read a hash of a password, and a scan returns only tenants and tolerances', () => {
    const context = { 'dynamodb:LeadingKeys': ['ACCOUNT#demo.example#1'] };
    const isAllowed = (action: string, statements: readonly Permission[], extra: object = context) =>
      isPermitted({ action, table: 'Directory', context: extra as typeof context }, statements);
    const reads = ['BatchGetItem', 'GetItem', 'Query', 'PartiQLSelect'];
    expect(reads.filter((action) => isAllowed(action, [...read!, ...review!]))).toEqual([]);
    expect(reads.filter((action) => isAllowed(action, administer!))).toEqual(['BatchGetItem', 'GetItem']);
    const Select = { 'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'] };
    const attributes = (...list: string[]) => ({ 'dynamodb:Attributes': list });
    expect(isAllowed('Scan', read!, { ...attributes('sk', 'tenant'), ...Select })).toBe(true);
    expect(isAllowed('Scan', read!, { ...attributes('sk', 'password_hash'), ...Select })).toBe(false);
    expect(isAllowed('Scan', read!, attributes('sk'))).toBe(false);
  });

  it('no policy can change the operator record except add entries, or reach the signing keys and their encryption key', () => {
    const all = [...read!, ...review!, ...administer!];
    const reaching = all.filter(({ resources }) => resources.includes('SigningKeys'));
    expect(reaching.flatMap(({ actions }) => actions).toSorted()).toEqual([
      'dynamodb:DescribeContinuousBackups',
      'dynamodb:DescribeTable',
    ]);
    expect(
      all.flatMap(({ actions }) => actions).filter((action) => !/^(dynamodb|lambda|cloudformation):/.test(action)),
    ).toEqual([]);
    const context = { 'dynamodb:LeadingKeys': [buildOperatorPartition('demo.example')] };
    const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
    const actions = [...writes, 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'];
    const allowed = actions.filter((action) => isPermitted({ action, table: 'Directory', context }, all));
    // An INSERT never replaces an item.
    expect(allowed).toEqual(['PartiQLInsert']);
  });

  it('only OperatorAdminister can rotate the signing key, and no policy can publish to the bus', async () => {
    const withEvents = await getVariant({ stage: 'prod', ...everyOption });
    const policies = withEvents.findResources(type).map(({ Properties }) => JSON.stringify(Properties));
    const rotating = policies.map((policy) => policy.includes('"lambda:InvokeFunction","Effect":"Allow"'));
    expect(rotating).toEqual([false, false, true, false]);
    expect(policies.filter((policy) => policy.includes('events:'))).toEqual([]);
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
  const buildRolePrincipal = (name: string) => ({ AWS: { 'Fn::GetAtt': [findRoleId(name), 'Arn'] } });
  const reads = ['kms:Decrypt', 'kms:DescribeKey'];
  const writes = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
  const [administration, creation, ...uses] = Statement;

  it('the account can administer the key but not use it, so that its policy can always be changed', () => {
    expect(administration).toMatchObject({ Effect: 'Allow', Principal: account });
    expect(administration).not.toHaveProperty('Condition');
    const { Action: actions } = administration!;
    expect(actions).toEqual(expect.arrayContaining(['kms:Put*', 'kms:ScheduleKeyDeletion', 'kms:Enable*']));
    const useActions = [...reads.slice(0, 1), ...writes, 'kms:CreateGrant', 'kms:ReplicateKey', 'kms:RetireGrant'];
    const isCovered = (action: string) => actions.some((one) => new RegExp(`^${one.replace('*', '.*')}$`).test(action));
    expect(useActions.filter(isCovered)).toEqual([]);
  });

  it('CloudFormation can use the key only through DynamoDB, and only as AWS requires to create a table with a key', () => {
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

  it('the login can decrypt with the key, and the rotation also encrypt, both only through DynamoDB', () => {
    const through = { Effect: 'Allow', Resource: '*', Condition: throughDynamoDb };
    expect(uses).toEqual([
      { ...through, Action: reads, Principal: buildRolePrincipal('login') },
      { ...through, Action: [...reads, ...writes], Principal: buildRolePrincipal('rotate-signing-key') },
    ]);
  });
});

const guard = ['failures_*', 's_*'];

const limitToKeys = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
/** Returns the condition of an update that can change some attributes and return none. */
const limitToAttributes = (key: string, ...own: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [key], 'dynamodb:Attributes': ['pk', 'sk', ...own] },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
});

/** The condition in the policies for each action on a part of a table. */
const partConditions: Readonly<Record<string, object>> = {
  'Directory/records BatchGetItem': limitToKeys('TENANT#*', 'APIKEY#*'),
  'Directory/logins BatchGetItem': limitToKeys('TENANT#*'),
  'Directory/accounts GetItem': limitToKeys('ACCOUNT#*'),
  'Directory/accounts UpdateItem': limitToAttributes('ACCOUNT#*', 'erased_at', ...guard),
  'Directory/unknown-names GetItem': limitToKeys('NOBODY#*'),
  'Directory/unknown-names UpdateItem': limitToAttributes('NOBODY#*', ...guard, 'ttl'),
  'Directory/player-ids UpdateItem': limitToAttributes('TENANT#*', 'player_ids'),
  'Directory/public-keys Query': limitToKeys('JWKS'),
  'Directory/public-keys PutItem': limitToKeys('JWKS'),
  'Directory/public-keys DeleteItem': limitToKeys('JWKS'),
  'RateCounters/limits UpdateItem': limitToKeys('*#*#*#*'),
  'RateCounters/login-guards GetItem': limitToKeys('LOGIN#*'),
  'RateCounters/login-guards UpdateItem': limitToKeys('LOGIN#*'),
  'RateCounters/legacy-guards GetItem': limitToKeys('LEGACY#*'),
  'RateCounters/legacy-guards UpdateItem': limitToKeys('LEGACY#*'),
};

function listExpectedPermissions({ name, tables }: FunctionAccess): string[] {
  const tablePermissions = Object.entries(tables).flatMap(([area, actions]) =>
    actions.flatMap((action) => {
      const [table, part] = area.split('/');
      if (part === 'lists') return `dynamodb:${action} ${table}/index/lists`;
      const condition = part ? ` if ${JSON.stringify(partConditions[`${area} ${action}`])}` : '';
      return `dynamodb:${action} ${table}${condition}`;
    }),
  );
  const logPermissions = ['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} ${name}-logs`);
  return [...tablePermissions, ...logPermissions].toSorted();
}
