import type { z } from "zod";
import { newApiKey } from "../../api/schemas.ts";

/** A permission of a key. */
type Scope = z.output<typeof newApiKey>["scopes"][number];

/** The scopes that the api knows. */
const scopes: readonly Scope[] = newApiKey.shape.scopes.element.options;

/** Scopes of keys for a common use. */
export const presets: readonly { label: string; scopes: readonly Scope[] }[] = [
  { label: "Send events", scopes: ["track:write"] },
  { label: "Read only", scopes: scopes.filter((scope) => scope.endsWith(":read")) },
  { label: "Everything", scopes },
];

/** Returns the label of the preset that has just these scopes; undefined for any other choice. */
export function findPreset(chosen: readonly string[]): string | undefined {
  return presets.find((preset) =>
    preset.scopes.length === chosen.length &&
    preset.scopes.every((scope) => chosen.includes(scope))
  )?.label;
}

/** A scope in words. */
export interface ScopeText {
  value: Scope;
  label: string;
  text: string;
}

/** The scopes of a key, in words. */
export const scopeTexts: ScopeText[] = [
  {
    value: "track:write",
    label: "Send events",
    text: "Send events, identify and alias calls. Safe to expose in apps.",
  },
  {
    value: "customers:read",
    label: "Read customers",
    text: "Profiles, IDs, timelines and devices.",
  },
  { value: "customers:write", label: "Change customers", text: "Edit and erase customers." },
  {
    value: "events:read",
    label: "Read events",
    text: "Events, the catalogue, explorations and usage figures.",
  },
  {
    value: "events:write",
    label: "Describe events",
    text: "Descriptions and expected properties in the catalogue; discard rejected entries.",
  },
  {
    value: "destinations:read",
    label: "Read destinations",
    text: "URLs, health and event types.",
  },
  {
    value: "destinations:write",
    label: "Change destinations",
    text: "Create, edit, test and replay.",
  },
  {
    value: "deliveries:read",
    label: "Read deliveries",
    text: "The log, with bodies and responses.",
  },
  {
    value: "deliveries:write",
    label: "Change messages",
    text: "Resend, try now and cancel messages.",
  },
  { value: "sources:read", label: "Read sources", text: "Sources and the requests they received." },
  {
    value: "sources:write",
    label: "Change sources",
    text: "Create and edit sources, rotate secrets.",
  },
  { value: "templates:read", label: "Read templates", text: "Templates, versions and previews." },
  {
    value: "templates:write",
    label: "Change templates",
    text: "Create, edit and delete templates.",
  },
  {
    value: "segments:read",
    label: "Read segments",
    text: "Segments, and the profiles of their members.",
  },
  {
    value: "segments:write",
    label: "Change segments",
    text: "Create, edit and delete segments.",
  },
  {
    value: "journeys:read",
    label: "Read journeys",
    text: "Journeys, their runs and figures.",
  },
  {
    value: "journeys:write",
    label: "Change journeys",
    text: "Create, publish and stop journeys, and let customers enter.",
  },
  {
    value: "campaigns:read",
    label: "Read campaigns",
    text: "Campaigns and their figures.",
  },
  {
    value: "campaigns:write",
    label: "Change campaigns",
    text: "Create, send, pause and cancel campaigns.",
  },
  { value: "alerts:read", label: "Read alerts", text: "Alert rules, and the alerts they opened." },
  {
    value: "alerts:write",
    label: "Change alerts",
    text: "Create, edit, test and delete alert rules.",
  },
  {
    value: "topics:read",
    label: "Read topics",
    text: "Topics and how many customers joined them.",
  },
  { value: "topics:write", label: "Change topics", text: "Create, edit and delete topics." },
  { value: "senders:read", label: "Read senders", text: "Senders and their health." },
  {
    value: "senders:write",
    label: "Change senders",
    text: "Create, edit and delete senders and their credentials.",
  },
  { value: "sends:read", label: "Read sends", text: "Emails to customers and their outcomes." },
  { value: "sends:write", label: "Send", text: "Send emails to customers." },
  {
    value: "suppressions:read",
    label: "Read suppressions",
    text: "Addresses that never get emails.",
  },
  {
    value: "suppressions:write",
    label: "Change suppressions",
    text: "Add, import and remove suppressions.",
  },
  { value: "views:read", label: "Read views", text: "Saved views of lists." },
  { value: "views:write", label: "Change views", text: "Save, change and delete views." },
];

/** An area of the service, with the scopes that let a key read and change it. */
export interface ScopeArea {
  area: string;
  read: ScopeText | undefined;
  write: ScopeText | undefined;
}

const find = (scope: string) => scopeTexts.find(({ value }) => value === scope);

/** The areas in the order of their scopes. */
export const scopeAreas: ScopeArea[] = [
  ...new Set(scopeTexts.map(({ value }) => value.split(":")[0]!)),
].map((area) => ({ area, read: find(`${area}:read`), write: find(`${area}:write`) }));
