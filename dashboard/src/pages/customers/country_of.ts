import type { Customer } from "../../api/types.ts";

/** A country, and the field of the customer that has it. */
interface Country {
  field: "country" | "attributes.country";
  value: string;
}

/** Returns the country of a customer: of the profile, else a text in the attribute of that name. */
export function countryOf({ country, attributes }: Customer): Country | null {
  if (country !== null) return { field: "country", value: country };
  const given = attributes.country;
  if (typeof given !== "string" || given.trim() === "") return null;
  return { field: "attributes.country", value: given };
}
