import { z } from "zod";
import { countListed, listCustomers as listRows } from "./customer_queries.ts";
import { findCombined } from "./find_combined.ts";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, text } from "../../contract/fields.ts";
import { nameFilter } from "../../kernel/name_filter.ts";
import { positionOfId, readPage, toPage, withCount } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";
import { filter as conditionText } from "../../contract/conditions/schema.ts";
import { customer } from "../../contract/customers.ts";
import { countOption, filteredCount } from "../../contract/segments.ts";

const form = { list: "customers", forms: [uuidPosition] };

const filters = {
  q: text(255).optional().meta({
    description:
      "Prefix of the e-mail address, name or last name, ignoring case, or a complete id.",
  }),
  external_id: text(255).optional(),
  anon_id: text(255).optional(),
  email: text(254).optional().meta({ description: "The complete address, ignoring case." }),
  filter: conditionText().optional().meta({
    description: "A segment condition as JSON. Lists only customers that meet it now.",
    example: '{"event":"order_completed","within":"30d"}',
  }),
};

const customerCount = {
  count: countOption.count.meta({
    description: "false: leaves out the count of a filtered list, which can take two seconds. " +
      "true: counts the customers of any list, up to 10,000.",
  }),
};

export const listCustomers = defineRoute({
  operationId: "listCustomers",
  method: "GET",
  path: "/customers",
  tag: "Customers",
  summary: "List or search customers",
  description:
    "Accepts at most one of q, external_id, anon_id, email and filter, and then only the order " +
    "newest first. With a filter, the first page has the number of customers as `count`. " +
    "`count=true` adds it to the first page of any other list, up to 10,000. For a larger " +
    "number, `is_exact` is false.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  query: z.strictObject({ ...filters, ...customerCount, ...timeSort, ...paging }),
  status: 200,
  response: pageOf(customer).extend(filteredCount),
  async handle({ tx, workspaceId, query, isExport }) {
    const { limit, cursor, count = query.filter !== undefined, ...filter } = query;
    const combined = findCombined(filter);
    if (combined.length > 0) throw invalidInput(combined);
    const sorted = sortedForm(form, filter.sort);
    const start = readPage(sorted, { limit, cursor });
    const rows = await nameFilter(listRows(tx, { workspaceId, ...filter, ...start }));
    const page = toPage(sorted, { rows, limit, positionOf: positionOfId });
    if (!count || cursor !== undefined || isExport) return page;
    return await withCount(page, () => countListed(tx, { workspaceId, ...filter, ...start }));
  },
});
