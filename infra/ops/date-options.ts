import { Option } from '@commander-js/extra-typings';
import { OperatorError } from './errors.ts';
import type { DateRange } from '../../lib/domain/date-range.ts';
import { endOf, startOf } from '../../lib/domain/iso-date.ts';
import { instantsOf, ZONE } from '../../lib/client/spreadsheets/zone.ts';
import { matching } from './command.ts';

/** The option of every command with dates. */
export const zoneOption = new Option(
  '--zone <offset>',
  'offset from UTC of dates and times without one, such as -03:00 (default: UTC)',
).argParser(matching(ZONE, 'an offset from UTC, such as -03:00, or Z'));

/** Reads the instants of a date of an option; throws an OperatorError if it is not a date. */
export function readInstants(option: string, date: string, zone = 'Z'): DateRange {
  const instants = instantsOf(date, zone);
  if (!instants) throw new OperatorError(`${option} ${date} is not an ISO 8601 date, such as 2026-08-31.`);
  return instants;
}

/** Reads the range between two dates, which can be absent; a date without a time is its whole day. */
export function readRange({ from, to, zone }: Readonly<Record<'from' | 'to' | 'zone', string | undefined>>): DateRange {
  const { startMs } = from === undefined ? EVER : readInstants('--from', from, zone);
  const { endMs } = to === undefined ? EVER : readInstants('--to', to, zone);
  if (endMs < startMs) throw new OperatorError('--to is before --from.');
  return { startMs, endMs };
}

const EVER: DateRange = { startMs: Date.parse(startOf('0000-01-01')), endMs: Date.parse(endOf('9999-12-31')) };
