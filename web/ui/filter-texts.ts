import { addTexts } from '#web/lib/add-texts.ts';

/** Beside the lists that have filters. */
export function addFilterTexts(): void {
  addTexts('filters', import.meta.glob<object>('#web/locales/*/filters.json', { eager: true, import: 'default' }));
}
