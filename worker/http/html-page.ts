import { createHash } from 'node:crypto';
import { secureHeaders } from 'hono/secure-headers';

/** The app's style for pages that work without the app: high contrast, large touch targets, dark mode. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: #fdfaf5; --ink: #1f1b2d; --accent: #3b2f8f; --on-accent: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15131c; --ink: #f3f0fa; --accent: #b9b1ff; --on-accent: #1a1440 }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
a { display: inline-block; padding: .625rem 0; color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

type PageParts = {
  /** The page's only style. The Content-Security-Policy contains its hash and allows no other style. */
  style: string;
  hasPictures?: boolean;
  hasForm?: boolean;
  /** Whether the page's URL is a secret, which must not be sent as a referrer. */
  isSecret?: boolean;
};

/** Returns the headers of a page that the Worker renders, which has an inline style and no script. */
export function pageHeaders({ style, hasPictures = false, hasForm = false, isSecret = false }: PageParts) {
  const hash = createHash('sha256').update(style).digest('base64');
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: [`'sha256-${hash}'`],
      ...(hasPictures && { imgSrc: ["'self'"] }),
      formAction: [hasForm ? "'self'" : "'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: isSecret ? 'no-referrer' : 'strict-origin-when-cross-origin',
    strictTransportSecurity: 'max-age=31536000; includeSubDomains',
    xFrameOptions: 'DENY',
  });
}
