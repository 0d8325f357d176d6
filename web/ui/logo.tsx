/** A looking glass that has found what it looked for. */
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
