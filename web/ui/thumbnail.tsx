import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { savesData } from '#web/lib/saves-data.ts';
import { Icon } from './icon.tsx';

/** A post's first photo in a list, in a place of its own from the start. Where data is to be saved it comes when asked for. */
export function Thumbnail({ post: { photos, title } }: { post: Post }) {
  const { t } = useTranslation('posts');
  const [isShown, setIsShown] = useState(() => !savesData());
  const isAskedFor = useRef(false);
  const [photo] = photos;
  if (!photo) return null;

  function show() {
    isAskedFor.current = true;
    setIsShown(true);
  }

  if (!isShown) {
    return (
      <button
        type="button"
        className="grid size-24 shrink-0 content-center justify-items-center gap-1 rounded-lg border border-line bg-sunken p-1 text-center text-sm"
        onClick={show}
      >
        <Icon name="camera" />
        {t('showPhoto')}
      </button>
    );
  }
  return (
    <img
      // The button that was pressed is gone, and the focus with it.
      ref={(image) => {
        if (isAskedFor.current) image?.focus();
        isAskedFor.current = false;
      }}
      tabIndex={-1}
      src={photo.thumbnail_url}
      alt={photo.alt || t('photoOf', { title })}
      width={96}
      height={96}
      loading="lazy"
      decoding="async"
      className="size-24 shrink-0 rounded-lg bg-sunken object-cover"
    />
  );
}
