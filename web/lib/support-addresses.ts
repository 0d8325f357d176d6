/** Where Patikana can be reached outside the app. */
export const SUPPORT_ADDRESS = 'msaada@patikana.co.tz';
export const SOCIAL_PROFILE_URL = 'https://www.instagram.com/patikana.tz';
/**
 * The postal address of whoever runs Patikana, a line each, which /privacy shows. The law wants one: fill it in before
 * going live. While it is empty the page names the e-mail address alone.
 */
export const OWNER_POSTAL_ADDRESS: readonly string[] = [];
