import { type KeyboardEvent as ReactKeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from './banner.tsx';
import { Icon } from './icon.tsx';
import { useHeldTimeout } from './use-held-timeout.ts';
import { useHold } from './use-hold.ts';
import { useSwipe } from './use-swipe.ts';

export type Toast = { id: string; tone: 'success' | 'error' | 'notice'; text: string };

/** 5 seconds by default, 3 for what the app says of its own (docs/product.md T1). */
const SHOWN_MS: Record<Toast['tone'], number> = { notice: 5_000, success: 3_000, error: 3_000 };

/** Hangs from the navigation bar, however tall that is, so that no message covers it. */
export function ToastStack({ toasts, onClose }: { toasts: Toast[]; onClose: (id: string) => void }) {
  const { t } = useTranslation('common');
  const { isHeld, release, holders } = useHold();
  const newestId = toasts[0]?.id;
  useUnclaimedEscape(useCallback(() => newestId !== undefined && onClose(newestId), [newestId, onClose]));
  return (
    <ol
      {...holders}
      aria-label={t('notifications')}
      className="absolute top-full right-[max(1rem,env(safe-area-inset-right))] mt-2 grid w-[min(22rem,calc(100vw-2rem))] gap-2"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} isHeld={isHeld} onClose={onClose} beforeRemoval={release} />
      ))}
    </ol>
  );
}

type ToastCardProps = {
  toast: Toast;
  isHeld: boolean;
  onClose: (id: string) => void;
  beforeRemoval: (card: Element | null) => void;
};

function ToastCard({ toast: { id, tone, text }, isHeld, onClose, beforeRemoval }: ToastCardProps) {
  const { t } = useTranslation('common');
  const card = useRef<HTMLLIElement>(null);
  const close = useCallback(() => onClose(id), [onClose, id]);
  useHeldTimeout(close, SHOWN_MS[tone], isHeld);
  useLayoutEffect(() => () => beforeRemoval(card.current), [beforeRemoval]);

  function closeOnEscape(event: ReactKeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  }

  return (
    <li
      {...useSwipe(close)}
      ref={card}
      onKeyDown={closeOnEscape}
      className="wrap-anywhere relative touch-pan-y rounded-xl shadow-xl transition-opacity starting:opacity-0"
    >
      <Banner tone={tone}>
        <p className="pr-8">{text}</p>
      </Banner>
      <button
        type="button"
        className="icon-button absolute top-0.5 right-0.5"
        aria-label={t('dismissMessage')}
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** Escape closes one thing at a time: an open dialog or menu has it first, wherever the focus is. */
function useUnclaimedEscape(close: () => void): void {
  useEffect(() => {
    function closeOnEscape(event: KeyboardEvent): void {
      const isClaimed = event.defaultPrevented || document.querySelector('dialog[open]') !== null;
      if (event.key === 'Escape' && !isClaimed) close();
    }
    // On the window, behind all that listen on the document.
    window.addEventListener('keydown', closeOnEscape);
    return () => window.removeEventListener('keydown', closeOnEscape);
  }, [close]);
}
