import { useState } from 'preact/hooks';
import type { Text } from '../../domain/language.ts';
import { pageTexts as texts } from '../page-texts.ts';
import { describeFailure } from '../results.ts';
import { reportWait } from './waits.ts';

/** Loads a value when `load` is called. The message shows that the value is loaded, a wait, or a failure. */
export function useLoad<Value>(read: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null);
  const [message, setMessage] = useState<Text | null>(null);
  const [isBusy, setBusy] = useState(false);
  const load = async () => {
    setBusy(true);
    setValue(null);
    setMessage(texts.loading);
    reportWait.current = (seconds) => setMessage(texts.waiting(String(Math.ceil(seconds))));
    try {
      setValue(await read());
      setMessage(null);
    } catch (error) {
      setMessage(describeFailure(error));
    }
    setBusy(false);
  };
  return { value, message, isBusy, load };
}
