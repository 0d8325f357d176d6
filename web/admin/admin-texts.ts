import { addTexts } from '#web/lib/add-texts.ts';

/** Beside the screen and not in the languages' own chunks: only a platform admin loads these texts. */
export function addAdminTexts(): void {
  addTexts('admin', import.meta.glob<object>('#web/locales/*/admin.json', { eager: true, import: 'default' }));
}
