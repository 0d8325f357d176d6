import { useEffect } from 'react';

const titles: { screen: string; own: string | undefined } = { screen: '', own: undefined };

/** Names the screen in the tab and to screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title;
    show();
  }, [title]);
}

/** Names what the screen shows, such as a post, in the place of the screen; undefined while there is nothing to name. */
export function useOwnTitle(title: string | undefined): void {
  useEffect(() => {
    titles.own = title;
    show();
    return () => {
      titles.own = undefined;
      show();
    };
  }, [title]);
}

function show(): void {
  document.title = titleOf(titles.own ?? titles.screen);
}

export function titleOf(screen: string): string {
  return `${screen} · Patikana`;
}
