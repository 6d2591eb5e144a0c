import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, readInstants, runCommand, zoneOption } from '../command.ts';
import { readTenant, readTenantNames } from '../directory/read-directory.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { DECLARATION_LIST, isDeclaration, type RecordedDeclaration } from './declaration-list.ts';

export const findRequestCommand = defineCommand('find-request', {
  summary: 'Find the declarations that a request saved. The header X-Request-Id of its response contains the id.',
  example: 'find-request 5d0c3f6e-1d3b-4b7e-9a55-0c8a1f6d2b11 --local',
})
  .argument('<request-id>', 'the X-Request-Id of the response')
  .option('--tenant <tenant>', 'the tenant of the request (default: all tenants)')
  .option('--at <time>', 'a time of the day of the request (default: today and yesterday)')
  .addOption(zoneOption)
  .addOption(languageOption)
  .action((requestId, { tenant, at, zone, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const nowMs = systemClock.now().getTime();
      const ms = at === undefined ? nowMs : readInstants('--at', at, zone).startMs;
      if (tenant !== undefined) await readTenant(ports, tenant);
      const declarations: RecordedDeclaration[] = [];
      for (const name of tenant === undefined ? await readTenantNames(ports) : [tenant]) {
        for await (const page of ports.histories.readBetween(name, ms - DAY_MS, ms + DAY_MS)) {
          declarations.push(...page.filter(isDeclaration).filter((declaration) => declaration.requestId === requestId));
        }
      }
      const { header, toRow, toDocument } = DECLARATION_LIST;
      const isSaved = declarations.length > 0;
      if (isSaved) {
        output.line(translate(opsTexts.savedRequest(requestId, declarations.length)));
        const rows = declarations.map((declaration) => [declaration.scope.tenant, ...toRow(declaration)]);
        output.table(['tenant', ...header], rows);
      } else output.line(translate(opsTexts.unsavedRequest(requestId)));
      const documents = declarations.map((declaration) => {
        return { tenant: declaration.scope.tenant, ...toDocument(declaration) };
      });
      output.document({ request_id: requestId, landed: isSaved, declarations: documents });
      return isSaved ? EXIT.done : EXIT.rejected;
    }),
  );
