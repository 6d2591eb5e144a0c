import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { isExactAmount } from '../../../lib/domain/decimal-text.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import {
  missingLimit,
  TOLERANCE_MODES,
  type ToleranceConfig,
  type ToleranceMode,
} from '../../../lib/domain/tolerance.ts';

/** What the options say of a tolerance. */
export interface ToleranceOptions {
  readonly mode: ToleranceMode;
  readonly pct?: Decimal | undefined;
  readonly abs?: Decimal | undefined;
  readonly autoApprove: boolean;
}

/** The options with which a command is told a tolerance, but for what becomes of an amount within it. */
export const toleranceOptions = {
  mode: new Option('--mode <mode>', 'what limits the difference').choices(TOLERANCE_MODES).makeOptionMandatory(),
  pct: new Option('--pct <percentage>', 'the limit in percent').argParser(readLimit),
  abs: new Option('--abs <amount>', 'the limit as an amount').argParser(readLimit),
};

/** The tolerance that the options configure; throws an OperatorError when the limit of its mode is left out. */
export function readTolerance({ mode, pct, abs, autoApprove }: ToleranceOptions): ToleranceConfig {
  const config = { mode, pct: pct ?? null, abs: abs ?? null, autoApprove };
  const missing = missingLimit(config);
  if (missing) {
    const option = missing === 'tolerance_pct' ? '--pct' : '--abs';
    throw new OperatorError(`${option} is required in mode ${mode}.`);
  }
  return config;
}

/** Reads a limit by the rules of a directory file. */
function readLimit(text: string): Decimal {
  if (isExactAmount(text)) return decimal(text);
  throw new InvalidArgumentError('It must be a number from 0 to 999999999999.99 with at most 6 decimals.');
}
