import type {
  ApiInput,
  ApiResponse,
  RouteName,
} from "../../../../supabase/functions/api/contract/client.ts";
import { pageSize } from "../../early/page_size.ts";
import { resolveRange } from "../../url/range.ts";
import { matchPage, type PageEntry } from "./match_page.ts";

/** A route of the api with its input. */
export interface Read {
  route: RouteName;
  input: ApiInput<RouteName>;
  /** Reads what is needed next, which the response names. */
  next?: (response: never) => Read[];
}

/** Makes the read of a route, which has no body. */
export function read<Name extends RouteName>(route: Name, input: ApiInput<Name>): Read {
  return { route, input: input as ApiInput<RouteName> };
}

type ListName = Extract<RouteName, `GET ${string}`>;

/** A list as its page first reads it. */
function list<Name extends ListName>(route: Name, query?: ApiInput<Name>["query"]): Read {
  return read(
    route,
    { query: { limit: pageSize, ...query as object } } as unknown as ApiInput<Name>,
  );
}

const newest = { sort: "newest" } as const;
const whole = 200;

/** The figures of a journey, which is shown while a version of it runs. */
function readLiveView({ id, state, version }: ApiResponse<"GET /journeys/{id}">): Read[] {
  const params = { id };
  if (state === "draft" || version === null) return [];
  return [
    read("GET /journeys/{id}/stats", { params, query: { version } }),
    read("GET /journeys/{id}/versions", { params, query: { limit: pageSize } }),
  ];
}

/** The numbers and the sender of a campaign that has not begun. */
function readReview({ id, state, sender }: ApiResponse<"GET /campaigns/{id}">): Read[] {
  if (state !== "draft" && state !== "scheduled") return [];
  return [
    read("POST /campaigns/{id}/review", { params: { id } }),
    read("GET /senders/{id}", { params: { id: sender } }),
  ];
}

/**
 * Calls of each page without filters, as the page makes them: a response serves the call that asks
 * for exactly the same.
 */
const pageReads: readonly PageEntry<(id: string) => Read[]>[] = [
  ["/", () => [
    list("GET /destinations", { limit: whole }),
    list("GET /journeys", { limit: 5, state: "running" }),
    read("GET /senders", {}),
    read("GET /campaigns", { query: { state: "sending", limit: 5 } }),
    read("GET /usage", { query: resolveRange({}) }),
  ]],
  ["/events", () => [list("GET /events")]],
  ["/catalogue", () => [list("GET /catalogue", { service: false, sort: "volume" })]],
  ["/explore", () => [
    list("GET /event-types", { limit: whole }),
    list("GET /views", { list: "explore", limit: whole }),
    list("GET /members", { limit: whole }),
    read("GET /catalogue", { query: { service: false, sort: "volume", limit: 1 } }),
  ]],
  ["/customers", () => [list("GET /customers", newest)]],
  ["/segments", () => [list("GET /segments", newest)]],
  ["/journeys", () => [list("GET /journeys", newest)]],
  ["/campaigns", () => [
    list("GET /campaigns", newest),
    list("GET /segments", { limit: whole }),
    list("GET /senders", { limit: whole }),
  ]],
  ["/templates", () => [list("GET /templates", newest)]],
  ["/topics", () => [list("GET /topics", newest)]],
  ["/senders", () => [list("GET /senders", newest)]],
  ["/sends", () => [list("GET /sends", newest)]],
  ["/suppressions", () => [list("GET /suppressions")]],
  ["/sources", () => [list("GET /sources", newest)]],
  ["/rejected", () => [list("GET /rejected-entries", newest)]],
  ["/destinations", () => [list("GET /destinations", newest)]],
  ["/messages", () => [list("GET /messages"), list("GET /destinations", { limit: whole })]],
  ["/deliveries", () => [list("GET /deliveries", newest)]],
  ["/alerts", () => [list("GET /alerts"), list("GET /alert-rules")]],
  ["/settings/api-keys", () => [list("GET /api-keys")]],
  ["/settings/team", () => [list("GET /members")]],
  ["/settings/usage", () => [read("GET /usage", { query: resolveRange({}, "30d") })]],
  ["/settings/audit-log", () => [list("GET /audit-log", newest)]],
  ["/customers/$id", (id) => [
    read("GET /customers/{id}", { params: { id } }),
    read("GET /customers/{id}/events", { params: { id }, query: { limit: pageSize } }),
    read("GET /customers/{id}/topics", { params: { id } }),
    read("GET /sends/explain", { query: { customer_id: id } }),
  ]],
  ["/segments/$id", (id) => [
    read("GET /segments/{id}", { params: { id } }),
    read("GET /segments/{id}/customers", { params: { id }, query: { limit: pageSize } }),
  ]],
  ["/segments/$id/edit", (id) => [read("GET /segments/{id}", { params: { id } })]],
  ["/campaigns/$id", (id) => [
    { ...read("GET /campaigns/{id}", { params: { id } }), next: readReview },
  ]],
  ["/campaigns/$id/edit", (id) => [read("GET /campaigns/{id}", { params: { id } })]],
  ["/templates/$id", (id) => [read("GET /templates/{id}", { params: { id } })]],
  ["/journeys/$id", (id) => [
    { ...read("GET /journeys/{id}", { params: { id } }), next: readLiveView },
  ]],
  ["/senders/$id", (id) => [
    read("GET /senders/{id}", { params: { id } }),
    read("GET /senders/{id}/stats", { params: { id }, query: resolveRange({}) }),
  ]],
  ["/sends/$id", (id) => [read("GET /sends/{id}", { params: { id } })]],
  ["/sources/$id", (id) => [read("GET /sources/{id}", { params: { id } })]],
  ["/destinations/$id", (id) => [
    read("GET /destinations/{id}", { params: { id } }),
    read("GET /destinations/{id}/stats", { params: { id }, query: resolveRange({}) }),
    read("GET /deliveries", { query: { limit: 10, destination_id: id } }),
  ]],
  ["/deliveries/$id", (id) => [read("GET /deliveries/{id}", { params: { id } })]],
];

