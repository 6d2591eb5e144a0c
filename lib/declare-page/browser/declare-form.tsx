import { useRef, useState } from 'preact/hooks';
import { type LineResult, selectDeclarable } from '../line-result.ts';
import { pageTexts } from '../page-texts.ts';
import { sumAmounts } from '../totals.ts';
import { showAmount, showCount, translate } from './language.ts';

interface DeclareFormProps {
  readonly results: readonly LineResult[];
  /** True if nothing can be declared now. The hidden form keeps the choice of the clerk. */
  readonly isHidden: boolean;
  readonly onDeclare: (lines: readonly LineResult[]) => void;
}

/** The form in which a clerk chooses whether lines that can go to review are declared, and confirms the declaration. */
export function DeclareForm({ results, isHidden, onDeclare }: DeclareFormProps) {
  const [skipsReview, setSkipsReview] = useState(false);
  const confirmation = useRef<HTMLDialogElement>(null);
  const lines = selectDeclarable(results, skipsReview);
  // The outcome is unknown if a declaration was interrupted. The clerk then resumes it.
  const isInterrupted = results.some(({ outcome }) => outcome === 'unknown');
  if (isHidden) return null;
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={skipsReview} onChange={() => setSkipsReview(!skipsReview)} />
        {translate(pageTexts.holdReview)}
      </label>
      {lines.length > 0 && (
        <button class="main" onClick={() => confirmation.current?.showModal()}>
          {translate(isInterrupted ? pageTexts.resume : pageTexts.declareCount(showCount(lines.length)))}
        </button>
      )}
      <dialog
        ref={confirmation}
        aria-label={translate(pageTexts.declare)}
        onClose={({ currentTarget: dialog }) => {
          if (dialog.returnValue === 'declare') onDeclare(lines);
          // The key Escape does not change the value. If it were not reset, Escape would later declare the lines again.
          dialog.returnValue = '';
        }}
      >
        <form method="dialog">
          <p>{translate(pageTexts.summary(showCount(lines.length), showAmount(sumAmounts(lines))))}</p>
          <button class="main" value="declare">
            {translate(pageTexts.declareNow)}
          </button>
          <button value="cancel">{translate(pageTexts.cancel)}</button>
        </form>
      </dialog>
    </>
  );
}
