import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCATION_MAX_CHARS, SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { POST_KINDS } from '#contract/posts.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, TextField } from '#web/ui/field.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { type CommunityPostFilter, EVERY_POST } from './posts-api.ts';

type Props = { chosen: CommunityPostFilter; onChoose: (filter: CommunityPostFilter) => void };

/** What narrows the list of a community's posts. */
export function PostFilters({ chosen, onChoose }: Props) {
  const { t } = useTranslation(['community', 'communities']);
  const { search: _typed, ...others } = chosen;
  const count = Object.values(others).filter(Boolean).length;
  const set = (change: Partial<CommunityPostFilter>) => onChoose({ ...chosen, ...change });
  return (
    <div className="grid gap-3">
      <SearchField
        label={t('searchPosts')}
        clearLabel={t('communities:clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={chosen.search}
        onChange={(search) => set({ search })}
      />
      <details className="card py-1!">
        <summary className="min-h-11 cursor-pointer content-center font-semibold text-accent">
          {count > 0 ? t('filtersSet', { count }) : t('filters')}
        </summary>
        <div className="grid gap-3 pt-2 sm:grid-cols-2">
          <Choice
            label={t('filterPostedBy')}
            value={chosen.posted_by}
            options={['finder', 'owner']}
            textOf={(value) => t(`postedBy.${value}`)}
            onChange={(posted_by) => set({ posted_by })}
          />
          <Choice
            label={t('filterKind')}
            value={chosen.kind}
            options={POST_KINDS}
            textOf={(value) => t(`kinds.${value}`)}
            onChange={(kind) => set({ kind })}
          />
          <TextField
            label={t('filterPlace')}
            name="place"
            autoComplete="off"
            maxLength={LOCATION_MAX_CHARS}
            value={chosen.place}
            onChange={(event) => set({ place: event.target.value })}
          />
          <Checkbox
            label={t('filterOpen')}
            name="open"
            checked={chosen.open}
            onChange={(event) => set({ open: event.target.checked })}
          />
        </div>
        {count > 0 && (
          <Button look="quiet" onClick={() => onChoose({ ...EVERY_POST, search: chosen.search })}>
            {t('clearFilters')}
          </Button>
        )}
      </details>
    </div>
  );
}

function Choice<Value extends string>({
  label,
  value,
  options,
  textOf,
  onChange,
}: {
  label: string;
  value: Value | '';
  options: readonly Value[];
  textOf: (value: Value) => string;
  onChange: (value: Value | '') => void;
}) {
  const { t } = useTranslation('community');
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        className="field-input"
        value={value}
        onChange={(event) => onChange(options.find((option) => option === event.target.value) ?? '')}
      >
        <option value="">{t('filterAll')}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {textOf(option)}
          </option>
        ))}
      </select>
    </div>
  );
}
