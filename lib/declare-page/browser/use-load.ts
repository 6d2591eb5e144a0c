import { useState } from 'preact/hooks';
import type { Text } from '../../domain/language.ts';
import { pageTexts } from '../page-texts.ts';
import { describeFailure } from '../results.ts';
import { showWaitsDuring } from './waits.ts';

/** Loads a value when `load` is called. The message shows that the value is being loaded, a wait, or a failure. */
export function useLoad<Value>(read: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null);
  const [message, setMessage] = useState<Text | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const load = async () => {
    setIsBusy(true);
    setValue(null);
    setMessage(pageTexts.loading);
    try {
      setValue(await showWaitsDuring((seconds) => setMessage(pageTexts.waiting(seconds)), read));
      setMessage(null);
    } catch (error) {
      setMessage(describeFailure(error));
    }
    setIsBusy(false);
  };
  return { value, message, isBusy, load };
}
