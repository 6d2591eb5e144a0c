/** Tests that cannot hold on DynamoDB Local, and why. */
export interface Exception {
  readonly reason: string;
  /** Full titles, or beginnings of them; as vitest prints them: those of the suites, then the test's own. */
  readonly titles: readonly string[];
}

/** What `npm run test:extra -- dynamodb-local` leaves out; a title that no test has fails the run. */
export const exceptions: readonly Exception[] = [
  {
    reason: 'The embedded engine is what they test: its process, and the file of its data.',
    titles: [
      'npm start > npm start ends and leaves no process if its ',
      'the engine > only the owner can read the files of the engine ',
      'the engine > startEngine rejects with the reason if the engine cannot open its database',
      'npm start > npm start prints one line if the engine ends while the data are prepared',
      'npm start > npm start leaves no process after ',
    ],
  },
  {
    reason:
      'They count write units: DynamoDB Local reports other units than AWS for a transaction, and leaves out items.',
    titles: [
      'a declaration costs ',
      'a declaration of another ',
      'a batch of 25 ',
      'a batch of 100 costs ',
      'the import of 25 invoices costs ',
    ],
  },
  {
    reason: 'It quotes the words of AWS; DynamoDB Local refuses the same transaction in other words.',
    titles: [
      'the bytes of a transaction > a transaction is accepted if its items have 4 MB, and rejected with one byte more',
    ],
  },
];

/** The exceptions' titles, as a pattern of the titles of all other tests. */
export const otherTitles = `^(?!${exceptions
  .flatMap(({ titles }) => titles)
  .map((title) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  .join('|')})`;
