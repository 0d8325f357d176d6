import { addTexts } from '#web/lib/add-texts.ts';

/** Beside the screens that show them and not in the languages' own chunks: few visits open one. */
export function addSettingsTexts(): void {
  addTexts('settings', import.meta.glob<object>('#web/locales/*/settings.json', { eager: true, import: 'default' }));
}
