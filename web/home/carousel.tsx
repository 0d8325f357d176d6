import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { testimonials } from './testimonials.ts';
import { useRotation } from './use-rotation.ts';

type Rotation = ReturnType<typeof useRotation>;

/** The testimonials. All six lie in one grid cell, so that the tallest gives the height and nothing below ever moves. */
export function Carousel() {
  const { t } = useTranslation('home');
  const rotation = useRotation(testimonials.length);
  const total = testimonials.length;
  return (
    <section aria-roledescription="carousel" aria-label={t('carousel')} className="carousel" {...rotation.holders}>
      <div className="grid" aria-live={rotation.isRunning ? 'off' : 'polite'}>
        {testimonials.map(({ id, name, testimony }, position) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is a group of its own, not a form's fieldset
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
