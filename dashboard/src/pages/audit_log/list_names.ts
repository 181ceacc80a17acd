import type { ViewedList } from "../../../../supabase/functions/api/contract/views.ts";
import { navigation as campaigns } from "../campaigns/mod.ts";
import { navigation as customers } from "../customers/mod.ts";
import { navigation as destinations } from "../destinations/mod.ts";
import { navigation as events } from "../events/mod.ts";
import { navigation as journeys } from "../journeys/mod.ts";
import { navigation as messages } from "../messages/mod.ts";
import { navigation as rejected } from "../rejected/mod.ts";
import { navigation as segments } from "../segments/mod.ts";
import { navigation as sends } from "../sends/mod.ts";
import { navigation as sources } from "../sources/mod.ts";
import { navigation as suppressions } from "../suppressions/mod.ts";
import { navigation as templates } from "../templates/mod.ts";
import { navigation as topics } from "../topics/mod.ts";

/** Names of the lists of which views are saved, as the navigation has them. */
export const listNames: Readonly<Record<ViewedList, string>> = {
  "audit-log": "Audit log",
  campaigns: campaigns.label,
  customers: customers.label,
  deliveries: "Deliveries",
  destinations: destinations.label,
  events: events.label,
  journeys: journeys.label,
  messages: messages.label,
  "rejected-entries": rejected.label,
  segments: segments.label,
  sends: sends.label,
  sources: sources.label,
  suppressions: suppressions.label,
  templates: templates.label,
  topics: topics.label,
};
