import { LegalPage } from './legal-page.tsx';

/** /terms */
export function TermsScreen() {
  return <LegalPage page="terms" />;
}
