import { useEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';
import { withPhotos } from '#web/lib/with-photos.ts';
import { clearDraft, type PostDraft, type PostFormValues, readDraft, saveDraft } from './post-draft.ts';

/**
 * Keeps what is typed through a failed submit, an expired session and a reload. It stays where the form began to keep
 * it: a session that ends meanwhile does not move it.
 * @param place the key of the draft.
 * @param saved what the form starts with when nothing was kept.
 */
export function useDraft(place: string, saved: PostFormValues) {
  const [key] = useState(place);
  const [kept] = useState(() => readDraft(key));
  const idempotencyKey = useRef(kept?.idempotencyKey ?? newIdempotencyKey());
  const isDone = useRef(false);

  // Another tab that posts the draft uses up its key: with it this tab could post nothing else.
  useEffect(() => {
    const onChange = (event: StorageEvent) => {
      if (event.key === key && event.newValue === null) idempotencyKey.current = newIdempotencyKey();
    };
    window.addEventListener('storage', onChange);
    return () => window.removeEventListener('storage', onChange);
  }, [key]);

  return {
    initial: kept
      ? {
          ...kept.values,
          is_owner: kept.values.is_owner ?? saved.is_owner,
          identifier: kept.values.identifier || saved.identifier,
        }
      : saved,
    /** Whether the form starts with what was kept, and not with `saved`. */
    isRestored: kept !== null,
    place: key,
    idempotencyKey,
    /** What is back to how the form starts is no draft. */
    keep(values: PostFormValues) {
      if (isDone.current) return;
      if (isSame(values, saved)) clearDraft(key);
      else saveDraft(key, { values, idempotencyKey: idempotencyKey.current } satisfies PostDraft);
    },
    /** For a post that the key no longer makes. */
    renewKey() {
      idempotencyKey.current = newIdempotencyKey();
      const stored = readDraft(key);
      if (stored) saveDraft(key, { ...stored, idempotencyKey: idempotencyKey.current });
    },
    /** Forgets the draft for good: it is a post now, or is no longer wanted. */
    finish() {
      isDone.current = true;
      void withPhotos(({ forgetPhotos }) => forgetPhotos(({ place: at }) => at === key));
      clearDraft(key);
    },
  };
}

function isSame(one: PostFormValues, other: PostFormValues): boolean {
  return (Object.keys(one) as (keyof PostFormValues)[]).every((name) => (one[name] ?? '') === (other[name] ?? ''));
}
