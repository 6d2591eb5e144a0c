import { useEffect, useState } from 'preact/hooks';
import type { Text } from '../../domain/language.ts';
import type { RunOptions } from '../declare-lines.ts';
import { pageTexts as texts } from '../page-texts.ts';
import { describeFailure } from '../results.ts';
import { reportWait } from './waits.ts';

/** The step that is running: its name, and its progress in lines. */
export interface Step {
  readonly name: Text;
  readonly done: number;
  readonly total: number;
  readonly waitSeconds: number;
}

/** A step to run. `work` throws the error that stops the step. */
export interface Work {
  readonly name: Text;
  readonly total: number;
  /** The message after the step. */
  readonly end: Text;
  readonly work: (options: Pick<RunOptions, 'signal' | 'onProgress'>) => Promise<void>;
}

/** Runs one step at a time. Until the step ends, the browser asks before the page is closed. */
export function useRun() {
  const [step, setStep] = useState<Step | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [message, setMessage] = useState<Text | null>(null);
  const isRunning = stop !== null;
  useWarningBeforeUnload(isRunning);

  const run = async ({ name, total, end, work }: Work) => {
    const controller = new AbortController();
    const { signal } = controller;
    const change = (changes: Partial<Step>) => setStep((current) => current && { ...current, ...changes });
    let done = 0;
    const onProgress = (count: number) => {
      done += count;
      change({ done, waitSeconds: 0 });
    };
    reportWait.current = (waitSeconds) => change({ waitSeconds });
    setStop(controller);
    setStep({ name, done, total, waitSeconds: 0 });
    try {
      await work({ signal, onProgress });
      setMessage(end);
    } catch (error) {
      setMessage(texts.stopped(signal.aborted ? texts.stoppedByUser : describeFailure(error)));
    }
    setStop(null);
    setStep(null);
  };
  return { step, message, isRunning, run, stop: () => stop?.abort() };
}

function useWarningBeforeUnload(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
