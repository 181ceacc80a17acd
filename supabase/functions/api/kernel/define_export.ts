import { z } from "zod";
import { oneOf, type paging } from "../contract/fields.ts";
import { type ExportFormat, exportFormats, formatRows } from "./export_formats.ts";
import type { Page } from "./http_page.ts";
import type { ApiRoute, Call, RouteType } from "./route.ts";

/** Rows of one read: as many as the largest page of a list. */
const pageRows = 200;

const format = oneOf(["csv", "ndjson"]).default("csv");

type ListQuery = z.ZodObject<typeof paging>;
type ListResponse = z.ZodObject<{ data: z.ZodArray<z.ZodObject>; next_cursor: z.ZodType }>;
type ExportQuery<Query extends ListQuery> = z.ZodObject<
  Omit<Query["shape"], keyof typeof paging> & { format: typeof format },
  z.core.$strict
>;
type ListRoute<Params, Query, Response> = RouteType<
  "GET",
  `/${string}`,
  Params,
  Query,
  undefined,
  Response,
  undefined
>;

interface ExportSpec<Path extends `/${string}`> {
  operationId: string;
  path: Path;
  summary: string;
  /** Returns the file's name without its ending. */
  nameFile: (call: { params: Readonly<Record<string, unknown>> }) => string;
}

/**
 * Makes the route that exports a list: with the filters, the rights and the order of the list, as
 * CSV or NDJSON, in any number of rows. Each page is read when the caller has received the one
 * before it, in a transaction of its own, and none after the caller has left. The columns of a CSV
 * are the fields of the list's rows.
 */
export function defineExport<
  const Path extends `/${string}`,
  Params extends z.ZodObject | undefined,
  Query extends ListQuery,
  Response extends ListResponse,
>(
  list: ListRoute<Params, Query, Response>,
  { nameFile, ...spec }: ExportSpec<Path>,
) {
  const route = list as unknown as ApiRoute;
  const columns = Object.keys(list.response.shape.data.element.shape);
  const { tag, scopes, leastRole, params, entity } = route;
  const made: ApiRoute = {
    ...spec,
    method: "GET",
    tag,
    description: `${route.description ? `${route.description} ` : ""}Uses the filters of the ` +
      "list. Returns CSV, or one JSON object per line. In CSV, a cell that a spreadsheet would " +
      'run as a formula begins with "\'", and lists and objects are JSON. Rows that are added or ' +
      "changed during the export may be missing or included.",
    scopes,
    leastRole,
    ...(params && entity ? { params, entity } : {}),
    query: withoutPaging(list.query),
    status: 200,
    streams: Object.values(exportFormats).map(({ mediaType }) => mediaType),
    handle(call) {
      const { format, ...query } = call.query as { format: ExportFormat };
      return Promise.resolve({
        mediaType: exportFormats[format].mediaType,
        fileName: `${nameFile(call)}.${format}`,
        parts: formatRows({ format, columns }, readPages(route, { ...call, query })),
      });
    },
  };
  return made as unknown as RouteType<
    "GET",
    Path,
    Params,
    ExportQuery<Query>,
    undefined,
    undefined,
    readonly string[]
  >;
}

/** Returns the filters of a list, with what it checks about them together, and the format. */
function withoutPaging({ shape, def }: ListQuery): z.ZodObject {
  const { limit: _limit, cursor: _cursor, ...filters } = shape;
  const checks = (def.checks ?? []) as z.core.$ZodCheck<object>[];
  return z.strictObject({ ...filters, format }).check(...checks);
}

async function* readPages(list: ApiRoute, call: Call): AsyncGenerator<Record<string, unknown>[]> {
  let cursor: string | undefined;
  do {
    const query = { ...call.query, limit: pageRows, cursor };
    const page = await call.readLater((tx) =>
      list.handle({ ...call, tx, query, isExport: true })
    ) as Page<Record<string, unknown>>;
    yield page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
