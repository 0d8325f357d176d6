import { useSyncExternalStore } from 'react';
import type { Post } from '#contract/posts.ts';

/** How long a deletion can be taken back before it is sent. */
const DELETION_UNDO_MS = 10_000;

type Deletion = { post: Post; decide: (isMeant: boolean) => void };

const listeners = new Set<() => void>();
let waiting: readonly Deletion[] = [];

/** Waits until the deletion may be sent. @returns false when it was taken back instead. */
export function awaitSecondThoughts(post: Post): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => deletion.decide(true), DELETION_UNDO_MS);
    const deletion: Deletion = {
      post,
      decide(isMeant) {
        clearTimeout(timer);
        change(waiting.filter((other) => other !== deletion));
        resolve(isMeant);
      },
    };
    change([...waiting, deletion]);
  });
}

/** Whoever leaves has no second thoughts: what waits is sent, while there still is a page to send it. */
export function sendDeletions(): void {
  for (const deletion of waiting) deletion.decide(true);
}

/** The deletions that can be taken back, the latest last. */
export function useDeletions(): readonly Deletion[] {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => waiting,
  );
}

function change(deletions: readonly Deletion[]): void {
  waiting = deletions;
  for (const listener of [...listeners]) listener();
}
