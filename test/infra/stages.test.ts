import { describe, expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { resourcesOfType as devResources, theResource as devResource } from '../support/stack/stack-template.ts';
import { synthesizeVariant } from '../support/stack/stack-variants.ts';

interface Kept {
  readonly DeletionPolicy: string;
  readonly UpdateReplacePolicy: string;
}

type MethodSetting = Readonly<Record<string, unknown>>;

const prod = synthesizeVariant({ stage: 'prod' });
const prodSettings = settingsOf(prod.theResource('AWS::ApiGateway::Stage'));
/** What an account may run at once, unless AWS has raised it. */
const ACCOUNT_CONCURRENCY = 1000;
/** With the start of a function in it. */
const SECONDS_OF_A_LOGIN = 1;
const tableType = 'AWS::DynamoDB::Table';
const logType = 'AWS::Logs::LogGroup';

const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
const dropped = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' };

describe('stage prod', () => {
  it.each(prod.resourcesOfType(tableType))('keeps the table $path, and lets nobody delete it', (table) => {
    expect(table).toMatchObject({ ...kept, Properties: { DeletionProtectionEnabled: true } });
  });

  it('keeps the key without which the signing keys cannot be read', () => {
    expect(prod.theResource('AWS::KMS::Key', 'SigningKeysEncryption')).toMatchObject(kept);
  });

  it.each(prod.resourcesOfType(logType))('keeps $path for 90 days', (group) => {
    expect(group).toMatchObject({ ...kept, Properties: { RetentionInDays: 90 } });
  });

  it('lets through 500 requests a second', () => {
    expect(throttlingOf(prodSettings, '/*')).toEqual([500, 1000]);
  });

  it('lets through less to where passwords are checked, and sets all else there as everywhere', () => {
    const login = '/~1apidev~1v1~1login';
    const legacy = '/~1apidev~1legacy~1{WSName}';
    expect(prodSettings.map(({ HttpMethod, ResourcePath }) => [HttpMethod, ResourcePath])).toEqual([
      ['*', '/*'],
      ['POST', login],
      ['POST', legacy],
    ]);
    expect(throttlingOf(prodSettings, login)).toEqual([50, 50]);
    expect(throttlingOf(prodSettings, legacy)).toEqual([100, 100]);
    // A method's settings replace those of the stage as a whole.
    const others = prodSettings.map(({ LoggingLevel, DataTraceEnabled, MetricsEnabled }) => [
      LoggingLevel,
      DataTraceEnabled,
      MetricsEnabled,
    ]);
    expect(others).toEqual(prodSettings.map(() => ['ERROR', false, undefined]));
  });

  it('leaves two thirds of the concurrency of an account to those who have logged in, when all who log in take a second', () => {
    const { login, 'legacy-dispatch': legacy } = stages.prod.methodThrottling;
    const taken = [login, legacy].map((own) => (own?.requestsPerSecond ?? 0) * SECONDS_OF_A_LOGIN + (own?.burst ?? 0));
    expect(taken.reduce((all, each) => all + each, 0)).toBeLessThanOrEqual(ACCOUNT_CONCURRENCY / 3);
  });

  it('grants exactly what stage dev grants', () => {
    const policies = (list: readonly { id: string; Properties: unknown }[]) =>
      list.map(({ id, Properties }) => [id, Properties]);
    expect(policies(prod.resourcesOfType('AWS::IAM::Policy'))).toEqual(policies(devResources('AWS::IAM::Policy')));
  });
});

describe('stage dev', () => {
  it.each(devResources(tableType))('deletes the table $path with the stack', (table) => {
    expect(table).toMatchObject({ ...dropped, Properties: { DeletionProtectionEnabled: false } });
  });

  it('leaves nothing behind but the logging role of the account', () => {
    const types = [tableType, logType, 'AWS::KMS::Key', 'AWS::IAM::Role', 'AWS::ApiGateway::Account'];
    const left = types
      .flatMap((type) => devResources(type))
      .filter((one) => (one as Partial<Kept>).DeletionPolicy === 'Retain');
    expect(left.map(({ path }) => path)).toEqual(['InvoiceApi/CloudWatchRole', 'InvoiceApi/Account']);
  });

  it('lets through 50 requests a second', () => {
    const settings = settingsOf(devResource('AWS::ApiGateway::Stage'));
    expect(settings).toHaveLength(1);
    expect(throttlingOf(settings, '/*')).toEqual([50, 100]);
  });
});

function settingsOf({ Properties }: { readonly Properties: unknown }): MethodSetting[] {
  return (Properties as { MethodSettings: MethodSetting[] }).MethodSettings;
}

function throttlingOf(settings: readonly MethodSetting[], path: string): unknown[] {
  const own = settings.find(({ ResourcePath }) => ResourcePath === path);
  return [own?.['ThrottlingRateLimit'], own?.['ThrottlingBurstLimit']];
}
