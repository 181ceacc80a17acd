-- Purpose: the identifies and aliases of a batch, entry by entry, and the messages about them.
-- Locks:   none beyond those the batch holds already.

create or replace function private.read_steps(
  p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_created private.created_identity[]
)
returns setof private.ingest_step
language plpgsql
volatile
security invoker
set search_path = ''
-- Created ids are joined by hash: a nested loop would be the product of the batch with itself.
set enable_nestloop = 'off'
as $$
begin
  return query
  select
    c.ordinality::integer, c.workspace_id, c.kind, coalesce(k.i = c.ordinality, false), c.external_id, n.value,
    x.id, case when k.i is null or k.i <= c.ordinality then x.customer_id end,
    o.id, case when l.i is null or l.i <= c.ordinality then o.customer_id end,
    coalesce(l.i = c.ordinality and c.external_id is not null, false), l.last_i,
    c.profile, c.attributes, false, null::text, null::text, null::text
  from rows from (
    unnest(p_entries), jsonb_to_recordset(p_inputs) as (profile jsonb, attributes jsonb)
  ) with ordinality as c
  left join lateral (
    select d.id, d.customer_id
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.kind = 'external' and d.value = c.external_id
    limit 1
  ) as x on true
  cross join lateral (
    select
      case c.kind when 'identify' then 'anon' else 'external' end as kind,
      case c.kind when 'identify' then c.anon_id else c.previous_id end as value
  ) as n
  left join lateral (
    select d.id, d.customer_id
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.kind = n.kind and d.value = n.value
    limit 1
  ) as o on true
  left join unnest(p_created) as k on k.identity_id = x.id
  left join unnest(p_created) as l on l.identity_id = o.id
  where c.kind <> 'event' and not c.is_duplicate and c.repeats is null and c.refused_code is null
  order by c.ordinality;
end
$$;
comment on function private.read_steps(private.ingest_entry[], jsonb, private.created_identity[]) is
  'The identifies and aliases of the batch in its order, each with the ids that it finds. An entry does not see what a later one created.';

create or replace function private.is_identified(p_workspace_id uuid, p_customer_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return exists (
    select
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id and i.kind = 'external'
  );
end
$$;
comment on function private.is_identified(uuid, uuid) is
  'True when an external id leads to the customer.';

create or replace function private.customer_messages(
  p_changes private.customer_change[],
  p_subscriptions private.subscription[]
)
returns private.new_message[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_nestloop = 'off'
as $$
declare
  v_fields constant text[] := array_append(private.profile_fields(), 'attributes');
begin
  return array(
    with wanted as materialized (
      select distinct s.workspace_id, s.event_type from unnest(p_subscriptions) as s
    ),
    due as materialized (
      select c.workspace_id, c.customer_id, c.i, m.position, m.event_type, m.merged, c.changed,
        row_number() over (partition by c.workspace_id, c.customer_id, m.event_type order by c.i) as nth
      from unnest(p_changes) as c
      cross join lateral (
        values
          (1, 'customer.created', c.is_created, null::jsonb),
          (2, 'customer.merged', c.merged is not null, c.merged),
          (3, 'customer.updated', cardinality(c.changed) > 0 and not c.is_created, null)
      ) as m (position, event_type, is_due, merged)
      join wanted as w on w.workspace_id = c.workspace_id and w.event_type = m.event_type
      where m.is_due
    ),
    told as materialized (
      select
        d.workspace_id, d.customer_id, d.event_type, d.position, max(d.i) as i, d.merged,
        string_to_array(string_agg(array_to_string(d.changed, ','), ','), ',') as changed
      from due as d
      group by d.workspace_id, d.customer_id, d.event_type, d.position, d.merged,
        case when d.event_type = 'customer.updated' then least(d.nth, 11) else d.nth end
    ),
    documents as materialized (
      select w.workspace_id, d.customer_id, d.document
      from (
        select t.workspace_id, array_agg(distinct t.customer_id) as customer_ids
        from told as t
        group by t.workspace_id
      ) as w
      cross join lateral private.customer_documents(w.workspace_id, w.customer_ids) as d
    )
    select row(
      t.workspace_id, t.event_type,
      jsonb_build_object('customer', d.document)
        || case t.event_type
             when 'customer.merged' then jsonb_build_object('merged', t.merged)
             when 'customer.updated' then jsonb_build_object('changed', array(
               select f.name from unnest(v_fields) as f (name) where f.name = any (t.changed)
             ))
             else '{}'
           end,
      t.customer_id, null
    )::private.new_message
    from told as t
    join documents as d on d.workspace_id = t.workspace_id and d.customer_id = t.customer_id
    order by t.i, t.position
  );
end
$$;
comment on function private.customer_messages(private.customer_change[], private.subscription[]) is
  'The messages about changes of customers that a destination wants: created, merged, updated, each with the customer as it is now. The eleventh update of a customer and all later ones become one message.';

create or replace function private.unlink_identity(p_step private.ingest_step, p_at timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_customer_id uuid;
begin
  if p_step.last_i = p_step.i then
    delete from public.identities as d
    where d.workspace_id = p_step.workspace_id and d.id = p_step.other_identity_id;
    return;
  end if;
  -- A later entry of the batch uses it, and finds the customer that it would have created.
  insert into public.customers (workspace_id, created_at, updated_at, last_seen_at)
  values (p_step.workspace_id, p_at, p_at, p_at)
  returning id into v_customer_id;
  insert into private.usage_deltas (workspace_id, at, customers)
  values (p_step.workspace_id, p_at, 1);
  update public.identities as d
  set customer_id = v_customer_id
  where d.workspace_id = p_step.workspace_id and d.id = p_step.other_identity_id;
end
$$;
comment on function private.unlink_identity(private.ingest_step, timestamptz) is
  'Takes back the anonymous id that a refused identify has led to its customer.';

create or replace function private.take_changes(
  inout p_changes private.customer_change[],
  p_customer public.customers,
  p_subscriptions private.subscription[],
  out o_told private.new_message[]
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_own private.customer_change[] := array(
    select c from unnest(p_changes) as c where c.customer_id = p_customer.id
  );
begin
  o_told := '{}';
  if cardinality(v_own) > 0 then
    perform private.write_customers(array[p_customer]);
    o_told := private.customer_messages(v_own, p_subscriptions);
    p_changes := array(select c from unnest(p_changes) as c where c.customer_id <> p_customer.id);
  end if;
end
$$;
comment on function private.take_changes(private.customer_change[], public.customers, private.subscription[]) is
  'The messages about changes of a customer who is about to be merged away, and the changes of all others.';
