import { LoginBlocked } from '../rate-limit/login-guard.ts';
import type { PortalMiddleware } from './middleware.ts';

/** Answers a blocked attempt with the time to wait and without rate headers; the log line says that it was refused. */
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
