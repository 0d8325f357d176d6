import { UserError } from '#scripts/command/user-error.ts';

/** What the pages lack when a variable of the build is not set (web/lib/support-addresses.ts). */
const LACKING = {
  VITE_SUPPORT_ADDRESS: 'no page names an e-mail address for support.',
  VITE_SOCIAL_PROFILE_URL: 'the home page links to no social profile.',
  VITE_OWNER_POSTAL_ADDRESS: 'the privacy page names no postal address, which the law may require.',
};

/**
 * Checks the addresses that a build for deployment shows.
 * @returns a warning for each that is not set.
 * @throws UserError for an example address (RFC 2606): it was copied from `.env.development`.
 */
export function checkPublicAddresses(environment: Record<string, string | undefined>): string[] {
  return Object.entries(LACKING).flatMap(([name, lacking]) => {
    const value = environment[name];
    if (value && /\.example\b/.test(value)) throw new UserError(`${name} is an example: ${value}`);
    return value ? [] : [`${name} is not set: ${lacking}`];
  });
}
