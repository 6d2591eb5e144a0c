import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { routes, signingKeyRotation } from '../../infra/routes.ts';
import { theResource } from '../support/stack/stack-template.ts';

interface FunctionProperties {
  readonly Timeout: number;
  readonly LoggingConfig: { readonly LogGroup: { readonly Ref: string } };
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

const maxBundleBytes = 300 * 1024;
const checkPasswords = ['login', 'legacy-dispatch'];
const settings = [
  'TOKEN_ISSUER',
  'TOKEN_AUDIENCE',
  'POWERTOOLS_SERVICE_NAME',
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_LOG_LEVEL',
];

function bundleOf(id: string): string {
  const definition = readStack().functions.find((candidate) => candidate.id === id);
  return join(definition?.codeDirectory ?? '', 'index.js');
}

describe.each([...routes, signingKeyRotation])('function $name', ({ name, tables }) => {
  const { id, Properties } = theResource<FunctionProperties>('AWS::Lambda::Function', name);

  it('runs on Node 24, on arm64, traced, and ends before the gateway gives up', () => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      MemorySize: checkPasswords.includes(name) ? 1769 : 1024,
    });
    expect(Properties.Timeout).toBeLessThan(29);
  });

  it('knows the settings and the tables it is granted, nothing else', () => {
    const granted = [...new Set(Object.keys(tables).map((area) => area.replace(/\/.*/, '')))];
    const variables = granted.map((table) => `${table.replace(/(.)([A-Z])/, '$1_$2').toUpperCase()}_TABLE`);
    expect(Object.keys(Properties.Environment.Variables).toSorted()).toEqual([...settings, ...variables].toSorted());
  });

  it('has nothing in its environment that looks like a secret', () => {
    const suspicious = /secret|password|private|credential|api_?key|BEGIN |[\w-]{30,}/i;
    const plain = Object.entries(Properties.Environment.Variables).filter(([, value]) => typeof value === 'string');
    expect(plain.filter(([variable, value]) => suspicious.test(`${variable} ${String(value)}`))).toEqual([]);
  });

  it('logs to a group of its own that forgets', () => {
    const group = theResource('AWS::Logs::LogGroup', `${name}-logs`);
    expect(Properties.LoggingConfig.LogGroup.Ref).toBe(group.id);
    expect(group.Properties).toMatchObject({ RetentionInDays: 7 });
  });

  it('has a bundle under 300 KB', () => {
    expect(statSync(bundleOf(id)).size).toBeLessThan(maxBundleBytes);
  });

  it('has no list of common passwords in its bundle: only the command line has', () => {
    expect(readFileSync(bundleOf(id), 'utf8')).not.toMatch(/zxcvbn|trustno1/);
  });
});

describe('signing key rotation', () => {
  const rotation = theResource('AWS::Lambda::Function', 'rotate-signing-key');

  it('makes sure of a key after a deployment', () => {
    expect(readStack().triggeredFunctionIds).toEqual([rotation.id]);
  });

  it('replaces the key every 30 days', () => {
    expect(theResource('AWS::Events::Rule').Properties).toMatchObject({
      ScheduleExpression: 'rate(30 days)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [rotation.id, 'Arn'] }, Input: '{"rotate":true}' }],
    });
  });
});
