import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { CommunityDecisions } from './community-decisions.tsx';
import { FeedbackInbox } from './feedback-inbox.tsx';
import { LogList } from './log-list.tsx';
import { LookUp } from './look-up.tsx';
import { Passkeys } from './passkeys.tsx';
import { PersonPage } from './person-page.tsx';
import { PostPage } from './post-page.tsx';
import { ReportQueue } from './report-queue.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';
import { SwitchBoard } from './switch-board.tsx';
import { WeekTable } from './week-table.tsx';

const TABS = [
  'pending',
  'approved',
  'reports',
  'decidedReports',
  'lookUp',
  'log',
  'week',
  'feedback',
  'switches',
  'passkeys',
] as const;
type Tab = (typeof TABS)[number];

/** What the platform's admins decide and read. Reached through `AdminGate` alone. */
export function AdminScreen() {
  return (
    <>
      <Page />
      <StepUpDialog />
    </>
  );
}

function Page() {
  const [params] = useSearchParams();
  const [person, post] = [params.get('person'), params.get('post')];
  if (person) return <PersonPage key={person} id={person} />;
  if (post) return <PostPage key={post} id={post} />;
  return <Parts />;
}

function Parts() {
  const { t } = useTranslation('admin');
  useOwnTitle(t('title'));
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get('tab')) ?? 'pending';
  const choose = (name: Tab) => setParams(name === 'pending' ? {} : { tab: name }, { replace: true });
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <h1>{t('title')}</h1>
      <Tabs label={t('tabs')} tabs={TABS.map((name) => ({ name, label: t(name) }))} current={tab} onChange={choose}>
        <Panel tab={tab} />
      </Tabs>
    </div>
  );
}

function Panel({ tab }: { tab: Tab }) {
  switch (tab) {
    case 'lookUp':
      return <LookUp />;
    case 'log':
      return <LogList />;
    case 'week':
      return <WeekTable />;
    case 'feedback':
      return <FeedbackInbox />;
    case 'switches':
      return <SwitchBoard />;
    case 'reports':
      return <ReportQueue key={tab} status="open" />;
    case 'decidedReports':
      return <ReportQueue key={tab} status="decided" />;
    case 'passkeys':
      return <Passkeys />;
    default:
      return <CommunityDecisions key={tab} status={tab} />;
  }
}
