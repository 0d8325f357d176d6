import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countFilters, type FilterParam } from '#web/lib/post-filter.ts';
import type { PostFilter } from '#web/lib/query-keys.ts';
import { usePart } from '#web/lib/use-part.ts';
import { Button } from './button.tsx';
import { Switch } from './checkbox.tsx';
import { PartNotLoaded } from './part-not-loaded.tsx';

const loadPanel = async () => (await import('./filter-panel.tsx')).FilterPanel;

type SetFilter = (param: FilterParam, value: string) => void;

/** Opens the filters, says how many are set and clears them; the switch beside them needs no opening. */
export function FilterBar({
  filter,
  onChange,
  onClear,
}: {
  filter: PostFilter;
  onChange: SetFilter;
  onClear: () => void;
}) {
  const { t } = useTranslation('posts');
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const count = countFilters(filter);

  /** The button goes with what it clears, and the focus with it. */
  function clear() {
    onClear();
    button.current?.focus();
  }

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          ref={button}
          look="secondary"
          icon="chevron"
          className="aria-expanded:[&>svg]:rotate-180 [&>svg]:transition-transform"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {count > 0 ? t('filters.openSet', { count }) : t('filters.open')}
        </Button>
        <Switch
          label={t('filters.onlyOpen')}
          isOn={filter.isOpenOnly}
          onChange={(isOn) => onChange('open', isOn ? '1' : '')}
        />
        {count > 0 && (
          <Button look="quiet" icon="close" onClick={clear}>
            {t('filters.clearAll')}
          </Button>
        )}
      </div>
      <section id={panelId} aria-label={t('filters.panel')} hidden={!isOpen}>
        <LoadedPanel isOpen={isOpen} filter={filter} onChange={onChange} />
      </section>
    </div>
  );
}

function LoadedPanel({ isOpen, ...props }: { isOpen: boolean; filter: PostFilter; onChange: SetFilter }) {
  const { t } = useTranslation('posts');
  const { Part: Panel, hasFailed, isLoading, retry } = usePart(loadPanel, isOpen);
  if (!isOpen) return null;
  if (Panel) return <Panel {...props} />;
  if (hasFailed) return <PartNotLoaded isLoading={isLoading} onRetry={retry} />;
  return <p role="status">{t('filters.loading')}</p>;
}
