import type { ViewedList } from "../../contract/views.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** A saved view as the api returns it. */
export interface View {
  id: string;
  list: ViewedList;
  name: string;
  filters: Record<string, string>;
  columns: string[] | null;
  board: string | null;
  created_by: string | null;
  created_at: string;
  updated_at: string;
}

export interface ViewKey {
  workspaceId: string;
  viewId: string;
}

/** Lists views, newest first; with `list`, those of one list. */
export async function listViews(
  tx: CallerSql,
  { workspaceId, list, limit, after }: PageRequest & {
    workspaceId: string;
    list?: string | undefined;
  },
): Promise<View[]> {
  return await tx<View[]>`
    ${selectViews(tx)}
    where v.workspace_id = ${workspaceId} and v.id < ${after?.[0] ?? lastUuid}
      ${list === undefined ? tx`` : tx`and v.list = ${list}`}
    order by v.id desc
    limit ${limit + 1}
  `;
}

/** Returns one view, or undefined if the caller cannot see it. */
export async function findView(
  tx: CallerSql,
  { workspaceId, viewId }: ViewKey,
): Promise<View | undefined> {
  const rows = await tx<View[]>`
    ${selectViews(tx)}
    where v.workspace_id = ${workspaceId} and v.id = ${viewId}
  `;
  return rows[0];
}

function selectViews(tx: CallerSql) {
  return tx`
    select
      v.id, v.list, v.name, v.filters, to_jsonb(v.columns) as columns, v.board, v.created_by,
      private.rfc3339(v.created_at) as created_at, private.rfc3339(v.updated_at) as updated_at
    from public.views as v
  `;
}

/** Fields that members may set; an omitted field keeps its value. */
export interface ViewFields {
  name?: string | undefined;
  filters?: Record<string, string> | undefined;
  columns?: string[] | null | undefined;
  board?: string | null | undefined;
}

interface NewView {
  workspaceId: string;
  list: string;
  /** Null for a key. */
  userId: string | null;
  fields: ViewFields;
}

/** Creates a view; returns its id, or undefined if the list has one with this name in any case. */
export async function insertView(
  tx: CallerSql,
  { workspaceId, list, userId, fields: { name = "", filters = {}, columns, board } }: NewView,
): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`
    insert into public.views (workspace_id, list, name, filters, columns, board, created_by)
    values (
      ${workspaceId}, ${list}, ${name}, ${JSON.stringify(filters)}::text::jsonb,
      ${writeColumns(tx, columns ?? null)}, ${board ?? null}, ${userId}
    )
    on conflict (workspace_id, list, lower(name)) do nothing
    returning id
  `;
  return rows[0]?.id;
}

/**
 * Changes the given fields; false if the view does not exist.
 *
 * @throws {Error} unique_violation if the list has another view with this name in any case.
 */
export async function changeView(
  tx: CallerSql,
  { workspaceId, viewId, fields: { name, filters, columns, board } }: ViewKey & {
    fields: ViewFields;
  },
): Promise<boolean> {
  const changed = await tx`
    update public.views as v
    set
      name = coalesce(${name ?? null}, v.name),
      filters = ${
    filters === undefined ? tx`v.filters` : tx`${JSON.stringify(filters)}::text::jsonb`
  },
      columns = ${columns === undefined ? tx`v.columns` : writeColumns(tx, columns)},
      board = ${board === undefined ? tx`v.board` : tx`${board}::text`},
      updated_at = clock_timestamp()
    where v.workspace_id = ${workspaceId} and v.id = ${viewId}
  `;
  return changed.count > 0;
}

/** Deletes a view; returns its list and name, or undefined without one. */
export async function removeView(
  tx: CallerSql,
  { workspaceId, viewId }: ViewKey,
): Promise<Pick<View, "list" | "name"> | undefined> {
  const rows = await tx<Pick<View, "list" | "name">[]>`
    delete from public.views as v
    where v.workspace_id = ${workspaceId} and v.id = ${viewId}
    returning v.list, v.name
  `;
  return rows[0];
}

function writeColumns(tx: CallerSql, columns: string[] | null) {
  if (columns === null) return tx`null`;
  return tx`
    array(
      select c.name
      from jsonb_array_elements_text(${JSON.stringify(columns)}::text::jsonb)
        with ordinality as c (name, position)
      order by c.position
    )
  `;
}
