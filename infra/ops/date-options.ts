import { InvalidArgumentError } from '@commander-js/extra-typings';
import { OperatorError } from '../../lib/admin/operator-error.ts';
import type { DateRange } from '../../lib/domain/date-range.ts';
import { endOf, startOf } from '../../lib/domain/iso-date.ts';
import { instantsOf, ZONE } from '../../lib/domain/zone.ts';

/** Reads a zone; of a command that has `--zone`, all dates without one are of it. */
export function zoneOffset(text: string): string {
  if (!ZONE.test(text)) throw new InvalidArgumentError('It is an offset from UTC, such as -03:00, or Z.');
  return text;
}

/** The instants that a date of an option names; throws an OperatorError when it is none. */
export function readInstants(option: string, date: string, zone = 'Z'): DateRange {
  const instants = instantsOf(date, zone);
  if (!instants) throw new OperatorError(`${option} ${date} is no ISO 8601 date, such as 2026-08-31.`);
  return instants;
}

/** The range from one date to another, each as far as it is named; a date alone is its whole day. */
export function readRange({ from, to, zone }: Readonly<Record<'from' | 'to' | 'zone', string | undefined>>): DateRange {
  const { startMs } = from === undefined ? EVER : readInstants('--from', from, zone);
  const { endMs } = to === undefined ? EVER : readInstants('--to', to, zone);
  if (endMs < startMs) throw new OperatorError('--to is before --from.');
  return { startMs, endMs };
}

const EVER: DateRange = { startMs: Date.parse(startOf('0000-01-01')), endMs: Date.parse(endOf('9999-12-31')) };
