import { addTexts } from '#web/lib/add-texts.ts';

/** Beside what shows them and not in the languages' own chunks: only who has a post ends it, or asks by a number. */
export function addEndsTexts(): void {
  addTexts('ends', import.meta.glob<object>('#web/locales/*/ends.json', { eager: true, import: 'default' }));
}
