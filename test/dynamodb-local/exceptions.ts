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
      'npm start > whose engine was killed ',
      'npm start > whose supervisor was killed ',
      'npm start > whose service was killed ',
      'the engine > keeps its files from others in a folder that they may look into',
      'the engine > names the reason when it cannot open its database',
      'npm start > says in one line that the engine ended while the data were being prepared',
      'npm start > leaves no engine behind after ',
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
    titles: ['the bytes of a transaction > are those of its items: 4 MB are taken, and one byte more is not'],
  },
];

/** The exceptions' titles, as a pattern of the titles of all other tests. */
export const otherTitles = `^(?!${exceptions
  .flatMap(({ titles }) => titles)
  .map((title) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  .join('|')})`;
