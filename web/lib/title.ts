import { useEffect } from 'react';

const titles: { screen: string; own: string | undefined } = { screen: '', own: undefined };

/** Sets the page title, for the tab and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title;
    show();
  }, [title]);
}

/** Replaces the screen's title with the title of its content, such as a post. @param title undefined while loading. */
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
