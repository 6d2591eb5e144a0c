import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { readInstants, type Session } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { createCursor, type ExportCursor } from './export-cursor.ts';

/** The age of the oldest declarations of a tenant that no command has created, such as the demo. */
const UNRECORDED_DAYS = 400;

interface StartOptions {
  readonly since?: string | undefined;
  readonly zone?: string | undefined;
  /** The path of the cursor file, which does not exist yet. */
  readonly cursorFile?: string | undefined;
  readonly fromStart?: boolean | undefined;
}

/** Chooses the start of an export without a cursor. Asks before it begins at the first declaration. */
export async function chooseStart(session: Session, tenant: string, options: StartOptions): Promise<ExportCursor> {
  const { since, zone, cursorFile, fromStart } = options;
  if (since !== undefined) {
    const { startMs } = readInstants('--since', since, zone);
    return createCursor(tenant, new Date(startMs).toISOString());
  }
  if (cursorFile !== undefined && !fromStart) await confirmFirstExport(session, cursorFile);
  const startMs = await findFirstTime(session.ports, tenant);
  const start = new Date(startMs).toISOString();
  session.output.note(translate(opsTexts.fromStart(start)));
  return createCursor(tenant, start);
}

/** Asks if all declarations are exported, because a missing cursor file can be a mistake in the path. */
async function confirmFirstExport({ host, confirm }: Session, path: string): Promise<void> {
  if (!host.stdin.isTTY) throw new OperatorError(translate(opsTexts.needsStart(path)));
  await confirm(async () => translate(opsTexts.confirmStart(path)));
}

/** Finds a time before the first declaration of a tenant: a day before the command that has created the tenant. */
async function findFirstTime({ operatorEntries }: AdminPorts, tenant: string): Promise<number> {
  const { value: firstPage = [] } = await operatorEntries.pages(tenant, '0').next();
  const [entry] = firstPage as readonly OperatorEntry[];
  if (entry?.command === 'apply') return Date.parse(entry.time) - DAY_MS;
  return systemClock.now().getTime() - UNRECORDED_DAYS * DAY_MS;
}
