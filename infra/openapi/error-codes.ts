import type { Contract } from '../../lib/contracts/contract.ts';
import { type ErrorCode, selectErrorCodes } from '../../lib/domain/errors.ts';

/** Lists the error codes that an operation of the current interface can return. */
export function listErrorCodes({ access, errors = [] }: Contract): ErrorCode[] {
  const accessErrors = access ? selectErrorCodes('token', 'supplier') : [];
  return [...selectErrorCodes('all'), ...errors, ...accessErrors];
}

/** Lists the error codes that an operation of the legacy route can return. */
export function listLegacyErrorCodes({ errors = [] }: Contract): ErrorCode[] {
  return [...selectErrorCodes('all', 'supplier'), ...errors];
}
