import type { Big } from 'big.js';
import type { LineResult } from '../line-result.ts';
import { fieldTexts, outcomeTexts, pageTexts } from '../page-texts.ts';
import { computeTotals, sumAmounts } from '../totals.ts';
import { ErrorList } from './error-list.tsx';
import { showAmount, showCount, translate } from './language.ts';
import { HeadingCells } from './row-table.tsx';

/** Shows the number and the sum of the lines by outcome, and how many amounts are outside the tolerance. */
export function Totals({ results }: { results: readonly LineResult[] }) {
  const outsideCount = results.filter(({ tolerance }) => tolerance?.within_tolerance === false).length;
  return (
    <>
      <table>
        <thead>
          <tr>
            <HeadingCells headings={[pageTexts.result, pageTexts.count, fieldTexts.amount]} />
          </tr>
        </thead>
        <tbody>
          {computeTotals(results).map((total) => (
            <TotalRow key={total.outcome} label={translate(outcomeTexts[total.outcome])} {...total} />
          ))}
          <TotalRow label={translate(pageTexts.total)} count={results.length} sum={sumAmounts(results)} />
        </tbody>
      </table>
      {outsideCount > 0 && <p>{translate(pageTexts.outsideCount(showCount(outsideCount)))}</p>}
      <RejectedLines lines={results.filter(({ outcome }) => outcome === 'rejected')} />
    </>
  );
}

function TotalRow({ label, count, sum }: { label: string; count: number; sum: Big }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class="amount">{showCount(count)}</td>
      <td class="amount">{showAmount(sum)}</td>
    </tr>
  );
}

function RejectedLines({ lines }: { lines: readonly LineResult[] }) {
  if (lines.length === 0) return null;
  const errors = lines.map(({ line, declaration, error }) => ({
    place: String(line),
    linkText: `${translate(pageTexts.row)} ${line}`,
    text: `, ${declaration.invoice_id}: ${error?.message ?? ''}`,
  }));
  return (
    <div class="errors">
      <ErrorList title={pageTexts.rejected} errors={errors} />
    </div>
  );
}
