import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SWITCHES, type Switch, type Switches } from '#contract/operating.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { switchesQuery, turnSwitch } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { useDecision } from './use-decision.ts';

/** What can be switched off for a while, when something goes wrong with it. */
export function SwitchBoard() {
  const { t } = useTranslation('admin');
  const switches = useQuery(switchesQuery);
  const failure = useFailure(switches);
  if (failure) return <ListFailure error={failure} list={switches} />;
  if (!switches.data) return <ListSkeleton />;
  return (
    <div className="grid gap-4">
      <p className="text-muted">{t('switchBoard.text')}</p>
      <ul className="grid gap-3">
        {SWITCHES.map((name) => (
          <Row key={name} name={name} switches={switches.data} />
        ))}
      </ul>
    </div>
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
