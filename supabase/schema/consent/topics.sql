-- Purpose: topics, and how many addresses joined and left each.

create or replace function private.stamp_topic()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
comment on function private.stamp_topic() is 'Keeps updated_at of a topic.';

create or replace function private.forget_topic()
returns trigger
language plpgsql
volatile
-- Definer: a caller that deletes a topic may not write the consents.
security definer
set search_path = ''
as $$
begin
  delete from private.consents as c
  where c.workspace_id = old.workspace_id and c.topic_id = old.id;
  delete from private.topic_counts as c
  where c.workspace_id = old.workspace_id and c.topic_id = old.id;
  return null;
end
$$;
comment on function private.forget_topic() is
  'Deletes the consents and counts of a deleted topic.';

create or replace function private.count_consents()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
    select
      a.workspace_id, a.topic_id, count(*) filter (where a.subscribed),
      count(*) filter (where not a.subscribed)
    from added as a
    group by a.workspace_id, a.topic_id;
    return null;
  end if;
  insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
  select c.workspace_id, c.topic_id, sum(c.subscribed), sum(c.unsubscribed)
  from (
    select a.workspace_id, a.topic_id, a.subscribed::integer, (not a.subscribed)::integer
    from added as a
    union all
    select r.workspace_id, r.topic_id, -r.subscribed::integer, -(not r.subscribed)::integer
    from removed as r
  ) as c (workspace_id, topic_id, subscribed, unsubscribed)
  group by c.workspace_id, c.topic_id
  having sum(c.subscribed) <> 0 or sum(c.unsubscribed) <> 0;
  return null;
end
$$;
comment on function private.count_consents() is
  'Appends the changes that a statement makes to the counts of each topic.';

create or replace function private.fold_topic_counts()
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from private.topic_counts as c
    using (
      select t.workspace_id, t.topic_id
      from private.topic_counts as t
      group by t.workspace_id, t.topic_id
      having count(*) > 1
    ) as k
    where c.workspace_id = k.workspace_id and c.topic_id = k.topic_id
    returning c.*
  ),
  folded as (
    insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
    select g.workspace_id, g.topic_id, sum(g.subscribed), sum(g.unsubscribed)
    from gone as g
    group by g.workspace_id, g.topic_id
    returning 1
  )
  select count(*)::integer from folded
$$;
comment on function private.fold_topic_counts() is
  'Adds up the counts of each topic, so that each topic has one row, and returns the number of topics.';
