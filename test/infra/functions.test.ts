import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { assemblyDirectory, templateFile } from '../../infra/local/synthesize.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import { contractDocs, routes, signingKeyRotation } from '../../infra/routes.ts';
import { getVariant } from '../support/stack/stack-variants.ts';

interface FunctionProperties {
  readonly Timeout: number;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

const { getResource } = await getVariant({ stage: 'dev' });
const passwordFunctions = ['login', 'legacy-dispatch'];
const { functions } = readStack();
const template = JSON.parse(readFileSync(templateFile, 'utf8')) as {
  readonly Resources: Readonly<Record<string, { readonly Metadata: { readonly 'aws:asset:path': string } }>>;
};

describe.each([...routes, signingKeyRotation])('function $name', ({ name, tables }) => {
  const { id, Properties } = getResource<FunctionProperties>('AWS::Lambda::Function', name);

  it('a function times out before the gateway, and has its own log group, which expires', () => {
    const logs = getResource('AWS::Logs::LogGroup', `${name}-logs`);
    expect(logs.Properties).toMatchObject({ RetentionInDays: 7 });
    expect(Properties).toMatchObject({
      ...{ Runtime: 'nodejs24.x', Architectures: ['arm64'] },
      ...{ MemorySize: passwordFunctions.includes(name) ? 1769 : 1024, LoggingConfig: { LogGroup: { Ref: logs.id } } },
    });
    expect(Properties.Timeout).toBeLessThan(29);
    // A change by a function is visible within this time.
    expect(Properties.Timeout).toBeLessThanOrEqual(LIMITS.changeDelaySeconds);
  });

  it('the environment of a function contains exactly the tables that it can access, and nothing like a secret', () => {
    const granted = [...new Set(Object.keys(tables).map((area) => area.replace(/\/.*/, '')))];
    const variables = granted.map((table) => `${table.replace(/(.)([A-Z])/, '$1_$2').toUpperCase()}_TABLE`);
    const entries = Object.entries(Properties.Environment.Variables);
    expect(entries.map(([variable]) => variable).filter((variable) => variable.endsWith('_TABLE'))).toEqual(variables);
    const suspicious = /secret|password|private|credential|api_?key|BEGIN |[\w-]{30,}/i;
    const plain = entries.filter(([, value]) => typeof value === 'string').map((each) => each.join(' '));
    expect(plain.filter((each) => suspicious.test(each))).toEqual([]);
  });

  it('the deployed code of a function is only the bundle, not its source map', () => {
    const { Metadata } = template.Resources[id]!;
    expect(readdirSync(join(assemblyDirectory, Metadata['aws:asset:path']))).toEqual(['index.js']);
  });

  it('the bundle of a function contains no common passwords, no cache for endpoint discovery, and no texts of documents', () => {
    const { codeFolder = '' } = functions.find((candidate) => candidate.id === id) ?? {};
    const bundle = readFileSync(join(codeFolder, 'index.js'));
    expect(bundle.toString()).not.toMatch(/zxcvbn|trustno1|mnemonist/);
    const texts = Object.values(contractDocs).flatMap(({ summary, description }) => [summary.es, description.es]);
    expect(texts.filter((text) => bundle.includes(text))).toEqual([]);
  });
});

it('every function of the stack, also those of custom resources, has a log group that expires', async () => {
  const { findResources } = await getVariant({ stage: 'dev' });
  const groups = findResources<{ RetentionInDays?: number }>('AWS::Logs::LogGroup');
  const expiringGroups = groups.filter(({ Properties }) => Properties.RetentionInDays === 7).map(({ id }) => id);
  const all = findResources<{ LoggingConfig?: { LogGroup: { Ref: string } } }>('AWS::Lambda::Function');
  expect(all.map(({ path }) => path)).toContain('AWSCDK.TriggerCustomResourceProviderCustomResourceProvider/Handler');
  const others = all.filter(({ Properties }) => !expiringGroups.includes(Properties.LoggingConfig?.LogGroup.Ref ?? ''));
  expect(others.map(({ path }) => path)).toEqual([]);
});

it('the rotation runs after each deployment and every day', () => {
  const rotation = getResource('AWS::Lambda::Function', 'rotate-signing-key');
  const trigger = getResource<{ HandlerArn: { Ref: string } }>('Custom::Trigger');
  const version = getResource('AWS::Lambda::Version');
  expect(trigger.Properties.HandlerArn).toEqual({ Ref: version.id });
  expect(version.Properties).toMatchObject({ FunctionName: { Ref: rotation.id } });
  expect(getResource('AWS::Events::Rule').Properties).toMatchObject({
    ...{ ScheduleExpression: 'rate(1 day)', State: 'ENABLED' },
    Targets: [{ Arn: { 'Fn::GetAtt': [rotation.id, 'Arn'] }, Input: '{}' }],
  });
});
