import type { IngestProfile } from "./ingest.ts";

/** What an identify or an edit says of a profile. */
export interface ProfileEdit extends Omit<IngestProfile, "attributes"> {
  attributes?: Record<string, unknown> | null | undefined;
}

/** Parts what replaces from what merges key by key: null takes all attributes away. */
export function splitProfile({ attributes, ...profile }: ProfileEdit) {
  return attributes === null
    ? { profile: { ...profile, attributes }, attributes: undefined }
    : { profile, attributes };
}
