import { z } from "zod";
import { country, email, locale, phone, shortText, timezone } from "./fields.ts";
import { type ProfileField, profileFieldNames } from "./profile_names.ts";

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
} satisfies FieldMap<z.ZodType>;

type FieldMap<Schema> = { [Field in ProfileField]: Schema };

/** Returns an object with `build(field)` for each profile field. */
function mapFields<Result>(build: (field: ProfileField) => Result): FieldMap<Result> {
  return Object.fromEntries(profileFieldNames.map((name) => [name, build(name)])) as FieldMap<
    Result
  >;
}

/** The profile fields of an identify or an edit: null clears a field, a missing one keeps it. */
export const profileEdit = mapFields((field) => profileFields[field].nullable().optional());

/** The profile fields of a response. */
export const profileResponse = mapFields((field) =>
  z.string().nullable().meta({ example: profileFields[field].meta()?.example })
);

/** Profile fields for `private.ingest`: null clears a field, an omitted field keeps its value. */
export interface IngestProfile extends Partial<FieldMap<string | null | undefined>> {
  /** Removes all attributes; attributes that are merged key by key are not part of the profile. */
  attributes?: null;
  /** Values for fields that the customer lacks and the entry does not name. */
  defaults?: Partial<FieldMap<string>> | undefined;
}

/** The profile fields and attributes of an identify or an edit. */
export interface ProfileEdit extends Omit<IngestProfile, "attributes"> {
  attributes?: Record<string, unknown> | null | undefined;
}

/**
 * Separates fields that are replaced from attributes that merge; `attributes: null` removes all.
 */
export function splitProfile({ attributes, ...profile }: ProfileEdit) {
  return attributes === null
    ? { profile: { ...profile, attributes }, attributes: undefined }
    : { profile, attributes };
}
