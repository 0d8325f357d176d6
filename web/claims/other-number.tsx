import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { ContactLinks } from '#web/ui/contact-links.tsx';

/** The other one's number, while each has it, with the ways to call and to write. */
export function OtherNumber({ claim: { phone_number, post_title, role, answer } }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  if (phone_number === null) return <p className="text-muted">{t('numberHidden')}</p>;
  const title = post_title ?? '';
  const written = (role === 'finder' && answer) || title;
  return (
    <>
      <p className="font-bold text-2xl tabular-nums">{phone_number}</p>
      <ContactLinks phone={phone_number} title={title} written={written} occasion="claim" />
    </>
  );
}
