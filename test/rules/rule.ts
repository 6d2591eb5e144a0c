/** The rules of one section of the interface by section and row: what each says, in its own words, then the tests that prove it. */
export type Rules = Readonly<Record<string, readonly [quotation: string, ...tests: string[]]>>;

/** Names the tests of one `describe`, as `<file> > <full name>`. */
export function suite(file: string, describe: string): (test: string) => string {
  return (test) => `test/${file}.test.ts > ${describe} > ${test}`;
}
