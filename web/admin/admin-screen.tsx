import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { AdminList } from './admin-list.tsx';
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

/** What belongs together shares a group; the first group, and the first tab of each, is where it opens. */
const GROUPS = {
  communities: ['pending', 'approved'],
  reports: ['reports', 'decidedReports'],
  people: ['lookUp', 'admins'],
  log: ['log'],
  settings: ['switches', 'feedback', 'week', 'passkeys'],
} as const;
type Group = keyof typeof GROUPS;
type Tab = (typeof GROUPS)[Group][number];
const GROUP_NAMES = Object.keys(GROUPS) as Group[];

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
  const named = params.get('tab');
  const group = GROUP_NAMES.find((name) => GROUPS[name].some((tab) => tab === named)) ?? 'communities';
  const tabs: readonly Tab[] = GROUPS[group];
  const tab = tabs.find((name) => name === named) ?? 'pending';
  const choose = (name: Tab) => setParams(name === 'pending' ? {} : { tab: name }, { replace: true });
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <h1>{t('title')}</h1>
      <Tabs
        label={t('tabs')}
        tabs={GROUP_NAMES.map((name) => ({ name, label: t(`groups.${name}`) }))}
        current={group}
        onChange={(name) => choose(GROUPS[name][0])}
      >
        {tabs.length === 1 ? (
          <Panel tab={tab} />
        ) : (
          <Tabs
            key={group}
            look="pills"
            label={t(`groups.${group}`)}
            tabs={tabs.map((name) => ({ name, label: t(`parts.${name}`) }))}
            current={tab}
            onChange={choose}
          >
            <Panel tab={tab} />
          </Tabs>
        )}
      </Tabs>
    </div>
  );
}

function Panel({ tab }: { tab: Tab }) {
  switch (tab) {
    case 'lookUp':
      return <LookUp />;
    case 'admins':
      return <AdminList />;
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
