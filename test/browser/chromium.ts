/** The program that the tests drive: CHROMIUM_BIN, or where Debian's package `chromium` puts it. */
export const chromiumProgram = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';
