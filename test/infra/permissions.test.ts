import { describe, expect, it } from 'vitest';
import { type FunctionAccess, routes, signingKeyRotation } from '../../infra/routes.ts';
import { permissionsOf, roleOf } from '../support/stack/stack-permissions.ts';
import { resourcesOfType } from '../support/stack/stack-template.ts';

const functions = [...routes, signingKeyRotation];
const tracing = ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *'];
const roles = resourcesOfType('AWS::IAM::Role');

describe('permissions', () => {
  it.each(functions)('$name may do exactly what its row says', (row) => {
    expect(permissionsOf(roleOf(row.name))).toEqual(expectedPermissions(row));
  });

  it('only login can read the private signing key, and only the rotation can put one there', () => {
    const onKeys = roles.flatMap(({ id, path }) =>
      permissionsOf(id)
        .filter((line) => line.endsWith(' SigningKeys'))
        .map((line) => `${path}: ${line}`),
    );
    expect(onKeys).toEqual([
      'login-role: dynamodb:GetItem SigningKeys',
      'rotate-signing-key-role: dynamodb:PutItem SigningKeys',
    ]);
  });

  it('only login and the rotation can use the encryption key of the signing keys', () => {
    const reaching = roles.filter(({ id }) => permissionsOf(id).some((line) => line.startsWith('kms:')));
    expect(reaching.map(({ path }) => path)).toEqual(['login-role', 'rotate-signing-key-role']);
  });

  it('only login and the legacy route can read passwords, and no function can write one', () => {
    const reading = functions.filter(({ name }) =>
      permissionsOf(roleOf(name)).some((line) => / Directory if .*ACCOUNT#/.test(line)),
    );
    expect(reading.map(({ name }) => name)).toEqual(['login', 'legacy-dispatch']);
    const lines = functions.flatMap(({ name }) => permissionsOf(roleOf(name)));
    expect(lines.filter((line) => line.includes('password'))).toEqual([]);
    expect(lines.filter((line) => line.endsWith(' Directory'))).toEqual([]);
  });

  it('no function can write an API key, a user, a permission or a supplier, and login of a tenant nothing but player ids', () => {
    const writes = functions.flatMap(({ name }) =>
      permissionsOf(roleOf(name))
        .filter((line) => /^dynamodb:(?!BatchGetItem|GetItem|Query).* Directory if .*(TENANT|APIKEY)#/.test(line))
        .map((line) => `${name}: ${line.split(' if ')[0]}`),
    );
    expect(writes).toEqual(['login: dynamodb:UpdateItem Directory']);
  });

  it.each(['login', 'list-invoices', 'get-invoice', 'validate-amount'])(
    '%s cannot write invoices or declarations',
    (name) => {
      const onInvoices = permissionsOf(roleOf(name)).filter((line) => / (Invoices|Declarations)/.test(line));
      expect(onInvoices.filter((line) => !/^dynamodb:(GetItem|BatchGetItem|Query) /.test(line))).toEqual([]);
    },
  );

  it('no role but those of the functions reaches a table', () => {
    const functionRoles = functions.map(({ name }) => roleOf(name));
    const others = roles.filter(({ id }) => !functionRoles.includes(id));
    expect(others.flatMap(({ id }) => permissionsOf(id)).filter((line) => /^(dynamodb|kms|\*)/.test(line))).toEqual([]);
  });

  it('no permission of a function has a wildcard, but on tracing, which has no resources to name', () => {
    const lines = functions.flatMap(({ name }) => permissionsOf(roleOf(name)));
    expect(lines.filter((line) => line.split(' if ')[0]?.includes('*') && !tracing.includes(line))).toEqual([]);
  });
});

const failures = ['h??', 'k??', 'u??', 'v??', '?_pause', 'failures', 'failures_from'];

/** What limits an action on a part of a table, as the policies write it. */
const inPart: Readonly<Record<string, object>> = {
  'Invoices/rows DeleteItem': { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['*#*#*'] } },
  'Directory/records BatchGetItem': { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['TENANT#*', 'APIKEY#*'] } },
  'Directory/accounts GetItem': { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ACCOUNT#*'] } },
  'Directory/accounts UpdateItem': {
    'ForAllValues:StringLike': {
      'dynamodb:LeadingKeys': ['ACCOUNT#*'],
      'dynamodb:Attributes': ['pk', 'sk', ...failures, 'source_*'],
    },
    StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
  },
  'Directory/unknown-names GetItem': { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['NOBODY#*'] } },
  'Directory/unknown-names UpdateItem': {
    'ForAllValues:StringLike': {
      'dynamodb:LeadingKeys': ['NOBODY#*'],
      'dynamodb:Attributes': ['pk', 'sk', ...failures, 'ttl'],
    },
    StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
  },
  'Directory/player-ids UpdateItem': {
    'ForAllValues:StringLike': {
      'dynamodb:LeadingKeys': ['TENANT#*'],
      'dynamodb:Attributes': ['pk', 'sk', 'player_ids'],
    },
    StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
  },
  'RateCounters/limits UpdateItem': { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['*#*#*#*'] } },
  ...Object.fromEntries(
    ['GetItem', 'UpdateItem'].flatMap((action) => [
      [`RateCounters/login-guards ${action}`, { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['LOGIN#*'] } }],
      [`RateCounters/legacy-guards ${action}`, { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['LEGACY#*'] } }],
    ]),
  ),
  ...Object.fromEntries(
    ['Query', 'PutItem', 'DeleteItem'].map((action) => [
      `Directory/public-keys ${action}`,
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['JWKS'] } },
    ]),
  ),
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
  ].map((action) => `kms:${action} SigningKeysEncryption`);
  const onLogs = ['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} ${name}-logs`);
  return [...onTables, ...onKey, ...onLogs, ...tracing].toSorted();
}
