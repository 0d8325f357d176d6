import { LegalPage } from './legal-page.tsx';

/** /privacy */
export function PrivacyScreen() {
  return <LegalPage page="privacy" />;
}
