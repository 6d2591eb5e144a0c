/** What every generator calls by the same name, in whatever case of letters. */
const EXPECTED = [
  'InvoiceRow',
  'InvoiceDetail',
  'Tolerance',
  'ToleranceMode',
  'StateCode',
  'Declaration',
  'BatchResult',
];

/** Fails when a type is missing, or has a name that the generator had to invent, such as `Response200Type1`. */
export function checkNames(names: readonly string[]): void {
  const missing = EXPECTED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`The client has no ${missing.join(', ')}.`);
  const invented = names.filter((name) => /\d|Inner|Inline|AnyOf|OneOf/.test(name));
  if (invented.length > 0) throw new Error(`These names were invented: ${invented.join(', ')}.`);
}
