import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PostFilter } from '#web/api/query-keys.ts';
import { late } from '#web/lib/late.ts';
import { paths } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Switch } from '#web/ui/choice-fields.tsx';
import { WantedPart } from '#web/ui/late.tsx';
import { countFilters, type FilterParam, toLostPost } from './post-filter.ts';
import { isEmptyList, type usePostList } from './post-list.ts';

const latePanel = late(async () => (await import('./filter-panel.tsx')).FilterPanel);

type SetFilter = (param: FilterParam, value: string) => void;

/**
 * The button that opens the filters and shows how many are active, a button that clears them, and the switch that shows
 * open posts only.
 */
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

  /** Moves the focus, because the pressed button is removed. */
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
        {isOpen && (
          <WantedPart part={latePanel} waiting={<p role="status">{t('filters.loading')}</p>}>
            {(FilterPanel) => <FilterPanel filter={filter} onChange={onChange} />}
          </WantedPart>
        )}
      </section>
    </div>
  );
}

type Sought = { typed: string; place: string };

/** For an empty list: a button that opens the form for a lost post, filled with the text of the search. */
export function PostLoss({ typed, place }: Sought) {
  const { t } = useTranslation('posts');
  return (
    <ButtonLink to={paths.createPost} state={toLostPost(typed, place)} look="secondary" icon="plus">
      {t('postWhatYouLost')}
    </ButtonLink>
  );
}

/**
 * A button for users who do not see their item in the results. It opens the form for a lost post, whose author gets a
 * notice when somebody finds the item. For an empty list, `PostLoss` opens the same form, so this button is invisible.
 * The invisible button keeps its space, so that the list does not move.
 */
export function TellWhenFound({ list, typed, place }: Sought & { list: ReturnType<typeof usePostList> }) {
  const { t } = useTranslation('posts');
  if (typed.trim() === '') return null;
  return (
    <ButtonLink
      look="quiet"
      icon="bell"
      to={paths.createPost}
      state={toLostPost(typed, place)}
      className={`-my-3 -ms-2 justify-self-start px-2! ${isEmptyList(list) ? 'invisible' : ''}`}
    >
      {t('tellMe')}
    </ButtonLink>
  );
}
