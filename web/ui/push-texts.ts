import { addTexts } from '#web/lib/add-texts.ts';

/** Beside what shows them and not in the languages' own chunks: most visits show none. */
export function addPushTexts(): void {
  addTexts('push', import.meta.glob<object>('#web/locales/*/push.json', { eager: true, import: 'default' }));
}
