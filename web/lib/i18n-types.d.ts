import type admin from '#web/locales/en/admin.json';
import type { firstResources } from '#web/locales/en/first.ts';
import type { resources } from '#web/locales/en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    /** The texts of /admin are loaded with that screen. */
    resources: typeof firstResources & typeof resources & { admin: typeof admin };
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}
