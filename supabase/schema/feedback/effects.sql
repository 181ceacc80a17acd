-- Purpose: the effects of bounces, complaints and unsubscriptions that arrive as events.
-- Locks:   those of private.ingest, the sends, then addresses in the order of their hashes.

create or replace function private.count_soft_bounces(
  p_workspace_id uuid,
  p_address_hash bytea,
  p_at timestamptz
)
returns integer
language sql
stable
security invoker
set search_path = ''
as $$
  select count(*)::integer
  from public.sends as s
  where s.workspace_id = p_workspace_id and s.address_hash = p_address_hash
    -- A provider tries for some days before it reports.
    and s.queued_at > p_at - interval '14 days'
    and s.feedback = 'soft_bounced' and s.feedback_at > p_at - interval '7 days'
    -- These are about the message, not about the address.
    and coalesce(s.feedback_reason, '') not in (
      'message_too_large', 'content_refused', 'attachment_refused'
    )
    and not exists (
      select
      from public.sends as d
      where d.workspace_id = p_workspace_id and d.address_hash = p_address_hash
        and d.queued_at > p_at - interval '14 days'
        and d.feedback = 'delivered' and d.feedback_at >= s.feedback_at
    )
$$;
comment on function private.count_soft_bounces(uuid, bytea, timestamptz) is
  'The number of sends to an address that bounced softly in the 7 days before p_at and since the last delivery.';

create or replace function private.weigh_soft_bounces(
  p_workspace_id uuid,
  p_addresses text[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_address record;
begin
  for v_address in
    select h.hash, min(h.address) as address
    from (
      select a.address, private.address_hash(p_workspace_id, 'email', a.address) as hash
      from unnest(p_addresses) as a (address)
    ) as h
    where h.hash is not null
    group by h.hash
    order by h.hash
  loop
    -- Two bounces at once would each count without the other.
    perform pg_advisory_xact_lock(hashtextextended(encode(v_address.hash, 'hex'), 8));
    if private.count_soft_bounces(p_workspace_id, v_address.hash, p_now) >= 3 then
      perform private.suppress(p_workspace_id, jsonb_build_array(jsonb_build_object(
        'email', v_address.address, 'reason', 'soft_bounces', 'source', 'feedback',
        'until', p_now + interval '30 days'
      )), p_now);
    end if;
    -- A delivery may be reported after the bounces that it came between.
    delete from public.suppressions as s
    where s.workspace_id = p_workspace_id and s.channel = 'email'
      and s.address_hash = v_address.hash and s.reason = 'soft_bounces'
      and private.count_soft_bounces(p_workspace_id, v_address.hash, s.created_at) < 3;
  end loop;
end
$$;
comment on function private.weigh_soft_bounces(uuid, text[], timestamptz) is
  'Suppresses addresses for 30 days after three soft bounces in 7 days without a delivery in between, and lifts that if a delivery was reported late.';

create or replace function private.effect_address(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_properties jsonb
)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(
    case
      when jsonb_typeof(p_properties -> 'email') = 'string'
        and p_properties ->> 'email' ~ '^[^@\s"(),:;<>[\]\\]+@[^@\s"(),:;<>[\]\\]+$'
        and char_length(p_properties ->> 'email') <= 254
      then p_properties ->> 'email'
    end,
    (
      select c.email from public.customers as c
      where c.workspace_id = p_workspace_id and c.id = p_customer_id
    )
  )
$$;
comment on function private.effect_address(uuid, uuid, jsonb) is
  'The address that an event is about: its property email, else the customer''s; null without either.';

create or replace function private.find_tracked_send(
  p_workspace_id uuid,
  p_properties jsonb,
  p_address text
)
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select s.send_id
  from private.find_sends(p_workspace_id, jsonb_build_array(jsonb_build_object(
    'send_id', coalesce(
      substring(p_properties ->> 'send_id' from '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'),
      substring(p_properties ->> 'message_id' from '^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@')
    ),
    'provider_id', p_properties ->> 'message_id',
    'email', p_address,
    -- Without an address of its own, an event is about the send, even if the address has changed.
    'is_only', not p_properties ? 'email'
  ))) as s
$$;
comment on function private.find_tracked_send(uuid, jsonb, text) is
  'The send that a tracked bounce, complaint or delivery is about: by its properties send_id or message_id, else the newest to the address; null for none.';

create or replace function private.read_effects(p_inputs jsonb, p_results jsonb, p_now timestamptz)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'workspace_id', e.workspace_id,
    'customer_id', e.result -> 'customer_id',
    'send_id', case
      when e.effect ? 'send_id' then (e.effect ->> 'send_id')::uuid
      when e.name in ('email_bounced', 'email_complained', 'email_delivered')
        then private.find_tracked_send(e.workspace_id, e.properties, a.address)
    end,
    'outcome', case e.name
      when 'email_delivered' then 'delivered'
      when 'email_failed' then 'failed'
      when 'email_complained' then 'complained'
      when 'email_bounced' then
        case e.properties ->> 'bounce_type' when 'hard' then 'bounced' when 'soft' then 'soft_bounced' end
      when 'unsubscribed' then 'sent'
    end,
    'reason', e.properties ->> 'reason',
    'at', least(coalesce(e.occurred_at, p_now), p_now),
    'is_unsubscribed', e.name = 'unsubscribed',
    'topic', e.properties ->> 'topic',
    'source', case when e.effect ->> 'send_id' is not null then 'feedback' else 'event' end,
    'address', a.address
  )), '[]')
  from rows from (
    jsonb_to_recordset(p_inputs) as (
      workspace_id uuid, name text, occurred_at timestamptz, properties jsonb, effect jsonb
    ),
    jsonb_array_elements(p_results)
  ) as e (workspace_id, name, occurred_at, properties, effect, result)
  cross join lateral (
    select private.effect_address(
      e.workspace_id, (e.result ->> 'customer_id')::uuid,
      case
        when e.effect ? 'email'
          then e.properties || jsonb_build_object('email', e.effect -> 'email')
        else e.properties
      end
    ) as address
    offset 0
  ) as a
  where e.effect is not null and (e.result ->> 'ok')::boolean
    and not coalesce((e.result ->> 'duplicate')::boolean, false)
