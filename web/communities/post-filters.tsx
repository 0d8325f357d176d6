import { useTranslation } from 'react-i18next';
import { LOCATION_MAX_CHARS, SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { POST_KINDS, POSTED_BY } from '#contract/post-kinds.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, TextField } from '#web/ui/field.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { addThingTexts } from '#web/ui/thing-texts.ts';
import { type CommunityPostFilter, EVERY_POST } from './posts-api.ts';

addThingTexts();

type Props = { chosen: CommunityPostFilter; onChoose: (filter: CommunityPostFilter) => void };

/** What narrows the list of a community's posts. */
export function PostFilters({ chosen, onChoose }: Props) {
  const { t } = useTranslation(['community', 'communities', 'things']);
  const { search: _typed, ...others } = chosen;
  const count = Object.values(others).filter(Boolean).length;
  const any = { value: '', label: t('filterAll') } as const;
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
          <SelectField
            label={t('filterPostedBy')}
            name="posted_by"
            value={chosen.posted_by}
            options={[any, ...POSTED_BY.map((value) => ({ value, label: t(`postedBy.${value}`) }))]}
            onChange={(posted_by) => set({ posted_by })}
          />
          <SelectField
            label={t('filterKind')}
            name="kind"
            value={chosen.kind}
            options={[any, ...POST_KINDS.map((value) => ({ value, label: t(`things:kinds.${value}`) }))]}
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
