import { monthlyCosts, webAclCosts } from './monthly-costs.ts';

const SUPPLIERS = [1, 100, 10_000];

/** The monthly costs as a table of Markdown, aligned as Prettier does it. */
export function costTable(): string {
  const columns = SUPPLIERS.map(monthlyCosts);
  const totals = columns.map((costs) => Object.values(costs).reduce((sum, cost) => sum + cost, 0));
  const names = Object.keys(columns[0] ?? {});
  const header = SUPPLIERS.map((count) => `${count.toLocaleString('en-US')} supplier${count === 1 ? '' : 's'}`);
  const rows = [
    ['US$ a month', ...header],
    ...names.map((name) => [name, ...columns.map((costs) => dollars(costs[name] ?? 0))]),
    ['**all**', ...totals.map(dollars)],
    ['**for each supplier**', ...totals.map((total, index) => dollars(total / (SUPPLIERS[index] ?? 1)))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [first = [], ...others] = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [first, rule, ...others].map(line).join('\n');
}

/** What the web ACL adds to the columns of the table, in words. */
export function webAclText(): string {
  return `With the web ACL (option \`waf\`): ${SUPPLIERS.map((count) => dollars(webAclCosts(count))).join(', ')} more.`;
}

function dollars(amount: number): string {
  return amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
