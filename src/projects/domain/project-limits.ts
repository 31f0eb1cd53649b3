/** Limits that the domain, the tools and the forms share (`platform.md` 3.1 to 3.3); lengths in code points. */
export const NAME_MAX = 100;
export const SLUG_MAX = 60;
export const DESCRIPTION_MAX = 500;
export const DOMAIN_MAX = 253;
export const ORIGINS_MAX = 50;
export const ORIGIN_MAX = 255;
export const OWNED_PROJECTS_MAX = 500;
export const DEFAULT_SEARCH_LANGUAGE = 'english';
/** Besides the owner. */
export const MEMBERS_MAX = 200;
/** Open at once in a project. */
export const INVITATIONS_MAX = 50;
export const INVITATION_DAYS = 7;
