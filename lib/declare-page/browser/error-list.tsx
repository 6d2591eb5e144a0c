import type { Text } from '../../domain/language.ts';
import { pageTexts } from '../page-texts.ts';
import { translate } from './language.ts';

const MAX_LISTED_ERRORS = 10;

interface ListedError {
  /** The id of the element with the error, to which the list links. */
  readonly place: string;
  readonly linkText: string;
  /** The text after the link. */
  readonly text: string;
}

/** Lists the first errors, each with a link to its place in the table. */
export function ErrorList({ title, errors }: { title: Text; errors: readonly ListedError[] }) {
  return (
    <>
      <p>{translate(title)}</p>
      <ul>
        {errors.slice(0, MAX_LISTED_ERRORS).map(({ place, linkText, text }) => (
          <li key={place}>
            <a href={`#${place}`}>{linkText}</a>
            {text}
          </li>
        ))}
      </ul>
      {errors.length > MAX_LISTED_ERRORS && <p>{translate(pageTexts.moreErrors)}</p>}
    </>
  );
}
