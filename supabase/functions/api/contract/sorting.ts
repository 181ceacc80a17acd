import { oneOf } from "./fields.ts";

const timeSorts = ["newest", "oldest"] as const;

/** Order of a list by time. */
export type TimeSort = (typeof timeSorts)[number];

/** Order of a list of resources that have a name. */
export type NameSort = TimeSort | "name";

const cursorRule = "A cursor is valid for its order only.";

/** Query parameter of a list that an index returns in both directions of time. */
export const timeSort = {
  sort: oneOf(timeSorts).default("newest").meta({ description: cursorRule, default: "newest" }),
};

/** Query parameter of a list of named resources. */
export const nameSort = {
  sort: oneOf([...timeSorts, "name"]).default("newest").meta({
    description: `name: A to Z, ignoring case. Letters with accents come last. ${cursorRule}`,
    default: "newest",
  }),
};
