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

/** The form in which a clerk chooses which of the checked lines are declared, and confirms this. */
export function DeclareForm({ results, isHidden, onDeclare }: DeclareFormProps) {
  const [isReviewHeld, setIsReviewHeld] = useState(false);
  const confirmation = useRef<HTMLDialogElement>(null);
  const lines = selectDeclarable(results, isReviewHeld);
  const isInterrupted = results.some(({ outcome }) => outcome === 'unknown');
  if (isHidden) return null;
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={isReviewHeld} onChange={() => setIsReviewHeld(!isReviewHeld)} />
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
          // The value is that of the last pressed button. If the key Escape closes the dialog, it does not change.
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
