import { useEffect } from 'react';

const titles: { screen: string; own: string | undefined } = { screen: '', own: undefined };

/** Sets the page title, for the tab and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title;
    show();
  }, [title]);
}

/** Sets the page title to the title of the screen's content, such as a post; undefined until the content is loaded. */
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
