import { useState } from 'react';
import { keepOnPhone } from '#web/lib/keep-on-phone.ts';
import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';
import { useSession } from '#web/lib/session.ts';

type Values = Record<string, string>;
/** What is typed and not yet sent, and the key under which exactly these words are sent, however often. */
type Kept<Fields extends Values> = { values: Fields; idempotencyKey: string };

/**
 * Keeps what is typed on the phone until it is sent, through a reload, a lost network and a sign-in: for each account
 * and place by itself.
 * @param place such as the claim and what is written to it.
 */
export function useKeptText<Fields extends Values>(place: string, empty: Fields) {
  const userId = useSession()?.userId;
  const [key] = useState(`claimDraft:${userId}:${place}`);
  const [first] = useState(() => read<Fields>(key));
  const [idempotencyKey, setIdempotencyKey] = useState(() => first?.idempotencyKey ?? newIdempotencyKey());
  return {
    initial: { ...empty, ...first?.values },
    idempotencyKey,
    /** Other words are another request. */
    keep(values: Fields) {
      const renewed = newIdempotencyKey();
      setIdempotencyKey(renewed);
      if (Object.values(values).every((text) => text === '')) localStorage.removeItem(key);
      else write(key, { values, idempotencyKey: renewed });
    },
    forget: () => localStorage.removeItem(key),
  };
}

function read<Fields extends Values>(key: string): Kept<Fields> | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Kept<Fields> | null;
  } catch {
    return null;
  }
}

/** Storage that is full or forbidden loses the draft, not the form. */
function write<Fields extends Values>(key: string, kept: Kept<Fields>): void {
  if (!keepOnPhone(key, JSON.stringify(kept))) console.warn('What is typed could not be kept');
}
