import { useEffect, useState } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import type { Text } from '../../domain/language.ts';
import type { LineResult, RunOptions } from '../line-result.ts';
import { pageTexts } from '../page-texts.ts';
import { describeFailure } from '../describe-failure.ts';
import { language } from './language.ts';

/** The task that is running, with its progress. */
export interface RunningTask {
  readonly name: Text;
  readonly doneCount: number;
  readonly totalCount: number;
  readonly stop: () => void;
}

/** A task to run. `send` changes the lines, and throws the error that stops the task. */
export interface Task {
  readonly name: Text;
  readonly lines: readonly LineResult[];
  readonly send: (lines: readonly LineResult[], options: RunOptions) => Promise<void>;
  /** The message after the task. */
  readonly endMessage: Text;
}

/** Runs one task at a time. Until the task ends, the browser asks before the page is closed. */
export function useRun(client: PortalClient) {
  const [runningTask, setRunningTask] = useState<RunningTask | null>(null);
  const [message, setMessage] = useState<Text | null>(null);
  useWarningBeforeUnload(runningTask !== null);

  /** Runs a task. Calls `onChange` after every change of the lines. */
  const run = async ({ name, lines, send, endMessage }: Task, onChange: () => void) => {
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = (count: number) => {
      setRunningTask((current) => current && { ...current, doneCount: current.doneCount + count });
      onChange();
    };
    setRunningTask({ name, doneCount: 0, totalCount: lines.length, stop: () => controller.abort() });
    try {
      await send(lines, { client, language, signal, onProgress });
      setMessage(endMessage);
    } catch (error) {
      setMessage(pageTexts.stopped(signal.aborted ? pageTexts.stoppedByUser : describeFailure(error)));
    }
    setRunningTask(null);
    onChange();
  };
  return { runningTask, message, run };
}

function useWarningBeforeUnload(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
