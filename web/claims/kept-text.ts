import { useState } from 'react';
import { newIdempotencyKey } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { keepOnPhone } from '#web/lib/phone-storage.ts';

type Values = Record<string, string>;
/** The unsent text and its idempotency key, which belongs to exactly this text. */
type Kept<Fields extends Values> = { values: Fields; idempotencyKey: string };

/**
 * Stores the text on the phone until it is sent, so that it survives a reload, a lost network and a sign-in.
 * @param place identifies the text within the account, such as by the claim's id and the step.
 */
export function useKeptText<Fields extends Values>(place: string, empty: Fields) {
  const userId = useSession()?.userId;
  const [key] = useState(`claimDraft:${userId}:${place}`);
  const [first] = useState(() => read<Fields>(key));
  const [idempotencyKey, setIdempotencyKey] = useState(() => first?.idempotencyKey ?? newIdempotencyKey());
  return {
    initial: { ...empty, ...first?.values },
    idempotencyKey,
    /** Gives the changed text a new idempotency key, because the server must treat it as a new request. */
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

/** Stores the text. If the storage is full or forbidden, the text is lost after a reload, but the form works. */
function write<Fields extends Values>(key: string, kept: Kept<Fields>): void {
  if (!keepOnPhone(key, JSON.stringify(kept))) console.warn('What is typed could not be kept');
}
