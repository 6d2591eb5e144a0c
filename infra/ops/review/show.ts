import { toDeclarationDocument, toStateChangeDocument } from '../../../lib/contracts/events.ts';
import { toInvoiceDetail } from '../../../lib/contracts/to-response.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import { readTolerances } from '../directory/read-directory.ts';
import { keysIn } from '../tables/directory-records.ts';
import { runCommand } from '../command.ts';
import { outOption } from '../output/out-file.ts';
import { describeTolerance } from '../directory/tolerances.ts';
import { defineInvoiceCommand, findInvoice } from '../invoice-options.ts';

export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its current declaration, and its tolerance.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ ports, output }) => {
    const { scope, invoice } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, 'any');
    const tolerances = await readTolerances(ports, tenant, [scope.supplierId]);
    // `findInvoice` has found the supplier.
    const tolerance = tolerances.get(scope.supplierId)!;
    const document = {
      supplier_id: scope.supplierId,
      version: invoice.version,
      sort_date: invoice.sortDate,
      held_for_review: invoice.requiresManualReview,
      withdrawn: invoice.isWithdrawn,
      declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
      revision: invoice.declaration?.revision ?? null,
      ...toInvoiceDetail(invoice, tolerance),
    };
    const { concepts, tolerance: _, ...fields } = document;
    const rows = Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
    output.table(null, [...rows, ['tolerance', describeTolerance(tolerance)]]);
    output.line('');
    const conceptRows = concepts.map((concept) => Object.values(concept).map(String));
    if (concepts[0]) output.table(Object.keys(concepts[0]), conceptRows);
    else output.line('The invoice has no concepts.');
    output.document(document);
  }),
);

export const historyCommand = defineInvoiceCommand('history', {
  summary: 'Show the declarations on an invoice, and all other changes of its state or amount, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(outOption)
  .action((tenant, invoiceId, { supplier, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const { scope } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, 'any');
      const revisions = await ports.declarations.readHistory(scope, invoiceId);
      const stateChanges = await ports.stateChanges(scope, invoiceId);
      const userIds = new Set(revisions.map(({ declaredBy }) => declaredBy));
      const users = await ports.records.read([...userIds].map(keysIn(tenant).user));
      // A user may no longer exist.
      const emails = new Map(users.flatMap((user) => (user ? [[user.user_id, user.email]] : [])));

      const declarations = revisions.map((revision) => {
        const email = emails.get(revision.declaredBy);
        const document = { type: 'declaration', ...toDeclarationDocument(revision), declared_by_email: email ?? null };
        return { time: revision.declaredAt, row: toDeclarationRow(revision, email), document };
      });
      const changes = stateChanges.map((change) => {
        const type = change.kind === 'changed' ? 'state_change' : change.kind;
        const document = { type, ...toStateChangeDocument(change) };
        return { time: change.changedAt, row: toStateChangeRow(change), document };
      });
      // The sort is stable: at the same time, declarations are first.
      const entries = [...declarations, ...changes].toSorted((a, b) => a.time.localeCompare(b.time));
      const header = ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'];
      const rows = entries.map(({ row }) => row);
      if (rows.length > 0) output.table(header, rows);
      else output.line('The invoice has no declaration, and its state was never changed.');
      const documents = entries.map(({ document }) => document);
      output.document({ tenant, supplier_id: scope.supplierId, invoice_id: invoiceId, entries: documents });
    }),
  );

function toDeclarationRow(revision: DeclarationRevision, email: string | undefined): string[] {
  const { outcome, declaredBy } = revision;
  const withinText = outcome.isWithinTolerance ? 'within' : 'outside';
  return [
    revision.declaredAt,
    `revision ${revision.revision}`,
    revision.amount.toFixed(),
    revision.systemAmount.toFixed(),
    `${outcome.difference.toFixed()} (${outcome.differencePct.toFixed()} %)`,
    `${outcome.action}, ${withinText}${revision.requiresManualReview ? ', held' : ''}`,
    describeTolerance(revision.tolerance),
    email === undefined ? declaredBy : `${declaredBy} ${email}`,
    revision.requestId,
  ];
}

function toStateChangeRow(change: StateChange): string[] {
  const { kind, from, to, fromSystemAmount, toSystemAmount, changedBy, reason, changedAt } = change;
  const changedText = from === to ? 'system amount' : `${from} -> ${to}`;
  const what = kind === 'changed' ? changedText : kind;
  const amounts = fromSystemAmount ? `${fromSystemAmount.toFixed()} -> ${toSystemAmount?.toFixed()}` : '';
  return [changedAt, what, '', amounts, '', '', reason ?? '', changedBy, ''];
}
