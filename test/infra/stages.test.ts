import { describe, expect, it } from 'vitest';
import { resourcesOfType as devResources, theResource as devResource } from '../support/stack-template.ts';
import { synthesizeVariant } from '../support/stack-variants.ts';

interface Kept {
  readonly DeletionPolicy: string;
  readonly UpdateReplacePolicy: string;
}

const prod = synthesizeVariant({ stage: 'prod' });
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
    expect(throttling(prod.theResource('AWS::ApiGateway::Stage').Properties)).toEqual([500, 1000]);
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
    expect(throttling(devResource('AWS::ApiGateway::Stage').Properties)).toEqual([50, 100]);
  });
});

function throttling(stage: unknown): unknown[] {
  const { MethodSettings } = stage as { MethodSettings: Record<string, unknown>[] };
  return MethodSettings.flatMap((all) => [all['ThrottlingRateLimit'], all['ThrottlingBurstLimit']]);
}
