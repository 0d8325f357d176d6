import {
  createContext,
  type FocusEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type Id, ToastContainer, toast } from 'react-toastify/unstyled';
import { Banner } from './banner.tsx';
import { Icon } from './icon.tsx';

export type Message = { tone: 'success' | 'error' | 'notice'; text: string; id?: string | undefined };

/** How long a toast stays: 5 seconds by default, 3 for success and errors (docs/product.md T1). */
const SHOWN_MS: Record<Message['tone'], number> = { notice: 5_000, success: 3_000, error: 3_000 };
const STACKED_MAX = 3;

export function addToast({ tone, text, id }: Message): void {
  toast(
    ({ closeToast }) => <Body tone={tone} text={text} close={closeToast} />,
    id === undefined ? {} : { toastId: id },
  );
}

/**
 * Shows the toasts below the navigation bar, with react-toastify. The timer of a toast and the limit on the number of
 * toasts are our own. The library's timer is an animation, which ends immediately under reduced motion. The library's
 * limit makes the fourth toast wait. The `unstyled` build adds no `<style>` element, which the
 * Content-Security-Policy would refuse.
 */
export function Toaster() {
  const { t } = useTranslation('common');
  const { hold, holders } = useHold();
  useNewestFew();
  return (
    <div
      {...holders}
      // When a touch becomes a scroll, the browser sends `pointercancel` instead of `pointerup`. react-toastify ends a
      // drag only at `pointerup`, so the app sends `pointerup` too. Otherwise the toast would stay dragged.
      onPointerCancel={() => document.dispatchEvent(new Event('pointerup'))}
    >
      <HoldContext value={hold}>
        <ToastContainer
          aria-label={t('notifications')}
          className="absolute top-full right-[max(1rem,env(safe-area-inset-right))] mt-2 grid w-[min(22rem,calc(100vw-2rem))] gap-2"
          toastClassName="relative touch-pan-y rounded-xl shadow-xl transition-opacity [--y:0px] starting:opacity-0"
          role="none"
          newestOnTop
          autoClose={false}
          customProgressBar
          transition={false}
          icon={false}
          closeButton={false}
          draggable="touch"
          draggablePercent={20}
          hotKeys={() => false}
        />
      </HoldContext>
    </div>
  );
}

function Body({ tone, text, close }: { tone: Message['tone']; text: string; close: () => void }) {
  const { t } = useTranslation('common');
  const { isHeld, release } = use(HoldContext);
  const body = useRef<HTMLDivElement>(null);
  useHeldTimeout(close, SHOWN_MS[tone], isHeld);
  useLayoutEffect(() => {
    const card = body.current?.parentElement ?? null;
    // Removes the toast from the tab order. Otherwise a tap would focus the toast, and a toast with the focus stays
    // open.
    card?.removeAttribute('tabindex');
    card?.parentElement?.removeAttribute('tabindex');
    return () => release(card);
  }, [release]);

  function closeOnEscape(event: ReactKeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  }

  return (
    <div ref={body} className="wrap-anywhere">
      <Banner tone={tone}>
        <p className="pr-8">{text}</p>
      </Banner>
      <button
        type="button"
        className="icon-button absolute top-0.5 right-0.5"
        aria-label={t('dismissMessage')}
        onClick={() => close()}
        onKeyDown={closeOnEscape}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/**
 * Removes the oldest toast if there are too many. Escape removes the newest toast, unless a dialog or menu uses the
 * key.
 */
function useNewestFew(): void {
  useEffect(() => {
    let ids: Id[] = [];
    const stop = toast.onChange(({ id, status }) => {
      ids = ids.filter((other) => other !== id);
      if (status === 'added') ids.push(id);
      if (ids.length > STACKED_MAX) toast.dismiss(ids[0]);
    });
    function closeOnEscape(event: KeyboardEvent): void {
      const isTaken = event.defaultPrevented || document.querySelector('dialog[open]') !== null;
      if (event.key === 'Escape' && !isTaken && ids.length > 0) toast.dismiss(ids.at(-1));
    }
    // A listener on the window runs after all listeners on the document, so that a dialog or menu can take the key
    // first.
    window.addEventListener('keydown', closeOnEscape);
    return () => {
      stop();
      window.removeEventListener('keydown', closeOnEscape);
    };
  }, []);
}

const HoldContext = createContext({ isHeld: false, release: (_card: Element | null): void => {} });

/**
 * Returns whether the toasts pause: while the pointer or the focus is on a toast, and while the page is hidden. Call
 * `release` before removing a toast, because the browser sends no event when the toast under the pointer is removed.
 * `release` also moves the focus back to where it was before.
 */
function useHold() {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isHidden = useSyncExternalStore(onVisibilityChange, () => document.hidden);
  const cameFrom = useRef<EventTarget | null>(null);

  const release = useCallback((card: Element | null) => {
    setIsPointedAt(false);
    if (!card?.contains(document.activeElement)) return;
    setHasFocus(false);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
  }, []);

  return {
    hold: { isHeld: isPointedAt || hasFocus || isHidden, release },
    holders: {
      // When a finger leaves the touch screen, the browser sends `pointerleave`. A touch thus pauses the toasts only
      // while the finger is on the screen.
      onPointerOver: () => setIsPointedAt(true),
      onPointerLeave: () => setIsPointedAt(false),
      onFocus({ currentTarget, relatedTarget }: FocusEvent) {
        setHasFocus(true);
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
      },
      onBlur: () => setHasFocus(false),
    },
  };
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Calls `call` after the given time. While `isHeld`, the time does not run. */
function useHeldTimeout(call: () => void, afterMs: number, isHeld: boolean): void {
  const leftMs = useRef(afterMs);
  useEffect(() => {
    if (isHeld) return;
    const startedAt = performance.now();
    const timer = setTimeout(call, leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - startedAt;
    };
  }, [call, isHeld]);
}
