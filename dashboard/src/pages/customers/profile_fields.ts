import type { ApiBody } from "../../api/use_api.ts";

/** Fields of a customer's profile besides the attributes. */
export type ProfileField = Exclude<keyof ApiBody<"PATCH /customers/{id}">, "attributes">;

interface ProfileFieldText {
  label: string;
  /** Sample value. */
  example?: string;
  /** Formats a value for reading. */
  format?: (value: string) => string;
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The texts of every profile field, in the order of the page. */
export const profileFields: Record<ProfileField, ProfileFieldText> = {
  first_name: { label: "First name" },
  last_name: { label: "Last name" },
  email: { label: "Email" },
  phone: { label: "Phone", example: "+49 30 901820" },
  country: { label: "Country", example: "DE", format: (code) => countries.of(code) ?? code },
  timezone: { label: "Time zone", example: "Europe/Berlin" },
  locale: { label: "Language", example: "de-DE", format: nameLanguage },
};

export const profileFieldNames = Object.keys(profileFields) as ProfileField[];

/** Names a language in English, without the extensions of its tag: "German (Germany)". */
function nameLanguage(locale: string): string {
  return languages.of(new Intl.Locale(locale).baseName) ?? locale;
}