function isId(value: string | undefined): boolean {
  return value !== undefined && /^[0-9a-f-]{36}$/.test(value);
}

/** Returns the workspace of a page's path; undefined outside of any. */
export function workspaceOf(path: string): string | undefined {
  return /^\/w\/([^/]+)/.exec(path)?.[1];
}

/**
 * Lists what the page at a path of a workspace reads first. The filters in its address change all but
 * the resource that it is about.
 */
export function listReads(path: string, search: string): Read[] {
  const page = path.replace(/^\/w\/[^/]+/, "");
  const { value, params = [] } = matchPage(page, pageReads) ?? {};
  // Not a word, such as "new": that is another page.
  if (value === undefined || !params.every(isId)) return [];
  const reads = value(params[0] ?? "");
  const filters = Object.fromEntries(new URLSearchParams(search));
  const { shown, others } = readDrawer(page, filters);
  if (Object.keys(others).length === 0) return [...reads, ...shown];
  const items = reads.filter(({ route }) => route.endsWith("/{id}"));
  return [
    ...items.map(({ next: _, ...only }) => only),
    ...readFiltered(page, others, params[0] ?? ""),
    ...shown,
  ];
}

const readEvent = (id: string) => [
  read("GET /events/{id}", { params: { id } }),
  read("GET /events/{id}/deliveries", { params: { id } }),
];

/** Reads what the drawer of a page shows, by the filter that names it. The page below stays the same. */
const drawers: readonly (readonly [filter: string, page: string, reads: (id: string) => Read[]])[] =
  [
    ["event", "/events", readEvent],
    ["event", "/customers/$id", readEvent],
    ["message", "/messages", (id) => [read("GET /messages/{id}", { params: { id } })]],
    ["entry", "/rejected", (id) => [read("GET /rejected-entries/{id}", { params: { id } })]],
    ["run", "/journeys/$id", (id) => [read("GET /runs/{id}", { params: { id } })]],
  ];

type Filters = Record<string, string>;

/** Splits the filters of a page into the item that its drawer shows, and the others. */
function readDrawer(page: string, filters: Filters): { shown: Read[]; others: Filters } {
  const drawer = drawers.find(([filter, path]) =>
    isId(filters[filter]) && matchPage(page, [[path, true]]) !== undefined
  );
  if (drawer === undefined) return { shown: [], others: filters };
  const [filter, , readItems] = drawer;
  const { [filter]: id = "", ...others } = filters;
  return { shown: readItems(id), others };
}

/** Lists whose filters take the database longer, or that show first only with them. */
function readFiltered(page: string, filters: Filters, id: string): Read[] {
  const { filter, tab } = filters;
  if (Object.keys(filters).length > 1) return [];
  // The database reads until enough match, which takes longer than any other list.
  if (page === "/customers" && filter !== undefined) {
    return [list("GET /customers", { filter, count: false })];
  }
  if (matchPage(page, [["/journeys/$id", true]]) && tab === "runs") {
    const query = { limit: pageSize };
    const params = { id };
    return [
      read("GET /journeys/{id}/runs", { params, query }),
      read("GET /journeys/{id}/versions", { params, query }),
    ];
  }
  return [];
}
