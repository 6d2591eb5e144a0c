import { describe, expect, it } from 'vitest';
import { synthesizeVariant } from '../support/stack/stack-variants.ts';

interface WebAcl {
  readonly Rules: readonly Readonly<Record<string, unknown>>[];
}

const { Rules: rules } = synthesizeVariant({ stage: 'prod', waf: 'true' }).theResource<WebAcl>(
  'AWS::WAFv2::WebACL',
).Properties;

describe('the web ACL', () => {
  it('has a limit of its own for the login, however its path is written', () => {
    const [rule] = rules.filter(({ Name }) => Name === 'login');
    expect(rule).toMatchObject({
      Action: { Block: {} },
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'IP',
          Limit: 300,
          ScopeDownStatement: {
            ByteMatchStatement: {
              FieldToMatch: { UriPath: {} },
              PositionalConstraint: 'CONTAINS',
              SearchString: '/v1/login',
              TextTransformations: [
                { Priority: 0, Type: 'URL_DECODE' },
                { Priority: 1, Type: 'LOWERCASE' },
              ],
            },
          },
        },
      },
    });
  });

  it('has the four rules that the costs in the guide count, each with a priority of its own', () => {
    expect(rules).toHaveLength(4);
    expect(new Set(rules.map(({ Priority }) => Priority)).size).toBe(rules.length);
  });
});
