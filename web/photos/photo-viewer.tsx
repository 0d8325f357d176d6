import './photos.css';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract/photos.ts';
import { useModal } from '#web/ui/dialogs.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';

type Props = { photos: Photo[]; first: number; title: string; onClose: () => void };

/** Shows one photo at full screen. Arrow keys, buttons or a swipe show another photo. A zoomed photo scrolls. */
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
        {/* Hidden from screen readers, which read the image's `alt`. */}
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a zoomed photo must scroll by keyboard
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

/** A longer movement of the finger, in pixels, is a swipe, not a tap. */
const SWIPED_PX = 72;

/** Detects a finger's swipe to the left or right. Ignores the mouse, which may be selecting text. */
function useSwipe(onSwiped: (direction: 'left' | 'right') => void) {
  const startX = useRef(0);
  const [offsetPx, setOffsetPx] = useState(0);
  const isFinger = ({ pointerType }: PointerEvent) => pointerType === 'touch';
  return {
    style: { translate: `${offsetPx}px` },
    onPointerDown(event: PointerEvent) {
      startX.current = event.clientX;
    },
    onPointerMove(event: PointerEvent) {
      if (isFinger(event)) setOffsetPx(event.clientX - startX.current);
    },
    onPointerUp(event: PointerEvent) {
      const movedPx = event.clientX - startX.current;
      if (isFinger(event) && Math.abs(movedPx) >= SWIPED_PX) onSwiped(movedPx < 0 ? 'left' : 'right');
      setOffsetPx(0);
    },
    onPointerCancel: () => setOffsetPx(0),
  };
}
