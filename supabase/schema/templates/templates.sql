-- Purpose: templates of messages.

create or replace function private.stamp_template()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if new is distinct from old then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$$;
comment on function private.stamp_template() is 'Keeps updated_at of a template.';

create or replace function private.retire_versions()
returns trigger
language plpgsql
volatile
-- Definer: members delete templates, and may not change versions.
security definer
set search_path = ''
as $$
begin
  update public.template_versions as v
  set retired_at = clock_timestamp()
  where v.workspace_id = old.workspace_id and v.template_id = old.id;
  return null;
end
$$;
comment on function private.retire_versions() is
  'Keeps the versions of a deleted template for the messages that were made from it.';

create or replace function private.delete_retired_versions(
  p_limit integer,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with gone as (
    delete from public.template_versions as v
    using (
      select r.workspace_id, r.template_id, r.version
      from public.template_versions as r
      where r.retired_at < p_now - (
          select p.keep from private.partition_policies as p where p.table_name = 'sends'
        )
        and not exists (
          select from public.sends as s
          where s.workspace_id = r.workspace_id and s.template_id = r.template_id
        )
      order by r.retired_at
      limit p_limit
      for update skip locked
    ) as e
    where v.workspace_id = e.workspace_id and v.template_id = e.template_id and v.version = e.version
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_retired_versions(integer, timestamptz) is
  'Deletes up to p_limit versions of deleted templates once their messages are deleted and returns the number deleted. Runs every hour.';
