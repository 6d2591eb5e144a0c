/** Tests that cannot pass on DynamoDB Local, with the reason. */
export interface Exception {
  readonly reason: string;
  /** Full titles or their beginnings, as vitest prints them: the titles of the suites, then that of the test. */
  readonly titles: readonly string[];
}

/** The tests that `npm run test:extra -- dynamodb-local` skips. A title that no test has fails `npm test`. */
export const exceptions: readonly Exception[] = [
  {
    reason: 'They test the embedded engine itself: its process and its data file.',
    titles: [
      'the data of npm start > npm start ends and leaves no process if its ',
      'the engine > only the owner can read the files of the engine ',
      'the engine > startEngine rejects with the reason if the engine cannot open its database',
      'the data of npm start > npm start prints one line if the engine ends while the data are prepared',
      'npm start > npm start leaves no process after ',
    ],
  },
  {
    reason: 'They count write units: DynamoDB Local reports other units than AWS for a transaction, and omits items.',
    titles: [
      'a declaration costs ',
      'a declaration of another ',
      'a batch of 25 ',
      'a batch of 100 costs ',
      'the import of 25 invoices costs ',
    ],
  },
  {
    reason: 'It expects the message of AWS: DynamoDB Local rejects the same transaction with another message.',
    titles: [
      'the bytes of a transaction > a transaction is accepted if its items have 4 MB, and rejected with one byte more',
    ],
  },
];

/** A pattern that matches the titles of all tests except the exceptions. */
export const otherTitles = `^(?!${exceptions
  .flatMap(({ titles }) => titles)
  .map((title) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  .join('|')})`;
