-- Purpose: what the definition of a journey names: checked before it is published.

create or replace function private.find_references(p_workspace_id uuid, p_refs jsonb)
returns table (kind text, name text, id uuid, has_unsubscribe boolean)
language plpgsql
stable
-- Definer: writers of journeys may name resources without the scopes that read them.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if not private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write']) then
    return;
  end if;
  return query
  select r.kind, r.name, f.id, f.has_unsubscribe
  from jsonb_to_recordset(p_refs) as r (kind text, name text, ref_id uuid)
  cross join lateral (
    select t.id, v.has_unsubscribe
    from public.templates as t
    join public.template_versions as v
      on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
    where r.kind = 'template' and t.workspace_id = p_workspace_id
      and (t.key = r.name or t.id = r.ref_id)
    union all
    select s.id, null
    from public.senders as s
    where r.kind = 'sender' and s.workspace_id = p_workspace_id
      and (s.key = r.name or s.id = r.ref_id)
    union all
    select t.id, null
    from public.topics as t
    where r.kind = 'topic' and t.workspace_id = p_workspace_id
      and (t.key = r.name or t.id = r.ref_id)
    union all
    select s.id, null
    from public.segments as s
    where r.kind = 'segment' and s.workspace_id = p_workspace_id
      and (s.key = r.name or s.id = r.ref_id)
    union all
    select d.id, null
    from public.destinations as d
    where r.kind = 'destination' and d.workspace_id = p_workspace_id
      and d.id = r.ref_id
    union all
    select j.id, null
    from public.journeys as j
    where r.kind = 'journey' and j.workspace_id = p_workspace_id
      and (j.key = r.name or j.id = r.ref_id)
  ) as f;
end
$$;
comment on function private.find_references(uuid, jsonb) is
  'For each { "kind", "name", "ref_id" (the name, if it is an id) } the resource that has the name as its id or key, and for a template whether its body has a link to unsubscribe. Returns nothing for a name that no resource has.';
grant execute on function private.find_references(uuid, jsonb) to signalpost_user, signalpost_key;
