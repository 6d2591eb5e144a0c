/** The headers that say the same on every answer, the gateway's own included: it is kept nowhere, is what it says it is, and for a year comes by HTTPS only. */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Not for subdomains: whether those have HTTPS is for their owner to know.
  'Strict-Transport-Security': 'max-age=31536000',
} as const;
