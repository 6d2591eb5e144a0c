import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, type ExitCode, runCommand, type Session } from '../command.ts';
import { readInstants, zoneOption } from '../date-options.ts';
import { readTenant, readTenantNames } from '../directory/read-directory.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { DECLARATION_LIST, isDeclaration, type RecordedDeclaration } from './declaration-list.ts';

const command = defineCommand('find-request', {
  summary: 'Find the declarations that a request saved. The header X-Request-Id of its response contains the id.',
  example: 'find-request 5d0c3f6e-1d3b-4b7e-9a55-0c8a1f6d2b11 --local',
})
  .argument('<request-id>', 'the X-Request-Id of the response')
  .option('--tenant <tenant>', 'the tenant of the request (default: all tenants)')
  .option('--at <time>', 'a time of the day of the request (default: today and yesterday)')
  .addOption(zoneOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const findRequestCommand = command.action((requestId, options) =>
  runCommand(options, (session) => findRequest(session, requestId, options)),
);

async function findRequest(session: Session, requestId: string, options: Options): Promise<ExitCode> {
  const declarations = await readDeclarations(session, requestId, options);
  const { output } = session;
  const isSaved = declarations.length > 0;
  const { header, toRow, toDocument } = DECLARATION_LIST;
  if (isSaved) {
    output.line(translate(opsTexts.savedRequest(requestId, declarations.length)));
    const rows = declarations.map((declaration) => [declaration.scope.tenant, ...toRow(declaration)]);
    output.table(['tenant', ...header], rows);
  } else {
    output.line(translate(opsTexts.unsavedRequest(requestId)));
  }
  const documents = declarations.map((saved) => ({ tenant: saved.scope.tenant, ...toDocument(saved) }));
  output.document({ request_id: requestId, landed: isSaved, declarations: documents });
  return isSaved ? EXIT.done : EXIT.rejected;
}

/** Reads the declarations of a request from a day before until a day after its time. Checks that the tenant exists. */
async function readDeclarations({ ports }: Session, requestId: string, options: Options) {
  const { tenant, at, zone } = options;
  const timeMs = at === undefined ? systemClock.now().getTime() : readInstants('--at', at, zone).startMs;
  if (tenant !== undefined) await readTenant(ports, tenant);
  const tenants = tenant === undefined ? await readTenantNames(ports) : [tenant];
  const declarations: RecordedDeclaration[] = [];
  for (const name of tenants) {
    for await (const page of ports.histories.readBetween(name, timeMs - DAY_MS, timeMs + DAY_MS)) {
      const ownChanges = page.filter((change) => change.requestId === requestId);
      declarations.push(...ownChanges.filter(isDeclaration));
    }
  }
  return declarations;
}
