import { useTranslation } from 'react-i18next';

/** Shows how to get from Safari's Share button to an icon on the home screen, without words. */
export function HomeScreenPicture() {
  const { t } = useTranslation('push');
  return (
    <svg viewBox="0 0 224 192" className="size-full" fill="none" role="img" aria-label={t('iphonePicture')}>
      <g stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <rect x="10" y="8" width="86" height="176" rx="14" />
        <path d="M43 16h20M24 34h58M24 46h44M24 58h52M10 148h86" opacity="0.35" />
        <g stroke="var(--accent)" strokeWidth="2.5">
          <circle cx="53" cy="166" r="14" fill="var(--accent-soft)" />
          <path d="M53 168v-10m0 0-4 4m4-4 4 4M47 165v7h12v-7" />
        </g>
        <rect x="128" y="8" width="86" height="176" rx="14" />
        <path d="M161 16h20" opacity="0.35" />
        <g opacity="0.35">
          <rect x="138" y="30" width="18" height="18" rx="5" />
          <rect x="162" y="30" width="18" height="18" rx="5" />
          <rect x="186" y="30" width="18" height="18" rx="5" />
          <rect x="138" y="58" width="18" height="18" rx="5" />
          <rect x="186" y="58" width="18" height="18" rx="5" />
        </g>
        <path d="M74 158c22-4 18-76 74-82" stroke="var(--accent)" strokeWidth="2.5" strokeDasharray="4 5" />
        <path d="m142 70 8 5.5-7 7" stroke="var(--accent)" strokeWidth="2.5" />
        <rect x="158" y="55" width="26" height="26" rx="7" fill="var(--accent)" stroke="none" />
        <path d="m165 68 4.5 4.5 8-9" stroke="var(--on-accent)" strokeWidth="3" />
      </g>
    </svg>
  );
}
