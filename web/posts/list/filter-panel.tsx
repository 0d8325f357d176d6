import { useTranslation } from 'react-i18next';
import { POST_KINDS, type PostedBy } from '#contract/kinds.ts';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import type { PostFilter } from '#web/api/query-keys.ts';
import { useTypedParam } from '#web/lib/address.ts';
import { SelectField, Switch } from '#web/ui/choice-fields.tsx';
import { TextField } from '#web/ui/field.tsx';
import { DAYS, type FilterParam } from './post-filter.ts';

/** The list's filters. Each choice changes the URL, so that the browser's back button undoes the choice. */
export function FilterPanel({
  filter,
  onChange,
}: {
  filter: PostFilter;
  onChange: (param: FilterParam, value: string) => void;
}) {
  const { t } = useTranslation('posts');
  return (
    <div className="card grid gap-4 sm:grid-cols-2">
      <PostedByChoice value={filter.postedBy} onChange={(postedBy) => onChange('posted_by', postedBy)} />
      <SelectField
        label={t('filters.kind')}
        name="kind"
        value={filter.kind ?? ''}
        options={[
          { value: '', label: t('filters.allKinds') },
          ...POST_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        ]}
        onChange={(kind) => onChange('kind', kind)}
      />
      <PlaceField />
      <SelectField
        label={t('filters.time')}
        name="days"
        value={filter.days === null ? '' : `${filter.days}`}
        options={[
          { value: '', label: t('filters.times.all') },
          ...DAYS.map((days) => ({ value: `${days}`, label: t(`filters.times.${days}`) })),
        ]}
        onChange={(days) => onChange('days', days)}
      />
      <Switch
        label={t('filters.exact')}
        isOn={filter.isExact}
        onChange={(isOn) => onChange('exact', isOn ? '1' : '')}
      />
    </div>
  );
}

const CHOICES = [
  { value: '', label: 'both' },
  { value: 'owner', label: 'lost' },
  { value: 'finder', label: 'pickedUp' },
] as const;

function PostedByChoice({ value, onChange }: { value: PostedBy | null; onChange: (postedBy: PostedBy | '') => void }) {
  const { t } = useTranslation('posts');
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-semibold">{t('filters.postedBy')}</legend>
      <div className="flex flex-wrap gap-x-5">
        {CHOICES.map((choice) => (
          <label key={choice.value} className="flex min-h-11 items-center gap-2.5">
            <input
              type="radio"
              name="posted_by"
              value={choice.value}
              checked={(value ?? '') === choice.value}
              onChange={() => onChange(choice.value)}
              className="size-5 shrink-0 accent-(--accent)"
            />
            <span className="font-medium">{t(`filters.${choice.label}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function PlaceField() {
  const { t } = useTranslation('posts');
  const { typed, setTyped } = useTypedParam('place');
  return (
    <TextField
      label={t('filters.place')}
      hint={t('filters.placeHint')}
      name="place"
      autoComplete="off"
      enterKeyHint="search"
      maxLength={LOCATION_MAX_CHARS}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
