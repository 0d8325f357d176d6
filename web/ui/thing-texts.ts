import { addTexts } from '#web/lib/add-texts.ts';

/** Beside what shows a post and not in the languages' own chunks: who signs up or in needs none of them. */
export function addThingTexts(): void {
  addTexts('things', import.meta.glob<object>('#web/locales/*/things.json', { eager: true, import: 'default' }));
}
