import { z } from "zod";
import { country, email, locale, phone, shortText, timezone } from "./fields.ts";

/**
 * Every profile field of a customer, with the schema of its values. Identify, the api, Segment's
 * format, the presets and the OpenAPI document are derived from it; in SQL,
 * `private.profile_fields()` lists the same names.
 */
export const profileFields = {
  email: email.meta({ example: "ada@example.com" }),
  phone: phone.meta({ example: "+14155550123" }),
  first_name: shortText.meta({ example: "Ada" }),
  last_name: shortText.meta({ example: "Lovelace" }),
  country: country.meta({ example: "GB" }),
  timezone: timezone.meta({ example: "Europe/London" }),
  locale: locale.meta({ example: "en-GB" }),
};

/** The name of a profile field. */
export type ProfileField = keyof typeof profileFields;

/** The names of the profile fields, in the order in which they are shown. */
export const profileFieldNames = Object.keys(profileFields) as readonly ProfileField[];

type FieldMap<Schema> = { [Field in ProfileField]: Schema };

/** Returns an object with `build(field)` for each profile field. */
function mapFields<Result>(build: (field: ProfileField) => Result): FieldMap<Result> {
  return Object.fromEntries(profileFieldNames.map((name) => [name, build(name)])) as FieldMap<
    Result
  >;
}

/** The profile fields of an identify or an edit: null clears a field, a missing one keeps it. */
export const profileEdit = mapFields((field) => profileFields[field].nullable().optional());

/** The profile fields of an answer. */
export const profileAnswer = mapFields((field) =>
  z.string().nullable().meta({ example: profileFields[field].meta()?.example })
);

/** Profile fields as `private.ingest` takes them: null clears, left out keeps. */
export interface IngestProfile extends Partial<FieldMap<string | null | undefined>> {
  /** Takes all of them away; what is merged key by key is no profile field. */
  attributes?: null;
  /** Values for fields that the customer lacks and the entry does not name. */
  defaults?: Partial<FieldMap<string>> | undefined;
}

/** The profile fields and attributes of an identify or an edit. */
export interface ProfileEdit extends Omit<IngestProfile, "attributes"> {
  attributes?: Record<string, unknown> | null | undefined;
}

/** Parts what replaces from what merges key by key: null takes all attributes away. */
export function splitProfile({ attributes, ...profile }: ProfileEdit) {
  return attributes === null
    ? { profile: { ...profile, attributes }, attributes: undefined }
    : { profile, attributes };
}
