import { LoginBlocked } from '../rate-limit/login-guard.ts';
import type { PortalMiddleware } from './middleware.ts';

/** Tells the caller of a blocked attempt when to come back, and nothing of the guard; tells the log that a login was refused. */
export function showLoginBlock(): PortalMiddleware {
  return {
    onError({ error, event: { state } }) {
      if (!(error instanceof LoginBlocked)) return;
      state.loginRefused = error.reason;
      state.rate = null;
      state.retryAfterSeconds = error.retryAfterSeconds;
    },
  };
}
