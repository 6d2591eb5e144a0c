import { LoginBlocked } from '../rate-limit/login-guard.ts';
import type { RequestState } from './request-state.ts';

/** When the error is that nothing of an attempt may be told: the caller is told when to come back, and nothing else; the log, that a login was refused. */
export function showBlock(error: unknown, state: RequestState): void {
  if (!(error instanceof LoginBlocked)) return;
  state.loginRefused = error.reason;
  state.rate = null;
  state.retryAfterSeconds = error.retryAfterSeconds;
}
