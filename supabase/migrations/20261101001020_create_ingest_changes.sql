-- Purpose: what identifies and aliases of a batch change, entry by entry, and the messages about it.
-- Locks:   none beyond those the batch holds already.
-- Risk:    none.
-- Undo:    drop the functions.

create function private.known_customer(
  p_workspace_id uuid,
  p_kind text,
  p_value text,
  p_i integer,
  p_created private.created_identity[]
)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return (
    select i.customer_id
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.kind = p_kind and i.value = p_value
      -- What a later entry of the batch created, an earlier one does not know.
      and not exists (select from unnest(p_created) as c where c.identity_id = i.id and c.i > p_i)
  );
end
$$;
comment on function private.known_customer(uuid, text, text, integer, private.created_identity[]) is
  'The customer an id leads to as the entry at position p_i of the batch finds it; null when unknown.';

create function private.is_identified(p_workspace_id uuid, p_customer_id uuid)
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
  'Whether an external id leads to the customer.';

create function private.customer_messages(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_is_created boolean,
  p_merged jsonb,
  p_changed text[]
)
returns private.new_message[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_document jsonb := (
    select d.document
    from private.customer_documents(p_workspace_id, array[p_customer_id]) as d
  );
  v_customer jsonb := jsonb_build_object('customer', v_document);
begin
  return array(
    select row(p_workspace_id, m.event_type, m.payload, p_customer_id, null)::private.new_message
    from (
      values
        (1, p_is_created, 'customer.created', v_customer),
        (
          2, p_merged is not null, 'customer.merged',
          v_customer || jsonb_build_object('merged', p_merged)
        ),
        (
          3, cardinality(p_changed) > 0 and not p_is_created, 'customer.updated',
          v_customer || jsonb_build_object('changed', to_jsonb(p_changed))
        )
    ) as m (position, is_due, event_type, payload)
    where m.is_due
    order by m.position
  );
end
$$;
comment on function private.customer_messages(uuid, uuid, boolean, jsonb, text[]) is
  'The messages a call on a customer gives rise to: created, merged, updated.';

create function private.apply_calls(
  inout p_calls private.ingest_call[],
  p_entries jsonb,
  p_created private.created_identity[],
  p_listening uuid[],
  p_at timestamptz,
  out o_messages private.new_message[]
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- An identify with both ids may create its anonymous one too; only the external one is news.
  v_creators integer[] := array(select c.i from unnest(p_created) as c where c.kind = 'external');
  v_call private.ingest_call;
  v_customer_id uuid;
  v_other_id uuid;
  v_merged jsonb;
  v_changed text[];
begin
  for v_i in 1 .. cardinality(p_calls) loop
    v_call := p_calls[v_i];
    continue when v_call.is_duplicate or v_call.repeats is not null
      or (v_call.kind = 'event' and v_i <> all (v_creators));
    v_merged := null;
    v_changed := '{}';
    v_customer_id := private.known_customer(
      v_call.workspace_id, 'external', v_call.external_id, v_i, p_created
    );

    if v_call.kind = 'alias' then
      v_other_id := private.known_customer(
        v_call.workspace_id, 'external', v_call.previous_id, v_i, p_created
      );
      if v_customer_id is null or v_other_id is null then
        v_call.unknown_field := case when v_customer_id is null then 'external_id' else 'previous_id' end;
        p_calls[v_i] := v_call;
        continue;
      end if;
    elsif v_call.kind = 'identify' then
      v_other_id := private.known_customer(
        v_call.workspace_id, 'anon', v_call.anon_id, v_i, p_created
      );
      v_customer_id := coalesce(v_customer_id, v_other_id);
    else
      v_other_id := v_customer_id;
    end if;

    if v_call.kind = 'identify' and v_other_id <> v_customer_id
      and private.is_identified(v_call.workspace_id, v_other_id)
    then
      v_call.unmerged_reason := 'anon_id_belongs_to_another_customer';
      p_calls[v_i] := v_call;
    elsif v_other_id <> v_customer_id then
      v_merged := private.merge_customers(
        v_call.workspace_id, v_customer_id, v_other_id, v_call.kind, p_at
      );
    end if;
    if v_call.kind = 'identify' then
      v_changed := private.change_profile(
        v_call.workspace_id, v_customer_id,
        p_entries -> (v_i - 1) -> 'profile', p_entries -> (v_i - 1) -> 'attributes', p_at
      );
    end if;

    if v_call.workspace_id = any (p_listening) then
      o_messages := o_messages || private.customer_messages(
        v_call.workspace_id, v_customer_id, v_i = any (v_creators), v_merged, v_changed
      );
    end if;
  end loop;
end
$$;
comment on function private.apply_calls(private.ingest_call[], jsonb, private.created_identity[], uuid[], timestamptz) is
  'Applies identifies and aliases one after the other in the order of the batch: merges, profile changes, and the messages that tell of them to the listening workspaces.';
