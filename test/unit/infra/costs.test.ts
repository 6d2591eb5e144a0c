import { describe, expect, it } from 'vitest';
import { costTable, webAclText } from '../../../infra/costs/cost-table.ts';
import { monthlyCosts, webAclCosts } from '../../../infra/costs/monthly-costs.ts';
import { guideText } from '../../support/guides/readme.ts';

describe('the monthly costs', () => {
  it('charge what the requests and imports of a month read and write', () => {
    const reads = 22 * 9 + 110 * 9 + 100 * 6 + 100 * 6 + 50 * 6 + 2 * 30;
    const writes = 22 * 1 + 110 + 100 + 100 + 50 * 15 + 2 * 259 + 4 * 152;
    const dollars = (reads * 0.125 + writes * 0.625) / 1e6;
    expect(monthlyCosts(1)['DynamoDB, reads and writes']).toBeCloseTo(dollars, 10);
  });

  it('are shown in the guide with those of the web ACL, for it and each rule, and for each request', () => {
    expect(guideText('infra/README.md')).toContain(webAclText());
    expect(webAclCosts(10_000)).toBeCloseTo(5 + 4 + 10_000 * (22 + 110 + 100 + 100 + 50 + 2) * 0.6e-6, 10);
  });

  it('are shown in the guide as `npm run costs` prints them', () => {
    expect(guideText('infra/README.md')).toContain(costTable());
  });
});
