/** The headers of every answer, the gateway's own too: no cache, no guessed type, HTTPS only for a year, no page. */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Not for subdomains: this service does not know whether they have HTTPS.
  'Strict-Transport-Security': 'max-age=31536000',
  // An answer is no page: what a browser shows of it loads nothing, and stands in no frame.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
