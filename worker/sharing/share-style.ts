import { PAGE_STYLE } from '#worker/http/html-page.ts';

/** Lost is amber, found is green, found and returned has a check mark too: all in addition to the word. */
export const SHARE_STYLE = `${PAGE_STYLE}
:root { --found: #14643c; --lost: #8a4b00; --muted: #5d5870; --line: #ddd6c8 }
@media (prefers-color-scheme: dark) { :root { --found: #7fd9a8; --lost: #f5b968; --muted: #aaa4bd; --line: #3a3548 } }
header { display: flex; justify-content: space-between; align-items: center; font-weight: 700 }
header a { text-decoration: none; min-width: 2.75rem; font-size: 1.125rem }
header a[hreflang] { font-size: 1rem; text-align: end }
h1 { margin: .5rem 0 1rem; overflow-wrap: anywhere }
bdi { display: block; overflow-wrap: anywhere }
.kind { display: inline-block; margin: 1rem 0 0; padding: .125rem .75rem; border: 2px solid; border-radius: 9rem; font-weight: 700 }
.finder, .returned { color: var(--found) }
.owner { color: var(--lost) }
.returned::before { content: '✓ ' / '' }
img { display: block; width: 100%; height: auto; max-height: 24rem; object-fit: contain; border-radius: .75rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0 }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0 }
.text { white-space: pre-wrap }
.button { display: block; margin: 1.5rem 0 1rem; padding: .75rem 1rem; border-radius: .75rem; text-align: center;
  text-decoration: none; font-weight: 600; background: var(--accent); color: var(--on-accent) }
footer { margin-top: 1.5rem; border-top: 1px solid var(--line); color: var(--muted) }
`;
