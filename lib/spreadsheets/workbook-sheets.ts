/** A sheet of a workbook that contains cells: its name, its part, and its position (the first is 1). */
export interface WorkbookSheet {
  readonly name: string;
  readonly path: string;
  readonly position: number;
}

/** The maximum number of sheets; Excel itself has no limit. */
const MAX_SHEETS = 1000;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Lists the sheets of a workbook in their order, without those that are charts. */
export function listSheets(parts: ReadonlyMap<string, Buffer>): WorkbookSheet[] {
  const relations = readElements(parts, 'xl/_rels/workbook.xml.rels', 'Relationship');
  const targets = new Map(relations.map((attributes) => [attributes.get('Id'), attributes.get('Target') ?? '']));
  return readElements(parts, 'xl/workbook.xml', 'sheet').flatMap((attributes, index) => {
    const target = targets.get(attributes.get('id')) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    if (!parts.get(path)?.includes('sheetData')) return [];
    return [{ name: attributes.get('name') ?? '', path, position: index + 1 }];
  });
}

/** Reads the attributes of all elements with a name, without the prefixes of their names. */
function readElements(parts: ReadonlyMap<string, Buffer>, path: string, element: string): Map<string, string>[] {
  const xml = parts.get(path)?.toString() ?? '';
  const found = [...xml.matchAll(new RegExp(`<(?:[\\w.-]*:)?${element}\\s([^<>]*)>`, 'g'))];
  if (found.length > MAX_SHEETS) throw new Error('There are too many sheets.');
  return found.map(([, attributes = '']) => {
    const pairs = attributes.matchAll(/(?:[\w.-]+:)?([\w.-]+)="([^"]*)"/g);
    return new Map([...pairs].map(([, name = '', value = '']) => [name, decodeEntities(value)]));
  });
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, digits, hex, name: string) => {
    if (name) return ENTITIES[name] ?? entity;
    return String.fromCodePoint(digits ? Number(digits) : parseInt(hex, 16));
  });
}
