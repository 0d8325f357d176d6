import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut, useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { useOutbox } from './outbox.ts';
import { emptyOutbox } from './outbox-changes.ts';
import { forgetPhotos, useWaitingPhotos } from './photo-queue.ts';

/** Asks before logging out, which deletes unsent posts, photos and drafts: the phone's next user must not find them. */
export function LogOutDialog({ onStay }: { onStay: () => void }) {
  const { t } = useTranslation(['logOut', 'photos']);
  const posts = useOutbox();
  const userId = useSession()?.userId ?? null;
  const [drafts, setDrafts] = useState(() => (userId === null ? [] : listDrafts(userId)));
  const photos = useWaitingPhotos((photo) => photo.userId !== null && photo.userId === userId);
  const isEmpty = posts.length === 0 && drafts.length === 0 && photos?.length === 0;
  // Signs out as soon as nothing unsent is left: everything was sent or discarded.
  useEffect(() => {
    if (!isEmpty) return;
    if (userId !== null) {
      void forgetPhotos(({ place }) => place.includes(`Draft:${userId}`));
      forgetDrafts(userId);
    }
    signOut();
  }, [isEmpty, userId]);

  function discard() {
    emptyOutbox();
    setDrafts([]);
  }

  if (photos === null || isEmpty) return null;
  const isWaiting = posts.length + photos.length > 0;
  const titleOfPosts = posts.length > 0 ? t('title', { count: posts.length }) : t('photos:notSentTitle');
  const written = [
    ...posts.map(({ idempotencyKey, input }) => ({ key: idempotencyKey, text: input.title })),
    ...drafts,
  ];
  return (
    <Dialog title={isWaiting ? titleOfPosts : t('draftsTitle')} onClose={onStay}>
      <ul className="grid gap-1">
        {written.map(({ key, text }) => (
          <li key={key} dir="auto" className="wrap-anywhere line-clamp-2 font-semibold">
            {text}
          </li>
        ))}
      </ul>
      {photos.length > 0 && <p>{t('photos:notSent', { count: photos.length })}</p>}
      <p>{isWaiting ? t('text') : t('draftsText')}</p>
      <div className="grid gap-2">
        <Button onClick={onStay}>{t('stay')}</Button>
        <Button look="secondary" icon="trash" className="text-danger" onClick={discard}>
          {t('discard')}
        </Button>
      </div>
    </Dialog>
  );
}

/** An unsent text on this phone. */
export type Draft = { key: string; text: string };

/**
 * The dialog names a draft by the first of these fields that has a text. A claim's draft has other fields, and is named
 * by its first text.
 */
const NAMING_FIELDS = ['title', 'description', 'location', 'owner_first_name', 'owner_last_name', 'private_marks'];
/**
 * Fields that the form of a lost-property desk reuses for the next item. If only these fields have a text, the form is
 * not a draft.
 */
const KEPT_AT_DESK = ['location'];

/** Lists the user's drafts: of posts, of claims, and in the forms of lost-property desks. */
function listDrafts(userId: string): Draft[] {
  return keysOf(userId).flatMap((key) => {
    const text = textOf(key);
    return text === undefined ? [] : [{ key, text }];
  });
}

/** Deletes the user's drafts, including the fields `KEPT_AT_DESK`, which `listDrafts` ignores. */
function forgetDrafts(userId: string): void {
  for (const key of keysOf(userId)) localStorage.removeItem(key);
}

/** Returns the storage keys of the user's drafts. `LogOutButton` looks for the same keys. */
function keysOf(userId: string): string[] {
  return Object.keys(localStorage).filter((key) => key.includes(`Draft:${userId}`));
}

function textOf(key: string): string | undefined {
  try {
    const { values = {} } = JSON.parse(localStorage.getItem(key) ?? '{}') as { values?: Record<string, unknown> };
    const isAtDesk = key.startsWith('desk');
    const fields = key.startsWith('claim') ? Object.keys(values) : NAMING_FIELDS;
    const texts = fields.filter((field) => !isAtDesk || !KEPT_AT_DESK.includes(field)).map((field) => values[field]);
    return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  } catch {
    return undefined;
  }
}
