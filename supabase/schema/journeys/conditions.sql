-- Purpose: leaves of conditions about journeys: who is in one, completed it, or ever entered it.

create or replace function private.journey_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select exists (%s) as holds, ''infinity''::timestamptz as until, null::jsonb as fact',
    format(
      case p_leaf ->> 'state'
        when 'active' then
          'select from public.journey_runs as r
           where r.workspace_id = $1 and r.customer_id = c.id and r.journey_id = %L::uuid and r.state = ''active'''
        when 'completed' then
          'select from public.journey_runs as r
           where r.workspace_id = $1 and r.customer_id = c.id and r.journey_id = %L::uuid
             and r.reason in (''completed'', ''goal'')'
        else
          'select from private.journey_entries as r
           where r.workspace_id = $1 and r.customer_id = c.id and r.journey_id = %L::uuid'
      end,
      p_leaf ->> 'journey'
    )
  )
$$;
comment on function private.journey_sql(jsonb) is
  'SQL of a leaf about a journey: the customer is active in it, completed it (or reached its goal), or ever entered it.';

create or replace function private.find_journey_id(p_workspace_id uuid, p_ref text, p_path text)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_id uuid := (
    select j.id
    from public.journeys as j
    where j.workspace_id = p_workspace_id and (j.key = p_ref or j.id::text = lower(p_ref))
    order by j.id::text = lower(p_ref) desc
    limit 1
  );
begin
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a journey: none has the id or key "%s"', p_ref),
      column = p_path || '.journey';
  end if;
  return v_id;
end
$$;
comment on function private.find_journey_id(uuid, text, text) is
  'The journey with this id or key; SP400 with the path of the leaf when there is none.';

create or replace function private.note_runs(p_workspace_id uuid, p_runs public.journey_runs[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.signals (workspace_id, kind, customer_id, depth)
  select p_workspace_id, 'profile', r.customer_id, max(r.depth) + 1
  from unnest(p_runs) as r
  where exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'field' and p.ref = 'journey'
  ) or exists (
    select from private.journey_interests as i
    where i.workspace_id = p_workspace_id and i.role = 'run' and i.kind = 'profile' and i.ref = 'journey'
  )
  group by r.customer_id;
  if found then
    perform private.wake_folder();
  end if;
end
$$;
comment on function private.note_runs(uuid, public.journey_runs[]) is
  'Notes for the next fold that runs began or ended, if a segment or the end of a run depends on journeys.';
