import { declarationDocument } from '../../../lib/contracts/history.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';

const HEADER = ['tenant', 'supplier', 'invoice', 'revision', 'amount', 'outcome', 'when'];

const NOT_FOUND =
  'It was a request that only reads, or one that was refused, or it declared what stood already, ' +
  'or its write did not land. What was written in the last seconds may not show yet.';

/** `find-request`: whether the write of a request landed, and what it wrote. */
export const findRequestCommand = defineCommand('find-request', {
  summary: "Say whether the write of a request landed, and what it declared; X-Request-Id is in the request's answer.",
  example: 'find-request 5d0c3f6e-1d3b-4b7e-9a55-0c8a1f6d2b11 --local',
})
  .argument('<request-id>', 'the X-Request-Id of the answer')
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
        output.line(`The write of ${requestId} landed. Declarations: ${found.length}.`);
        output.table(HEADER, rows);
      } else output.line(`No declaration carries ${requestId}. ${NOT_FOUND}`);
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
