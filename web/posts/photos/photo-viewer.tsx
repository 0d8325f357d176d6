import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract/photos.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { useModal } from '#web/ui/use-modal.ts';
import { useSwipe } from '#web/ui/use-swipe.ts';
import '#web/ui/photos.css';

type Props = { photos: Photo[]; first: number; title: string; onClose: () => void };

/** The photos as large as the screen, one at a time: by arrow keys, by buttons or with a finger. Zoomed in, one scrolls. */
export function PhotoViewer({ photos, first, title, onClose }: Props) {
  const { t } = useTranslation(['photos', 'common']);
  const dialog = useModal();
  const [at, setAt] = useState(first);
  const [isZoomed, setIsZoomed] = useState(false);
  const photo = photos[Math.min(at, photos.length - 1)];
  const swipe = useSwipe((direction) => step(direction === 'left' ? 1 : -1));

  function step(by: number) {
    setAt(Math.min(Math.max(at + by, 0), photos.length - 1));
    setIsZoomed(false);
  }

  function press({ key }: KeyboardEvent) {
    if (isZoomed) return;
    if (key === 'ArrowRight') step(1);
    if (key === 'ArrowLeft') step(-1);
  }

  if (!photo) return null;
  return (
    <dialog
      ref={dialog}
      aria-label={t('viewer', { title })}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={press}
      className="photo-viewer"
    >
      <div className="photo-viewer-bar">
        <p role="status">{t('placeOf', { place: at + 1, count: photos.length })}</p>
        <ViewerButton icon="search" label={t('zoom')} isPressed={isZoomed} onPress={() => setIsZoomed(!isZoomed)} />
        <ViewerButton icon="close" label={t('common:close')} onPress={onClose} />
      </div>
      <WholePhoto key={photo.id} {...{ photo, isZoomed, swipe }} name={t('photo', { place: at + 1 })} />
      <div className="photo-viewer-bar">
        <ViewerButton icon="back" label={t('previous')} isLocked={at === 0} onPress={() => step(-1)} />
        {/* The picture says it to whoever hears it. */}
        <p dir="auto" aria-hidden="true">
          {photo.alt}
        </p>
        <ViewerButton
          icon="back"
          turn="icon-turned"
          label={t('next')}
          isLocked={at === photos.length - 1}
          onPress={() => step(1)}
        />
      </div>
    </dialog>
  );
}

type WholePhotoProps = { photo: Photo; name: string; isZoomed: boolean; swipe: ReturnType<typeof useSwipe> };

function WholePhoto({ photo: { url, width, height, alt }, name, isZoomed, swipe }: WholePhotoProps) {
  const { t } = useTranslation('photos');
  const [hasFailed, setHasFailed] = useState(false);
  if (hasFailed) {
    return (
      <p role="alert" className="m-auto p-6 text-center">
        {t('notShown')}
      </p>
    );
  }
  const image = <img src={url} alt={alt || name} {...{ width, height }} onError={() => setHasFailed(true)} />;
  if (isZoomed) {
    return (
      <section
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what is larger than the screen
        tabIndex={0}
        className="photo-zoomed"
      >
        {image}
      </section>
    );
  }
  return (
    <div {...swipe} className="photo-whole">
      {image}
    </div>
  );
}

type ViewerButtonProps = {
  icon: IconName;
  label: string;
  turn?: string;
  isPressed?: boolean;
  isLocked?: boolean;
  onPress: () => void;
};

function ViewerButton({ icon, label, turn = '', isPressed, isLocked = false, onPress }: ViewerButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-pressed={isPressed}
      aria-disabled={isLocked || undefined}
      onClick={isLocked ? undefined : onPress}
    >
      <Icon name={icon} className={`size-5 ${turn}`} />
    </button>
  );
}
