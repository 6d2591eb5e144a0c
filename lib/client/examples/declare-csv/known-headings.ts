import { type Column, columnNames } from './columns.ts';

/** By what headings a column is known, in both languages; each as `plain` makes it of what people write. */
const KNOWN: Readonly<Record<Column, readonly string[]>> = {
  invoice_id: ['invoice', 'id', 'factura', 'id factura', 'factura id'],
  amount: ['declared amount', 'importe', 'importe declarado', 'monto', 'monto declarado'],
  notes: ['note', 'comment', 'comments', 'nota', 'notas', 'observacion', 'observaciones', 'comentario', 'comentarios'],
  invoice_number: ['invoice no', 'comprobante', 'no comprobante', 'comprobante no', 'no factura', 'factura no'],
  invoice_date: ['date', 'fecha', 'fecha factura', 'fecha comprobante', 'fecha emision'],
  tax_pct: ['tax %', 'vat %', '% tax', '% vat', 'iva %', '% iva', 'alicuota', 'alicuota iva', 'porcentaje iva'],
};

const known = new Map<string, Column>(
  columnNames.flatMap((column) => [column, ...KNOWN[column]].map((heading) => [plain(heading), column] as const)),
);

/** The column that a heading is known to name: case, accents, articles and ways to write "number" do not matter. */
export function columnNamed(heading: string): Column | undefined {
  return known.get(plain(heading));
}

function plain(heading: string): string {
  const words = heading
    // The sign of "N.º", which would become an "o".
    .replaceAll(/\.?[º°]/g, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+|%/g);
  return (words ?? [])
    .filter((word) => !/^(?:de|del|la|el|of|the)$/.test(word))
    .map((word) => word.replace(/^(?:n|nro|num|numero|number)$/, 'no'))
    .join(' ');
}
