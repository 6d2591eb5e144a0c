import { defineCommand, EXIT, runCommand } from '../command.ts';
import { DECLARATION_LIST } from '../export/export-declarations.ts';
import { toTable } from '../review/write-sheet.ts';

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
      const { header, toRow } = toTable(DECLARATION_LIST);
      if (found.length > 0) {
        output.line(`Request ${requestId} was saved. Declarations: ${found.length}.`);
        output.table(
          ['tenant', ...header],
          found.map((declaration) => [declaration.scope.tenant, ...toRow(declaration)]),
        );
      } else output.line(`No declaration has the request id ${requestId}. ${NOT_FOUND}`);
      const declarations = found.map((declaration) => ({
        tenant: declaration.scope.tenant,
        ...DECLARATION_LIST.toDocument(declaration),
      }));
      output.document({ request_id: requestId, landed: found.length > 0, declarations });
      return found.length > 0 ? EXIT.done : EXIT.rejected;
    }),
  );
