import type admin from '#web/locales/en/admin.json';
import type claims from '#web/locales/en/claims.json';
import type { firstResources } from '#web/locales/en/first.ts';
import type { resources } from '#web/locales/en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    /** The texts of /admin and of claims are loaded with their screens. */
    resources: typeof firstResources & typeof resources & { admin: typeof admin; claims: typeof claims };
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}
