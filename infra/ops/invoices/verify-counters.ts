import { verifyCounters } from '../../../lib/admin/counters/verify-counters.ts';
import type { MonthVerdict } from '../../../lib/admin/counters/verify-month.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import type { Output } from '../output.ts';

/** `verify-counters`: recounts the invoices behind the day counters, and sets right what differs. */
export const verifyCountersCommand = defineCommand('verify-counters', {
  summary: 'Compare the day counters behind lists with the invoices; the service may be at work meanwhile.',
  example: 'verify-counters demo.example --repair --local',
})
  .argument('[tenant]', 'the tenant, unless all of them are meant')
  .option('--supplier <supplier>', 'only this supplier of the tenant')
  .option('--repair', 'set right the counters that differ')
  .action((tenant, { supplier, repair = false, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      if (tenant === undefined && supplier !== undefined) {
        throw new OperatorError('--supplier belongs to a tenant: name it.');
      }
      const findings = new Findings(output);
      const suppliers = await verifyCounters(
        installation,
        { tenant, supplier },
        { repair, report: (...found) => findings.add(...found) },
      );
      const { invoices, differences, busy } = findings;
      const repaired = differences.filter((difference) => difference.repaired).length;
      output.line(
        `${suppliers} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers, invoices, repaired, differences, busy });
      return busy.length > 0 || repaired < differences.length ? EXIT.rejected : EXIT.done;
    }),
  );

/** A difference as --json tells it. */
interface ReportedDifference {
  readonly tenant: string;
  readonly supplier_id: string;
  readonly day: string;
  readonly state_code: string;
  readonly counted: number;
  readonly stored: number;
  readonly repaired: boolean;
}

/** What was found so far; people hear of it at once. */
class Findings {
  invoices = 0;
  readonly differences: ReportedDifference[] = [];
  readonly busy: { tenant: string; supplier_id: string; month: string }[] = [];
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  add({ tenant, supplierId }: SupplierScope, month: string, verdict: MonthVerdict): void {
    const name = `supplier ${supplierId} of ${tenant}`;
    if (verdict.kind === 'busy') {
      this.busy.push({ tenant, supplier_id: supplierId, month });
      this.#output.fault(`busy      ${name}, ${month}: kept being changed while it was counted`);
      return;
    }
    const { repaired } = verdict;
    this.invoices += verdict.invoices;
    for (const { day, state, counted, stored } of verdict.differences) {
      this.differences.push({ tenant, supplier_id: supplierId, day, state_code: state, counted, stored, repaired });
      const outcome = repaired ? 'repaired' : 'differs';
      this.#output.line(`${outcome.padEnd(8)}  ${name}, ${day} ${state}: ${counted} counted, ${stored} stored`);
    }
  }
}