$$;
comment on function private.read_effects(jsonb, jsonb, timestamptz) is
  'The effects of those entries of a batch that have one and that this batch stored. The member send_id of an effect names its send; null means that there is none. Without the member, the send is looked up.';

create or replace function private.take_effects(p_effects jsonb, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_workspace record;
begin
  perform private.settle_sends(jsonb_path_query_array(p_effects, '$[*] ? (@.send_id != null && @.outcome != null)'), p_now);
  for v_workspace in
    select
      e.workspace_id,
      jsonb_agg(jsonb_build_object(
        'email', e.address, 'source', e.source, 'until', null, 'is_erased', e.is_erased,
        'reason', case e.outcome when 'complained' then 'complaint' else 'hard_bounce' end
      )) filter (where e.outcome in ('bounced', 'complained')) as suppressions,
      jsonb_agg(jsonb_build_object(
        'address', e.address, 'subscribed', false, 'source', 'event', 'topic_id', t.id
      )) filter (where e.is_unsubscribed) as changes,
      -- As if it had been said before the customer got another address.
      jsonb_agg(jsonb_build_object(
        'address', k.email, 'subscribed', false, 'source', 'address_change',
        'topic_id', t.id
      )) filter (where k.email is not null) as followed,
      array_agg(e.address) filter (
        where e.outcome in ('soft_bounced', 'delivered') and e.send_id is not null
      ) as weighed
    from jsonb_to_recordset(p_effects) as e (
      workspace_id uuid, customer_id uuid, send_id uuid, outcome text, is_unsubscribed boolean,
      topic text, source text, address text, is_erased boolean
    )
    -- An unknown topic must not keep somebody subscribed.
    left join public.topics as t
      on t.workspace_id = e.workspace_id and e.is_unsubscribed
      and (t.key = e.topic or t.id::text = e.topic)
    left join public.customers as k
      on k.workspace_id = e.workspace_id and k.id = e.customer_id
      and e.send_id is not null and (e.is_unsubscribed or e.outcome = 'complained')
      and private.normalize_address('email', k.email)
        <> private.normalize_address('email', e.address)
    where e.address is not null
    group by e.workspace_id
    order by e.workspace_id
  loop
    if v_workspace.suppressions is not null then
      perform private.suppress(v_workspace.workspace_id, v_workspace.suppressions, p_now);
    end if;
    if v_workspace.changes is not null then
      perform private.set_consents(v_workspace.workspace_id, v_workspace.changes, p_now);
    end if;
    if v_workspace.followed is not null then
      perform private.set_consents(v_workspace.workspace_id, v_workspace.followed, p_now);
    end if;
    if v_workspace.weighed is not null then
      perform private.weigh_soft_bounces(v_workspace.workspace_id, v_workspace.weighed, p_now);
    end if;
  end loop;
end
$$;
comment on function private.take_effects(jsonb, timestamptz) is
  'Settles sends, suppresses addresses and withdraws consent, as read by private.read_effects. A complaint or opt-out also counts for the address that the customer has by now.';

create or replace function private.erased_reports(p_inputs jsonb)
returns integer[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- As private.ingest: an erasure that has begun ends first.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(w))
  from (
    select distinct e.workspace_id
    from jsonb_to_recordset(p_inputs) as e (workspace_id uuid)
    order by 1
  ) as k (w);
  return array(
    select e.ordinality::integer
    from rows from (
      jsonb_to_recordset(p_inputs) as (
        workspace_id uuid, external_id text, anon_id text, properties jsonb, effect jsonb
      )
    ) with ordinality as e
    where e.effect ? 'send_id'
      and (
        e.effect ->> 'send_id' is not null
        or (e.effect ->> 'is_known_only')::boolean
        -- A report without our id only has the address.
        or exists (
          select from private.erased_sends as s
          where s.workspace_id = e.workspace_id
            and s.address_hash = private.address_hash(
              e.workspace_id, 'email', coalesce(e.effect ->> 'email', e.properties ->> 'email')
            )
        )
      )
      and not exists (
        select from public.identities as i
        where i.workspace_id = e.workspace_id
          and i.kind = case when e.external_id is null then 'anon' else 'external' end
          and i.value = coalesce(e.external_id, e.anon_id)
      )
    order by 1
  );
end
$$;
comment on function private.erased_reports(jsonb) is
  'Positions of the reports about a send, or without our id about an address, whose customer has been erased: to store them would bring the customer back. Keeps the other customers from being erased until the end of the transaction.';

create or replace function private.read_erased_effects(p_inputs jsonb, p_now timestamptz)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(jsonb_agg(e || '{"is_erased": true, "send_id": null}'), '[]')
  from jsonb_array_elements(private.read_effects(
    p_inputs,
    (select jsonb_agg('{"ok": true}'::jsonb) from jsonb_array_elements(p_inputs)),
    p_now
  )) as e
$$;
comment on function private.read_erased_effects(jsonb, timestamptz) is
  'The effects of reports about erased customers: on the addresses that they name, which are not kept.';

create or replace function private.ingest_reports(
  p_inputs text,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
volatile
-- Definer: as private.ingest.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_inputs jsonb := p_inputs::jsonb;
  v_erased integer[] := private.erased_reports(v_inputs);
  v_erased_inputs jsonb := '[]';
  v_results jsonb;
  v_effects jsonb;
begin
  for v_i in reverse cardinality(v_erased) .. 1 loop
    v_erased_inputs := v_erased_inputs || (v_inputs -> (v_erased[v_i] - 1));
    v_inputs := v_inputs - (v_erased[v_i] - 1);
  end loop;
  v_results := case when v_inputs = '[]' then v_inputs else private.ingest(v_inputs::text)::jsonb end;
  v_effects := private.read_effects(v_inputs, v_results, p_now);
  if v_erased_inputs <> '[]' then
    v_effects := v_effects || private.read_erased_effects(v_erased_inputs, p_now);
  end if;
  if v_effects <> '[]' then
    perform private.take_effects(v_effects, p_now);
  end if;
  for v_i in 1 .. cardinality(v_erased) loop
    v_results := jsonb_insert(v_results, array[(v_erased[v_i] - 1)::text], jsonb_build_object(
      'ok', false, 'code', 'not_found', 'error', 'The customer was erased', 'is_erased', true
    ));
  end loop;
  return v_results;
end
$$;
comment on function private.ingest_reports(text, timestamptz) is
  'Stores a batch as private.ingest does. Entries with a member effect, which the functions set for senders that are trusted, also settle the send it names, suppress addresses and withdraw consent: once, in the same transaction. A report about a customer who has been erased is refused, and only affects the address.';
revoke execute on function private.ingest_reports(text, timestamptz) from public;
grant execute on function private.ingest_reports(text, timestamptz) to signalpost_ingest;
