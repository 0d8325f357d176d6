import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';

type Rotation = ReturnType<typeof useRotation>;

/** The testimonials. All six share one grid cell: the tallest one sets the height, so nothing below moves. */
export function Carousel() {
  const { t } = useTranslation('home');
  const rotation = useRotation(testimonials.length);
  const total = testimonials.length;
  return (
    <section aria-roledescription="carousel" aria-label={t('carousel')} className="carousel" {...rotation.holders}>
      <div className="grid" aria-live={rotation.isRunning ? 'off' : 'polite'}>
        {testimonials.map(({ id, name, testimony }, position) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is a group, not a form's fieldset
          <div
            key={id}
            role="group"
            aria-roledescription="slide"
            aria-label={t('slide', { number: position + 1, total })}
            className={`carousel-slide ${position === rotation.index ? '' : 'invisible'} ${rotation.isBlurred ? 'is-blurred' : ''}`}
          >
            <blockquote className="text-balance font-medium text-xl/8 sm:text-2xl/9">{t(testimony)}</blockquote>
            <p className="font-bold text-accent">{name}</p>
          </div>
        ))}
      </div>
      <Controls rotation={rotation} />
    </section>
  );
}

function Controls({ rotation: { index, isPaused, isRunning, goTo, togglePaused } }: { rotation: Rotation }) {
  const { t } = useTranslation('home');
  return (
    <div className="grid gap-1">
      <div className="h-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <div key={`${index} ${isRunning}`} className={isRunning ? 'carousel-progress' : ''} data-testid="progress" />
      </div>
      <div className="-ml-3 flex items-center">
        {testimonials.map(({ id }, position) => (
          <button
            key={id}
            type="button"
            className="carousel-dot"
            aria-label={t('showSlide', { number: position + 1 })}
            aria-current={position === index}
            onClick={() => goTo(position)}
          />
        ))}
        <button
          type="button"
          className="icon-button ml-auto text-accent"
          aria-label={isPaused ? t('play') : t('pause')}
          onClick={togglePaused}
        >
          <Icon name={isPaused ? 'play' : 'pause'} />
        </button>
      </div>
    </div>
  );
}

/** How long a slide is shown, and how long a change takes (docs/product.md T4). */
const ADVANCE_MS = 4_000;
const BLUR_MS = 150;

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/**
 * Shows `count` slides in turn, one every 4 seconds, blurred for 150 ms at each change. Stops while the pointer or the
 * focus is on the carousel, after the user has paused it, and if the user prefers reduced motion.
 */
function useRotation(count: number) {
  const [index, setIndex] = useState(0);
  const [next, setNext] = useState<number | null>(null);
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const wantsNoMotion = useReducedMotion();
  const [choice, setChoice] = useState<'playing' | 'paused' | null>(null);
  const isPaused = choice === null ? wantsNoMotion : choice === 'paused';
  const isRunning = !isPaused && !isPointedAt && !hasFocus;

  useEffect(() => {
    if (!isRunning || next !== null) return;
    const timer = setTimeout(() => setNext((index + 1) % count), ADVANCE_MS - BLUR_MS);
    return () => clearTimeout(timer);
  }, [isRunning, next, index, count]);

  useEffect(() => {
    if (next === null) return;
    const timer = setTimeout(() => {
      setIndex(next);
      setNext(null);
    }, BLUR_MS);
    return () => clearTimeout(timer);
  }, [next]);

  return {
    index,
    isBlurred: next !== null,
    isPaused,
    isRunning,
    goTo: (wanted: number) => setNext(wanted === index ? null : wanted),
    togglePaused() {
      setChoice(isPaused ? 'playing' : 'paused');
      // The pressed button has the pointer or the focus, and both stop the carousel. Resets both states, so that "play"
      // starts the carousel.
      setIsPointedAt(false);
      setHasFocus(false);
    },
    holders: {
      onPointerEnter: () => setIsPointedAt(true),
      onPointerLeave: () => setIsPointedAt(false),
      onFocus: () => setHasFocus(true),
      onBlur: () => setHasFocus(false),
    },
  };
}

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia?.(REDUCED_MOTION);
      query?.addEventListener('change', onChange);
      return () => query?.removeEventListener('change', onChange);
    },
    () => window.matchMedia?.(REDUCED_MOTION).matches ?? false,
    () => false,
  );
}

/** The six fixed testimonials (docs/product.md S3). `testimony` is the key of the text. */
export const testimonials = [
  { id: 1, name: 'Neema Mushi', testimony: 'testimony1' },
  { id: 2, name: 'Juma Abdallah', testimony: 'testimony2' },
  { id: 3, name: 'Baraka Mwakalinga', testimony: 'testimony3' },
  { id: 4, name: 'Mwalimu Rehema Salum', testimony: 'testimony4' },
  { id: 5, name: 'Elias Masanja', testimony: 'testimony5' },
  { id: 6, name: 'Hamisi Mrisho', testimony: 'testimony6' },
] as const;
