import { z } from "zod";
import { validate } from "../../supabase/functions/_shared/entries/validate.ts";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { definition } from "../../supabase/functions/api/contract/journeys/schema.ts";

const body = z.strictObject({ definition });

/** Returns the faults of a definition, each as `path: message`. */
export function faultsOf(value: unknown): string[] {
  const read = validate(body, { definition: value });
  return read.ok ? [] : read.details.map(({ field, message }) => `${field}: ${message}`);
}

/** Returns a valid definition as it is stored; throws for another one. */
export function readValid(value: unknown): Definition {
  return body.parse({ definition: value }).definition;
}

/** The smallest journey: customers enter by call, and leave. */
export const smallestDefinition = {
  trigger: { api: true },
  start: "end",
  steps: { end: { exit: {} } },
};

/** A journey with every kind of step, and every rule of entry and exit. */
export const fullDefinition = {
  trigger: { event: "order_created", where: [{ property: "total", op: "gte", value: 10 }] },
  entry: {
    when: { field: "trigger.total", op: "lt", value: 500 },
    key: "trigger.cart_id",
    again: { after: "30d" },
    holdout: 12.5,
  },
  goal: { event: "order_completed", where: [], match: [], within: "14d" },
  exit_when: { not: { topic: "news" } },
  exit_on: {
    event: "cart_emptied",
    match: [{ property: "cart_id", same_as: "trigger.cart_id" }],
  },
  start: "welcome",
  steps: {
    "welcome": {
      send: {
        template: "welcome",
        sender: "shop",
        topic: "news",
        not_after: "24h",
        on_cap: "skip",
      },
      next: "wait-2d",
    },
    "wait-2d": { wait: { for: "2d" }, next: "morning" },
    "morning": {
      wait: {
        until: { weekdays: ["mon", "tue", "wed", "thu", "fri"], at: "09:00", zone: "customer" },
      },
      next: "renewal",
    },
    "renewal": {
      wait: {
        until: { date: "attributes.renews_at", offset: "-3d", at: "09:00" },
        on_missing: "end",
      },
      next: "opened",
    },
    "opened": {
      wait_for: {
        event: "email_opened",
        where: [],
        match: [{ property: "run_id", same_as: "run.id" }],
        since: "step",
        timeout: "3d",
      },
      next: "b",
      on_timeout: "ab",
    },
    "b": { branch: [{ when: { segment: "vip" }, next: "tag" }], else: "end" },
    "ab": { split: [{ weight: 50, next: "tag" }, { weight: 50, next: "hook" }] },
    "tag": {
      update: { attributes: { onboarded: true }, profile: { country: "de", locale: null } },
      next: "hook",
    },
    "hook": {
      webhook: {
        destination: "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f",
        data: { plan: "{{ customer.attributes.plan }}" },
      },
      next: "end",
    },
    "end": { exit: {} },
  },
};

/** A chain of waits and updates, with a split at every tenth step. */
export function makeLongDefinition(count: number) {
  const steps = Array.from({ length: count }, (_, n) => {
    const next = `step-${n + 1}`;
    const rest = n + 1 < count ? { next } : {};
    if (n % 10 === 5 && n + 2 < count) {
      const split = [{ weight: 50, next }, { weight: 50, next: `step-${n + 2}` }];
      return [`step-${n}`, { split }];
    }
    return [
      `step-${n}`,
      n % 2 === 0 ? { wait: { for: "1d" }, ...rest } : {
        update: { attributes: { step: n } },
        ...rest,
      },
    ];
  });
  return { trigger: { api: true as const }, start: "step-0", steps: Object.fromEntries(steps) };
}

/** The definition of a journey of six steps in a row: a mail, waits, a branch and an update. */
export const shortDefinition = {
  trigger: { event: "signed_up" },
  start: "hello",
  steps: {
    hello: { send: { template: "hello", sender: "shop" }, next: "pause" },
    pause: { wait: { for: "2d" }, next: "plan" },
    plan: {
      branch: [{ when: { field: "attributes.plan", op: "eq", value: "pro" }, next: "tag" }],
      else: "end",
    },
    tag: { update: { attributes: { onboarded: true } }, next: "rest" },
    rest: { wait: { for: "1d" }, next: "end" },
    end: { exit: {} },
  },
};
