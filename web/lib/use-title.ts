import { useEffect } from 'react';

/** Names the screen in the tab and to screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = titleOf(title);
  }, [title]);
}

export function titleOf(screen: string): string {
  return `${screen} · Patikana`;
}
