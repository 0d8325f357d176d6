import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { addAdminTexts } from './admin-texts.ts';
import { CommunityDecisions } from './community-decisions.tsx';
import { FeedbackInbox } from './feedback-inbox.tsx';
import { Passkeys } from './passkeys.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

addAdminTexts();

const TABS = ['pending', 'approved', 'feedback', 'passkeys'] as const;
type Tab = (typeof TABS)[number];

/** What the platform's admins decide and read. Reached through `AdminGate` alone. */
export function AdminScreen() {
  const { t } = useTranslation('admin');
  useOwnTitle(t('title'));
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get('tab')) ?? 'pending';
  const choose = (name: Tab) => setParams(name === 'pending' ? {} : { tab: name }, { replace: true });
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <h1>{t('title')}</h1>
      <Tabs label={t('tabs')} tabs={TABS.map((name) => ({ name, label: t(name) }))} current={tab} onChange={choose}>
        {tab === 'feedback' && <FeedbackInbox />}
        {tab === 'passkeys' && <Passkeys />}
        {(tab === 'pending' || tab === 'approved') && <CommunityDecisions key={tab} status={tab} />}
      </Tabs>
      <StepUpDialog />
    </div>
  );
}
