import { type PointerEvent, useRef, useState } from 'react';

/** Further than a finger strays that taps or scrolls. */
const SWIPED_PX = 72;

/** Lets a finger push an element aside, to the left or the right. A mouse may be selecting its text. */
export function useSwipe(onSwiped: (direction: 'left' | 'right') => void) {
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
