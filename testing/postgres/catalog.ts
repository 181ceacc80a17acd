import type postgres from "postgres";

/** A table, view or sequence of ours, as `schema.name`. */
export interface Relation {
  schema: string;
  name: string;
  kind: "table" | "view" | "sequence";
  /** Its first column. */
  column: string;
}

/** A function of ours, and a call of it with nulls. */
export interface Routine {
  schema: string;
  name: string;
  call: string;
}

/** Every relation in our schemas, partitions too. */
export async function listRelations(sql: postgres.Sql): Promise<Relation[]> {
  return await sql<Relation[]>`
    select
      n.nspname as schema,
      c.relname as name,
      case
        when c.relkind in ('r', 'p') then 'table'
        when c.relkind in ('v', 'm') then 'view'
        else 'sequence'
      end as kind,
      (
        select a.attname from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum limit 1
      ) as column
    from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'ops') and c.relkind in ('r', 'p', 'v', 'm', 'S')
    order by 1, 2`;
}

/** Every function in our schemas, including trigger functions. */
export async function listRoutines(sql: postgres.Sql): Promise<Routine[]> {
  return await sql<Routine[]>`
    select
      n.nspname as schema,
      p.proname as name,
      format('select %I.%I(%s)', n.nspname, p.proname, (
        select string_agg('null::' || format_type(t.type, null), ', ' order by t.place)
        from unnest(p.proargtypes::oid[]) with ordinality as t (type, place)
      )) as call
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private', 'ops')
    order by 1, 2`;
}
