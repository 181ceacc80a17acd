/** Entries of one kind of load; every entry of a run is different. */
export interface EntryOptions {
  /** True if each entry has its own idempotency key. */
  hasKeys: boolean;
  /** Number of customers that take turns; null: every entry is of a new one. */
  customers: number | null;
  /** Keeps the ids of this run apart from those of another. */
  run: string;
}

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** The properties and context of every entry: about 300 bytes, as a shop's events have. */
export const properties = {
  platform: "desktop",
  acquisition_channel: "paid_search",
  sku: "SKU-104729",
  category: "headphones",
  price: 129.9,
  currency: "EUR",
  quantity: 1,
};
export const context = { ip: "203.0.113.7", ua: userAgent };

// Written once: a load generator that spends its time on JSON measures itself.
const tail = `"name":"product_view","properties":${JSON.stringify(properties)},` +
  `"context":${JSON.stringify(context)}}`;

/** The id of the customer that entry number `n` is about. */
export function customerId({ customers, run }: EntryOptions, n: number): string {
  return customers === null ? `${run}-customer-${n}` : `customer-${n % customers}`;
}

/** Entry number `n` of the run as JSON. */
export function writeEntry(options: EntryOptions, n: number): string {
  const key = options.hasKeys ? `"idempotency_key":"${options.run}-${n}",` : "";
  return `{"external_id":"${customerId(options, n)}",${key}${tail}`;
}

/** A bulk of `count` entries, from number `first` on, as JSON. */
export function writeBulk(options: EntryOptions, first: number, count: number): string {
  const entries = Array.from({ length: count }, (_, i) => writeEntry(options, first + i));
  return `{"events":[${entries.join(",")}]}`;
}
