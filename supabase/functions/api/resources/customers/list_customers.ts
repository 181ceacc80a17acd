import { z } from "zod";
import { listCustomers as listRows } from "./customer_queries.ts";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, text } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { customer } from "../../contract/customers.ts";

const form = { list: "customers", forms: [uuidPosition] };

const filters = {
  q: text(255).optional().meta({
    description:
      "Prefix of the e-mail address, name or last name, ignoring case, or a complete id.",
  }),
  external_id: text(255).optional(),
  anon_id: text(255).optional(),
  email: text(254).optional().meta({ description: "The complete address, ignoring case." }),
};

export const listCustomers = defineRoute({
  operationId: "listCustomers",
  method: "GET",
  path: "/customers",
  tag: "Customers",
  summary: "List or search customers",
  description: "Accepts at most one of q, external_id, anon_id and email.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  query: z.strictObject({ ...filters, ...paging }),
  status: 200,
  response: pageOf(customer),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const given = Object.keys(filter).filter((name) => name in filters);
    if (given.length > 1) {
      throw invalidInput([{ field: given[1]!, message: `must not be combined with ${given[0]}` }]);
    }
    const rows = await listRows(tx, {
      workspaceId,
      ...filter,
      ...readPage(form, { limit, cursor }),
    });
    return toPage(form, { rows, limit, positionOf: positionOfId });
  },
});
