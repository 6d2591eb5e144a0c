import { toDeclarationDocument, toStateChangeDocument } from '../../../lib/contracts/events.ts';
import { toInvoiceDetail } from '../../../lib/contracts/to-response.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import { readTolerances } from '../directory/read-directory.ts';
import { keysIn } from '../tables/directory-records.ts';
import { runCommand } from '../command.ts';
import { outOption } from '../out-file.ts';
import { describeTolerance } from '../directory/tolerances.ts';
import { defineInvoiceCommand, findInvoice } from '../invoice-options.ts';

export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its current declaration, and its tolerance.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ ports, output }) => {
    const { scope, invoice } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
    const tolerances = await readTolerances(ports, tenant, [scope.supplierId]);
    // `findInvoice` has found the supplier.
    const tolerance = tolerances.get(scope.supplierId)!;
    const { version, sortDate, requiresManualReview, declaration } = invoice;
    const extras = {
      supplier_id: scope.supplierId,
      version,
      sort_date: sortDate,
      held_for_review: requiresManualReview,
      declared_tax_pct: declaration?.taxPct?.toNumber() ?? null,
      revision: declaration?.revision ?? null,
    };
    const detail = { ...extras, ...toInvoiceDetail(invoice, tolerance) };
    const { concepts, tolerance: _, ...fields } = detail;
    const rows = Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
    output.table(null, [...rows, ['tolerance', describeTolerance(tolerance)]]);
    output.line('');
    const [first] = concepts;
    const toCells = (concept: object) => Object.values(concept).map(String);
    if (first) output.table(Object.keys(first), concepts.map(toCells));
    else output.line('The invoice has no concepts.');
    output.document(detail);
  }),
);

const HEADER = ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'];

export const historyCommand = defineInvoiceCommand('history', {
  summary: 'Show the declarations on an invoice, and all other changes of its state or amount, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(outOption)
  .action((tenant, invoiceId, { supplier, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const { scope } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
      const revisions = await ports.declarations.readHistory(scope, invoiceId);
      const stateChanges = await ports.stateChanges(scope, invoiceId);
      const userIds = new Set(revisions.map(({ declaredBy }) => declaredBy));
      const users = await ports.records.read([...userIds].map(keysIn(tenant).user));
      // A user may no longer exist.
      const emails = new Map(users.flatMap((user) => (user ? [[user.user_id, user.email]] : [])));

      const declarations = revisions.map((revision) => {
        const email = emails.get(revision.declaredBy);
        const document = { type: 'declaration', ...toDeclarationDocument(revision), declared_by_email: email ?? null };
        return { time: revision.declaredAt, row: declarationRow(revision, email), document };
      });
      const changes = stateChanges.map((change) => {
        const document = { type: 'state_change', ...toStateChangeDocument(change) };
        return { time: change.changedAt, row: stateChangeRow(change), document };
      });
      // The sort is stable: at the same time, declarations are first.
      const entries = [...declarations, ...changes].toSorted((a, b) => a.time.localeCompare(b.time));
      if (entries.length === 0) output.line('The invoice has no declaration, and its state was never changed.');
      else
        output.table(
          HEADER,
          entries.map(({ row }) => row),
        );
      const documents = entries.map(({ document }) => document);
      output.document({ tenant, supplier_id: scope.supplierId, invoice_id: invoiceId, entries: documents });
    }),
  );

function stateChangeRow(change: StateChange): string[] {
  const { from, to, fromSystemAmount, toSystemAmount, changedBy, reason, changedAt } = change;
  const what = from === to ? 'system amount' : `${from} -> ${to}`;
  const amounts = fromSystemAmount ? `${fromSystemAmount.toFixed()} -> ${toSystemAmount?.toFixed()}` : '';
  return [changedAt, what, '', amounts, '', '', reason ?? '', changedBy, ''];
}

function declarationRow(revision: DeclarationRevision, email: string | undefined): string[] {
  const { outcome, declaredBy } = revision;
  const isWithin = outcome.withinTolerance ? 'within' : 'outside';
  return [
    revision.declaredAt,
    `revision ${revision.revision}`,
    revision.amount.toFixed(),
    revision.systemAmount.toFixed(),
    `${outcome.difference.toFixed()} (${outcome.differencePct.toFixed()} %)`,
    `${outcome.action}, ${isWithin}${revision.requiresManualReview ? ', held' : ''}`,
    describeTolerance(revision.tolerance),
    email === undefined ? declaredBy : `${declaredBy} ${email}`,
    revision.requestId,
  ];
}
