import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FALLBACK_LANGUAGE, LANGUAGES } from '#contract/language.ts';
import { Logo } from './icon.tsx';
import './print-sheet.css';

/**
 * A poster shows every language, because its readers' language is unknown. English is last, because fewer people read
 * English than Swahili.
 */
export const POSTER_LANGUAGES = [...LANGUAGES.filter((language) => language !== FALLBACK_LANGUAGE), FALLBACK_LANGUAGE];

/** A sheet that is hidden on the screen and printed in place of the page. */
export function PrintSheet({ className, children }: { className: string; children: ReactNode }) {
  return createPortal(
    <div className={`print-sheet ${className}`} aria-hidden="true">
      {children}
    </div>,
    document.body,
  );
}

export function PosterHeader() {
  return (
    <header>
      <Logo className="poster-logo" />
      <strong>Patikana</strong>
      <span>{window.location.host}</span>
    </header>
  );
}
