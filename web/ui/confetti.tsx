import { useEffect, useRef } from 'react';

/** How long confetti falls (docs/product.md T4). */
const CONFETTI_MS = 60_000;
/** The confetti falls in small showers, because a cheap phone can draw only few pieces at a time. */
const SHOWER_EVERY_MS = 700;
const PIECES = 12;
const COLOURS = ['#3b2f8f', '#d9542b', '#f2b632', '#12663a'];

/**
 * Confetti that falls for a minute, or until the user leaves the dialog or the page that contains it (docs/product.md
 * T4). A dialog contains its own confetti, because a modal covers everything outside. Nothing falls under reduced
 * motion.
 */
export function Confetti() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isWanted = !window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;

  useEffect(() => {
    if (!canvas.current) return;
    return rain(canvas.current);
  }, []);

  return isWanted && <canvas ref={canvas} className="pointer-events-none fixed inset-0 size-full" aria-hidden />;
}

/** Starts the confetti. @returns a function that stops it. */
function rain(canvas: HTMLCanvasElement): () => void {
  let showers: ReturnType<typeof setInterval> | undefined;
  let reset: (() => void) | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(last);
    clearInterval(showers);
    reset?.();
  };
  const last = setTimeout(end, CONFETTI_MS);
  void import('canvas-confetti').then(
    ({ default: confetti }) => {
      if (isOver) return;
      // A worker would be loaded from a blob, which the Content-Security-Policy refuses.
      const throwPieces = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
      const shower = (particleCount: number) =>
        document.visibilityState === 'visible' &&
        void throwPieces({
          particleCount,
          colors: COLOURS,
          angle: 270,
          spread: 120,
          startVelocity: 18,
          gravity: 0.6,
          ticks: 240,
          origin: { x: Math.random(), y: -0.1 },
        });
      reset = throwPieces.reset;
      showers = setInterval(() => shower(PIECES), SHOWER_EVERY_MS);
      shower(PIECES * 4);
    },
    () => undefined, // A failure to load confetti is not an error.
  );
  return end;
}
