import { useEffect, useState, useSyncExternalStore } from 'react';
import { MINUTE_MS } from '#contract/durations.ts';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';

/**
 * Until when the markings that were made on this phone can be undone, by post, in milliseconds: a post itself does not
 * say when it was marked. Kept here so that the offer outlasts a reload and stands in every tab.
 */
type Marks = Record<string, number>;

const KEY = 'foundMarks';
const listeners = new Set<() => void>();

/** @param markedAt when it was asked for, so that the offer ends no later here than on the server. */
export function rememberMark(postId: string, markedAt: number): void {
  write({ ...readMarks(), [postId]: markedAt + FOUND_UNDO_SECONDS * 1000 });
}

export function forgetMark(postId: string): void {
  const { [postId]: _, ...others } = readMarks();
  write(others);
}

/** For how many minutes more, begun ones too, the marking of the post can be undone; 0 when it cannot. */
export function useMinutesToUndo(postId: string): number {
  const stored = useSyncExternalStore(onMarksChange, () => localStorage.getItem(KEY));
  const until = Number(parse(stored)[postId]) || 0;
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const left = until - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setTicks(ticks + 1), left % MINUTE_MS || MINUTE_MS);
    return () => clearTimeout(timer);
  }, [until, ticks]);
  return Math.max(0, Math.ceil((until - Date.now()) / MINUTE_MS));
}

function readMarks(): Marks {
  return parse(localStorage.getItem(KEY));
}

function parse(stored: string | null): Marks {
  try {
    const marks: unknown = JSON.parse(stored ?? '{}');
    return typeof marks === 'object' && marks ? (marks as Marks) : {};
  } catch {
    return {};
  }
}

function write(marks: Marks): void {
  const current = Object.entries(marks).filter(([, until]) => until > Date.now());
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(current)));
  } catch {
    // Full or forbidden: then nothing is offered, and nothing else is lost.
  }
  for (const listener of [...listeners]) listener();
}

function onMarksChange(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may have marked or undone it.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
