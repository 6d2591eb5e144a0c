import { declarationDocument } from '../../../lib/contracts/history.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';

const HEADER = ['tenant', 'supplier', 'invoice', 'revision', 'amount', 'outcome', 'when'];

const NOT_FOUND =
  'No declaration was saved: the request was read-only, was rejected, changed nothing, or failed before the write. ' +
  'A write of the last seconds may not be visible yet.';

/** `find-request`: prints the declarations that a request saved. */
export const findRequestCommand = defineCommand('find-request', {
  summary: 'Find the declarations that a request saved. The header X-Request-Id of its response contains the id.',
  example: 'find-request 5d0c3f6e-1d3b-4b7e-9a55-0c8a1f6d2b11 --local',
})
  .argument('<request-id>', 'the X-Request-Id of the response')
  .action((requestId, options) =>
    runCommand(options, async ({ ports, output }) => {
      const found = await ports.declarations.ofRequest(requestId);
      const rows = found.map(({ scope, revision }) => [
        scope.tenant,
        scope.supplierId,
        revision.invoiceId,
        `${revision.revision}`,
        revision.amount.toFixed(),
        revision.outcome.action,
        revision.declaredAt,
      ]);
      if (found.length > 0) {
        output.line(`Request ${requestId} was saved. Declarations: ${found.length}.`);
        output.table(HEADER, rows);
      } else output.line(`No declaration has the request id ${requestId}. ${NOT_FOUND}`);
      const declarations = found.map(({ scope, revision }) => ({
        tenant: scope.tenant,
        supplier_id: scope.supplierId,
        invoice_id: revision.invoiceId,
        ...declarationDocument(revision),
      }));
      output.document({ request_id: requestId, landed: found.length > 0, declarations });
      return found.length > 0 ? EXIT.done : EXIT.rejected;
    }),
  );
