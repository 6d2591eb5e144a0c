/** The headers of every answer, the gateway's own too: no cache, no guessed type, and HTTPS only for a year. */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Not for subdomains: this service does not know whether they have HTTPS.
  'Strict-Transport-Security': 'max-age=31536000',
} as const;
