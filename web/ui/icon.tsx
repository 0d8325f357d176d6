/** Our icons: 24 px, drawn with a stroke in the colour of the surrounding text. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm4.7 11.2L20 20',
  alert: 'M12 4 2.8 19.5h18.4L12 4Zm0 6v4.5m0 2.5v.1',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  pin: 'M12 21s6.5-6.1 6.5-11.2a6.5 6.5 0 0 0-13 0C5.5 14.9 12 21 12 21Zm0-8.7a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  phone: 'M7 3.5h3l1.5 4-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2A16 16 0 0 1 5 5.7 2 2 0 0 1 7 3.5Z',
  chat: 'M4 5h16v11H9l-5 4V5Zm4 4.5h8M8 12.5h5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8a7.5 7.5 0 0 1 15 0',
  userOff: 'M10.5 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20a7.5 7.5 0 0 1 11-6.6m2.5 2.1 4.5 4.5m0-4.5-4.5 4.5',
  users:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5a6.5 6.5 0 0 1 13 0m.5-14.7a3.5 3.5 0 0 1 0 6.4m2 2.8a6.5 6.5 0 0 1 3.5 5.5',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15l1.5-2Zm4 4.5h4',
  more: 'M5 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2Zm7 0a1 1 0 1 0 0-2 1 1 0 0 0 0 2Zm7 0a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
  plus: 'M12 5v14M5 12h14',
  edit: 'm4 20 .8-4L16 4.8 19.2 8 8 19.2 4 20Z',
  trash: 'M5 7h14M9.5 7V4.5h5V7m-8 0 1 12.5h9l1-12.5M10 10.5v6m4-6v6',
  qr: 'M4 4h6v6H4V4Zm10 0h6v6h-6V4ZM4 14h6v6H4v-6Zm10 0h2.5v2.5M20 14v.1M14 20v-.1M17 20h3v-3',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4V8Zm8 8.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  copy: 'M9 9h11v11H9V9ZM15 9V4H4v11h5',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 12v8h14v-8',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M5 20h14',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7v-6Z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  eyeOff:
    'M4 4l16 16M9.9 5.7A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.8 3.5M6.2 7.2A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5c1.6 0 3-.4 4.2-1',
  back: 'M19 12H5m6-6-6 6 6 6',
  chevron: 'm6 9 6 6 6-6',
  tag: 'M4 4h8l8 8-8 8-8-8V4Zm4.5 4.5v.1',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm0 4V12l3.5 2',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 5.5-1M5 12a10 10 0 0 1 4.5-2.6M2 8.5a15 15 0 0 1 4-2.4M12 7a15 15 0 0 1 10 1.5M15.5 10.1A10 10 0 0 1 19 12M12 19v.1',
  mail: 'M3.5 6h17v12.5h-17V6Zm.5.5 8 6.5 8-6.5',
  shield: 'M12 3.5 19 6v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6l7-2.5Zm-3 8.5 2.2 2.2L15.5 10',
  pause: 'M8.5 5.5v13m7-13v13',
  play: 'M8 5v14l11-7L8 5Z',
  sparkle: 'M12 3v5m0 8v5m9-9h-5m-8 0H3m13.5-6.5-3 3m-3 3-3 3m9 0-3-3m-3-3-3-3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A magnifying glass with a check mark in it. */
export function Logo({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 64 64" className={className} aria-hidden="true">
      <rect width="64" height="64" rx="14" fill="#3b2f8f" />
      <circle cx="28" cy="27" r="13" fill="none" stroke="#fff" strokeWidth="5" />
      <path d="m38 37 12 13" stroke="#fff" strokeWidth="6" strokeLinecap="round" />
      <path
        d="m22 27 5 5 8-9"
        fill="none"
        stroke="#ffcf5c"
        strokeWidth="4.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
