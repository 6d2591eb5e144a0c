import { Option } from '@commander-js/extra-typings';
import type { DateRange } from '../../lib/domain/date-range.ts';
import { toEndInstant, toStartInstant } from '../../lib/domain/iso-date.ts';
import { matching } from './command.ts';
import { toRangeInZone, ZONE } from './input/zone.ts';
import { OperatorError } from './operator-errors.ts';
import { translate } from './texts/language.ts';
import { opsTexts } from './texts/ops-texts.ts';

export const zoneOption = new Option(
  '--zone <offset>',
  'UTC offset of dates and times that have no offset, such as -03:00 (default: UTC)',
).argParser(matching(ZONE, 'an offset from UTC, such as -03:00, or Z'));

/** The name of an option, such as `--from`, and its date; undefined if the option was not passed. */
interface DateOption {
  readonly name: string;
  readonly date: string | undefined;
}

/** Reads the first and last instant of the date of an option. Throws an OperatorError if it is not a date. */
export function readInstants(option: string, date: string, zone = 'Z'): DateRange {
  const instants = toRangeInZone(date, zone);
  if (!instants) throw new OperatorError(translate(opsTexts.notADate(option, date)));
  return instants;
}

/** Reads a range, which a missing date does not limit. Throws an OperatorError if it is invalid or reversed. */
export function readRange(first: DateOption, last: DateOption, zone?: string): DateRange {
  const { startMs } = readInstants(first.name, first.date ?? toStartInstant('0000-01-01'), zone);
  const { endMs } = readInstants(last.name, last.date ?? toEndInstant('9999-12-31'), zone);
  if (endMs < startMs) throw new OperatorError(translate(opsTexts.reversedRange(last.name, first.name)));
  return { startMs, endMs };
}
