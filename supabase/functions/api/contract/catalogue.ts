import { z } from "zod";
import { boolean, expected, oneOf, text, timestamp } from "./fields.ts";

/** Most properties that people list for one event name. */
export const maxExpectedProperties = 100;

/** Types of JSON values; null counts as missing. */
export const propertyTypes = ["string", "number", "boolean", "array", "object"] as const;

const statuses = ["expected", "unexpected"] as const;

const described = {
  description: text(1000).nullable(),
  owner: text(200).nullable(),
  status: oneOf(statuses).nullable(),
};

const property = text(500).meta({
  description: "A path with dots between names.",
  example: "address.city",
});

const expectedProperty = z.strictObject({
  property,
  type: oneOf(propertyTypes).optional().meta({ description: "Any type if omitted." }),
  is_required: boolean.optional(),
  description: text(1000).optional(),
}, { error: 'must be an object such as { "property": "total" }' });

/** The path of an event name. */
export const nameParams = z.strictObject({
  name: text(200).meta({ example: "order_completed" }),
});

/** The name where a path cannot have it: URLs drop the parts "." and "..". */
export const nameQuery = z.strictObject({
  name: text(200).optional().meta({
    description: "Goes before the name in the path. Needed for the names `.` and `..`, which are " +
      "dropped from every URL: `/catalogue/-?name=..`.",
  }),
});

export const eventDefinitionEdit = z.strictObject({
  description: described.description.optional(),
  owner: described.owner.optional(),
  status: described.status.optional(),
  expected,
  properties: z.array(expectedProperty, { error: "must be a list of properties" })
    .max(maxExpectedProperties, `must have at most ${maxExpectedProperties} properties`)
    .refine(
      (list) => new Set(list.map(({ property }) => property)).size === list.length,
      "must not name a property twice",
    )
    .nullable().optional().meta({
      description: "The expected properties. All others are marked. If null, none are marked.",
    }),
}).meta({
  description: "Omitted fields keep their value.",
  example: {
    description: "A customer paid for a cart.",
    owner: "Checkout team",
    status: "expected",
    properties: [{ property: "total", type: "number", is_required: true }],
  },
});

const day = z.object({
  at: timestamp.meta({ description: "Start of the UTC day." }),
  events: z.int(),
});

export const cataloguedEvent = z.object({
  name: z.string().meta({ example: "order_completed" }),
  description: z.string().nullable(),
  owner: z.string().nullable(),
  status: z.enum(statuses).nullable().meta({ description: "Null until somebody decides." }),
  events: z.int().meta({ description: "Number of events." }),
  events_per_day: z.number().meta({
    description: "Mean over the last 7 UTC days before today, or over the days since it was " +
      "first seen. On the day when it was first seen, the events so far.",
  }),
  events_today: z.int().meta({ description: "Events of this UTC day." }),
  events_by_day: z.array(z.int()).meta({
    description: "Events of the last 7 UTC days and of today, oldest first.",
  }),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  properties: z.int().meta({ description: "Number of properties that were seen." }),
  unexpected_properties: z.int().meta({
    description: "Number of seen properties that are not expected; 0 if nobody listed any.",
  }),
}).meta({ id: "CataloguedEvent" });

const cataloguedProperty = z.object({
  property,
  description: z.string().nullable(),
  types: z.array(z.object({ type: z.enum(propertyTypes), share: z.number() })).meta({
    description: "Types of the values, each with its share, the most frequent first.",
  }),
  share: z.number().min(0).max(1).meta({
    description: "Share of the sampled events that have the property.",
  }),
  example: z.unknown().meta({
    description: "Its value in one of the newest 50 events, shortened if it is long; null if " +
      "none of them has the property.",
  }),
  expected_type: z.enum(propertyTypes).nullable(),
  is_required: z.boolean(),
  unexpected: z.enum(["property", "type"]).nullable().meta({
    description:
      "property: the property is not expected. type: some values have an unexpected type.",
  }),
  first_seen_at: timestamp.nullable().meta({
    description: "Null for an expected property that was not seen.",
  }),
  last_seen_at: timestamp.nullable(),
});

export const cataloguedEventDetails = cataloguedEvent.extend({
  has_expectations: z.boolean().meta({
    description: "True if somebody listed the expected properties.",
  }),
  expected_properties: z.array(z.object(expectedProperty.shape)).nullable().meta({
    description: "The `properties` of PATCH; null if nobody listed any.",
  }),
  sampled_events: z.int().meta({ description: "Number of events that the shares are based on." }),
  sampled_at: timestamp.nullable().meta({ description: "Time of the last sample." }),
  property_list: z.array(cataloguedProperty).meta({ description: "The most frequent first." }),
  days: z.array(day).meta({ description: "The last 30 UTC days, oldest first." }),
}).meta({ id: "CataloguedEventDetails" });
