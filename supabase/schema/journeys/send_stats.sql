-- Purpose: the outcomes of the sends of journeys, counted as their rows change.
-- Locks:   none: rows are only added.

create or replace function private.count_journey_sends()
returns trigger
language plpgsql
volatile
-- Definer: the roles that change sends may not write the figures.
security definer
set search_path = ''
as $$
begin
  if not exists (select from added as a where a.journey_id is not null) then
    return null;
  end if;
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select s.workspace_id, s.journey_id, r.version, s.step, s.kind, sum(s.sign)
  from (
    select c.workspace_id, c.journey_id, c.run_id, c.step, c.kind, sum(c.sign) as sign
    from (
      select a.workspace_id, a.journey_id, a.run_id, a.step, k.kind, 1 as sign
      from added as a
      cross join lateral (
        select s.kind from private.send_kinds(a.state, a.reason, a.feedback) as s (kind)
        union all
        select e.kind
        from (
          values ('opened', a.opened_at), ('clicked', a.clicked_at), ('unsubscribed', a.unsubscribed_at)
        ) as e (kind, at)
        where e.at is not null
      ) as k
      where a.journey_id is not null and a.purpose = 'message'
      union all
      select b.workspace_id, b.journey_id, b.run_id, b.step, k.kind, -1
      from removed as b
      cross join lateral (
        select s.kind from private.send_kinds(b.state, b.reason, b.feedback) as s (kind)
        union all
        select e.kind
        from (
          values ('opened', b.opened_at), ('clicked', b.clicked_at), ('unsubscribed', b.unsubscribed_at)
        ) as e (kind, at)
        where e.at is not null
      ) as k
      where b.journey_id is not null and b.purpose = 'message'
    ) as c
    group by 1, 2, 3, 4, 5
    having sum(c.sign) <> 0
  ) as s
  -- Only what changed: the version is looked up by run.
  cross join lateral (
    select n.version from public.journey_runs as n
    where n.workspace_id = s.workspace_id and n.id = s.run_id
    limit 1
  ) as r
  group by 1, 2, 3, 4, 5;
  return null;
end
$$;
comment on function private.count_journey_sends() is
  'Adds the changes that a statement makes to the outcomes of sends to the figures of their journeys'' steps.';
