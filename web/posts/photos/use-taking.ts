import { useEffect, useState } from 'react';
import { PHOTOS_MAX } from '#contract/limits.ts';
import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';
import { keepPhotos, senderAt, takePhotos } from '#web/lib/waiting-photos.ts';
import { shrinkPhoto } from './shrink-photo.ts';

/** What was chosen and is not yet taken. */
export type Choice = { chosen: File[]; onTaken: () => void };
/** How many there are already, and where what is new waits. */
type Taking = Choice & { count: number; place: string };

/** Makes what was chosen small, one after the other, and keeps it. Says how many are being read and what went wrong. */
export function useTaking({ chosen, onTaken, count, place }: Taking) {
  const [readCount, setReadCount] = useState(0);
  const [problem, setProblem] = useState<'tooMany' | 'unreadable' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen is taken once
  useEffect(() => {
    if (chosen.length === 0) return;
    const fitting = chosen.slice(0, Math.max(0, PHOTOS_MAX - count - readCount));
    setProblem(fitting.length < chosen.length ? 'tooMany' : null);
    setReadCount((before) => before + fitting.length);
    takePhotos(takeAll(fitting));
    onTaken();
  }, [chosen]);

  async function takeAll(files: File[]) {
    const chosenAt = Date.now();
    for (const [at, file] of files.entries()) {
      const picture = await shrinkPhoto(file);
      // Two that are small already are read within a millisecond, and have to have each a place to exchange.
      if (picture) await keepPhotos([newPhoto(place, picture, chosenAt + at)]);
      else setProblem('unreadable');
      setReadCount((before) => before - 1);
    }
  }

  return { readCount, problem };
}

function newPhoto(place: string, picture: Blob, order: number) {
  return {
    id: newIdempotencyKey(),
    place,
    userId: senderAt(place),
    order,
    alt: '',
    picture,
    refusal: null,
  };
}
