import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type AdminDay, SWITCHES, type Switch, type Switches } from '#contract/admin.ts';
import { WEEK_COUNT_MAX } from '#contract/limits.ts';
import { CommunityDecisions } from '#web/admin/communities/community-decisions.tsx';
import { Passkeys } from '#web/admin/passkeys/passkeys.tsx';
import { StepUpDialog } from '#web/admin/passkeys/step-up-dialog.tsx';
import { AdminList } from '#web/admin/people/admin-list.tsx';
import { LogList } from '#web/admin/people/log.tsx';
import { LookUp } from '#web/admin/people/look-up.tsx';
import { PersonPage } from '#web/admin/people/person-page.tsx';
import { PostPage } from '#web/admin/people/post-page.tsx';
import { ReportQueue } from '#web/admin/reports/report-queue.tsx';
import { queryKeys } from '#web/api/query-keys.ts';
import { formatDay, formatNumber } from '#web/lib/format.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { AdminQueryState } from './admin-query-state.tsx';
import { switchesQuery, turnSwitch, weekQuery } from './api.ts';
import { FeedbackInbox } from './feedback-inbox.tsx';
import { useDecision } from './use-decision.ts';

/** The tabs of each group. /admin shows the first group, and a press on a group opens the group's first tab. */
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

/** The platform admins' decisions and lists. Rendered by `AdminGate` only. */
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
      return <Week />;
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

/** The features that an admin can switch off during an incident. */
function SwitchBoard() {
  const { t } = useTranslation('admin');
  const switches = useQuery(switchesQuery);
  return (
    <AdminQueryState query={switches}>
      {(states) => (
        <div className="grid gap-4">
          <p className="text-muted">{t('switchBoard.text')}</p>
          <ul className="grid gap-3">
            {SWITCHES.map((name) => (
              <Row key={name} name={name} switches={states} />
            ))}
          </ul>
        </div>
      )}
    </AdminQueryState>
  );
}

function Row({ name, switches }: { name: Switch; switches: Switches }) {
  const { t } = useTranslation('admin');
  const isOn = switches[name];
  const turning = useDecision({
    decide: turnSwitch,
    inTurn: 'switches',
    doneText: t(`switchBoard.done.${isOn ? 'switch_off' : 'switch_on'}.${name}`),
    stale: [queryKeys.admin.switches, queryKeys.admin.allLog],
  });
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h2 id={`switch-${name}`} className="flex flex-wrap items-center justify-between gap-2">
          {t(`switchBoard.names.${name}`)}
          <Badge tone={isOn ? 'found' : 'lost'}>{t(isOn ? 'switchBoard.on' : 'switchBoard.off')}</Badge>
        </h2>
        <p className="text-muted text-sm">{t(`switchBoard.texts.${name}`)}</p>
      </div>
      <Button
        look={isOn ? 'secondary' : 'primary'}
        aria-describedby={`switch-${name}`}
        isBusy={turning.isPending}
        onClick={() => turning.mutate({ name, isOn: !isOn })}
      >
        {t(isOn ? 'switchBoard.turnOff' : 'switchBoard.turnOn')}
      </Button>
    </li>
  );
}

const COLUMNS = ['posts', 'matches_told', 'not_this_one', 'returned', 'reports'] as const satisfies (keyof AdminDay)[];

function Week() {
  return <AdminQueryState query={useQuery(weekQuery)}>{(days) => <WeekTable days={days} />}</AdminQueryState>;
}

/** The figures of the last seven days, one row a day. Scrolls sideways on a phone, also by keyboard. */
function WeekTable({ days }: { days: AdminDay[] }) {
  const { t } = useTranslation('admin');
  const titleId = useId();
  const sums = COLUMNS.map((column) => days.reduce((sum, day) => sum + day[column], 0));
  return (
    <div className="grid gap-4">
      <p id={titleId} className="text-muted">
        {t('weekText')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <section className="card overflow-x-auto p-3!" aria-labelledby={titleId} tabIndex={0}>
        <table aria-labelledby={titleId} className="w-full text-right text-sm tabular-nums">
          <thead className="border-line border-b align-bottom">
            <tr>
              <th scope="col" className="sticky left-0 bg-surface p-1 text-left">
                {t('day')}
              </th>
              {COLUMNS.map((column) => (
                <th key={column} scope="col" className="p-1">
                  {t(`columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day} className="border-line border-b">
                <th scope="row" className="sticky left-0 whitespace-nowrap bg-surface p-1 py-2 text-left font-normal">
                  {formatDay(day.day)}
                </th>
                {COLUMNS.map((column) => (
                  <td key={column} className="p-1">
                    {day[column] >= WEEK_COUNT_MAX ? `${formatNumber(WEEK_COUNT_MAX)}+` : formatNumber(day[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <tr>
              <th scope="row" className="sticky left-0 bg-surface p-1 py-2 text-left">
                {t('together')}
              </th>
              {sums.map((sum, index) => (
                <td key={COLUMNS[index]} className="p-1">
                  {formatNumber(sum)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
    </div>
  );
}
