/** The names of the profile fields, in the order in which they are shown. */
export const profileFieldNames = [
  "email",
  "phone",
  "first_name",
  "last_name",
  "country",
  "timezone",
  "locale",
] as const;

/** The name of a profile field. */
export type ProfileField = typeof profileFieldNames[number];
