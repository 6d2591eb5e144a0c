import { type Browser, chromium } from 'playwright-core';

/** Starts Chromium, which the variable CHROMIUM_BIN names. */
export function openBrowser(): Promise<Browser> {
  const args = [
    // Chromium asks before a page calls this machine, but not every browser does.
    '--disable-features=LocalNetworkAccessChecks',
    // Chromium's sandbox does not work for root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  return chromium.launch({ executablePath: process.env['CHROMIUM_BIN'] ?? '', args });
}
