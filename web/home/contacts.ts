/** Where Patikana can be reached outside the app. */
export const SUPPORT_ADDRESS = 'msaada@patikana.co.tz';
export const SOCIAL_PROFILE_URL = 'https://www.instagram.com/patikana.tz';
