import { describe, expect, it } from 'vitest';
import { integrationGuide, readDocument } from '../../../infra/openapi/read-document.ts';
import { mapTexts, SPANISH_TEXTS, toSpanish } from '../../../infra/openapi/spanish/translate.ts';

interface Info {
  readonly info: { readonly description: string };
}

const english = readDocument('en') as Info;
const spanish = readDocument('es') as Info;

/** The texts of a document, but for the guide. */
function textsOf({ info: { description: _guide, ...info }, ...document }: Info): string[] {
  const texts: string[] = [];
  mapTexts({ ...document, info }, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** A document without its texts, and without the messages in its examples. */
function withoutTexts(document: object): string[] {
  const withoutMessages = (key: string, value: unknown) => {
    if (key === 'constraints' && !('type' in (value as object))) return Object.keys(value as object);
    return key === 'message' && typeof value === 'string' ? '' : value;
  };
  const text = JSON.stringify(
    mapTexts(document, () => ''),
    withoutMessages,
    1,
  );
  return text.replaceAll('\\n', '').split('\n');
}

describe('the OpenAPI document in Spanish', () => {
  it('differs from the English one in its texts and in nothing else, not even in an order', () => {
    expect(withoutTexts(spanish)).toEqual(withoutTexts(english));
  });

  it('needs every Spanish text that there is', () => {
    const used = new Set(textsOf(english));
    expect(Object.keys(SPANISH_TEXTS).filter((text) => !used.has(text))).toEqual([]);
  });

  it('cannot be made while a text has no Spanish', () => {
    expect(() => toSpanish('A new field')).toThrow('This text needs its Spanish in infra/openapi/spanish: A new field');
  });

  it('keeps the codes of errors, which are the description of an answer', () => {
    expect(toSpanish('Success, NOT_FOUND')).toBe('Éxito, NOT_FOUND');
    expect(toSpanish('UNAUTHORIZED, TOKEN_EXPIRED')).toBe('UNAUTHORIZED, TOKEN_EXPIRED');
  });

  it('begins with the guide of its language', () => {
    expect(english.info.description).toBe(integrationGuide('en'));
    expect(spanish.info.description).toBe(integrationGuide('es'));
  });
});
