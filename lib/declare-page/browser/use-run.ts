import { useEffect, useState } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import type { Text } from '../../domain/language.ts';
import type { LineResult, RunOptions } from '../declare-lines.ts';
import { pageTexts as texts } from '../page-texts.ts';
import { describeFailure } from '../results.ts';
import { language } from './language.ts';
import { reportWait } from './waits.ts';

/** The step that is running: its name, and its progress in lines. */
export interface Step {
  readonly name: Text;
  readonly done: number;
  readonly total: number;
  readonly waitSeconds: number;
  readonly stop: () => void;
}

/** A step to run. `work` changes the lines, and throws the error that stops the step. */
export interface Work {
  readonly name: Text;
  readonly lines: readonly LineResult[];
  readonly work: (lines: readonly LineResult[], options: RunOptions) => Promise<void>;
  /** The message after the step. */
  readonly end: Text;
}

/** Runs one step at a time. Until the step ends, the browser asks before the page is closed. */
export function useRun(client: PortalClient) {
  const [step, setStep] = useState<Step | null>(null);
  const [message, setMessage] = useState<Text | null>(null);
  useWarningBeforeUnload(step !== null);

  /** Runs a step. Calls `onChange` after every change of the lines. */
  const run = async ({ name, lines, work, end }: Work, onChange: () => void) => {
    const controller = new AbortController();
    const { signal } = controller;
    const change = (changes: Partial<Step>) => setStep((current) => current && { ...current, ...changes });
    let done = 0;
    const onProgress = (count: number) => {
      done += count;
      change({ done, waitSeconds: 0 });
      onChange();
    };
    reportWait.current = (waitSeconds) => change({ waitSeconds });
    setStep({ name, done, total: lines.length, waitSeconds: 0, stop: () => controller.abort() });
    try {
      await work(lines, { client, language, signal, onProgress });
      setMessage(end);
    } catch (error) {
      setMessage(texts.stopped(signal.aborted ? texts.stoppedByUser : describeFailure(error)));
    }
    setStep(null);
    onChange();
  };
  return { step, message, run };
}

function useWarningBeforeUnload(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
