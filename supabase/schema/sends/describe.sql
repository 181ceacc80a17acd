-- Purpose: what send-dispatch gets with a claimed message: who it is for, and how to send it.

create or replace function private.describe_sends(p_taken private.taken_send[], p_claim uuid)
returns table (
  claim uuid,
  workspace_id uuid,
  sender_id uuid,
  send_id uuid,
  attempt_number integer,
  purpose text,
  is_marketing boolean,
  skip_reason text,
  email text,
  template_id uuid,
  template_version integer,
  is_strict boolean,
  tracks_opens boolean,
  tracks_clicks boolean,
  data jsonb,
  customer jsonb,
  workspace jsonb,
  sender jsonb,
  ciphertext text,
  link_key text
)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return query
  with found as materialized (
    select t.attempts as tried, t.sender_id as lane_id, t.workspace_id as tenant_id, t.send_id as row_id, s.*
    from unnest(p_taken) as t
    left join lateral (
      select r.* from public.sends as r
      where r.workspace_id = t.workspace_id and r.queued_at = private.uuid_v7_time(t.send_id)
        and r.id = t.send_id
      limit 1
    ) as s on true
  ),
  tenants as materialized (
    select
      f.tenant_id, array_agg(distinct f.customer_id) filter (where f.customer_id is not null) as customer_ids
    from found as f
    group by f.tenant_id
  ),
  settings as materialized (
    select n.tenant_id, p.*, w.name as workspace_name, encode(k.key, 'hex') as link_key
    from tenants as n
    join public.workspaces as w on w.id = n.tenant_id
    cross join lateral private.send_settings_of(n.tenant_id) as p
    left join private.workspace_keys as k
      on k.workspace_id = n.tenant_id and k.purpose = 'link' and k.expires_at is null
  ),
  documents as materialized (
    select n.tenant_id, d.customer_id, d.document
    from tenants as n
    cross join lateral private.customer_documents(n.tenant_id, n.customer_ids) as d
  )
  select
    p_claim, f.tenant_id, f.lane_id, f.row_id, f.tried + 1, f.purpose,
    f.topic_id is not null and f.purpose = 'message',
    case
      when f.id is null then 'erased'
      when o.id is null then 'sender_deleted'
      when d.document is null and f.purpose = 'message' then 'customer_deleted'
      when a.email is null then 'no_address'
      when t.id is null and (f.template_id is not null or f.purpose = 'message') then 'template_deleted'
    end,
    a.email, t.id, t.version, t.strict, g.track_opens and t.track_opens,
    g.track_clicks and t.track_clicks, f.data, d.document,
    jsonb_build_object('id', f.tenant_id, 'name', g.workspace_name),
    jsonb_build_object(
      'name', o.name, 'provider', o.provider, 'from', o.from_address, 'reply_to', o.reply_to,
      'config', o.config, 'on_unknown', o.on_unknown, 'max_concurrency', o.max_concurrency
    ),
    c.ciphertext, g.link_key
  from found as f
  left join settings as g on g.tenant_id = f.tenant_id
  left join documents as d on d.tenant_id = f.tenant_id and d.customer_id = f.customer_id
  left join public.senders as o on o.workspace_id = f.tenant_id and o.id = f.lane_id
  left join private.sender_secrets as c on c.workspace_id = o.workspace_id and c.sender_id = o.id
  left join public.templates as t on t.workspace_id = f.tenant_id and t.id = f.template_id
  cross join lateral (
    select nullif(btrim(case f.purpose when 'message' then d.document ->> 'email' else f.email end), '') as email
  ) as a;
end
$$;
comment on function private.describe_sends(private.taken_send[], uuid) is
  'Claimed messages with everything needed to render and hand them over; skip_reason says why one cannot be.';

create or replace function private.claim_sends(
  p_worker uuid,
  p_limit integer,
  p_lease interval default interval '60 seconds',
  p_only_proven boolean default false,
  p_now timestamptz default clock_timestamp()
)
returns table (
  claim uuid,
  workspace_id uuid,
  sender_id uuid,
  send_id uuid,
  attempt_number integer,
  purpose text,
  is_marketing boolean,
  skip_reason text,
  email text,
  template_id uuid,
  template_version integer,
  is_strict boolean,
  tracks_opens boolean,
  tracks_clicks boolean,
  data jsonb,
  customer jsonb,
  workspace jsonb,
  sender jsonb,
  ciphertext text,
  link_key text
)
language plpgsql
volatile
-- Definer: the role of send-dispatch may execute this and reads or writes no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set plan_cache_mode = 'force_generic_plan'
set jit = 'off'
as $$
declare
  v_claim uuid := gen_random_uuid();
  v_lanes private.send_credit[];
  v_taken private.taken_send[];
begin
  perform private.fold_send_arrivals();
  v_lanes := private.lock_ready_send_lanes(p_worker, p_limit, p_only_proven, p_now);
  if v_lanes is null then
    return;
  end if;
  v_taken := private.take_sends(v_lanes, v_claim, p_lease, p_now);
  perform private.charge_send_lanes(v_lanes, v_taken, p_worker, p_now);
  return query select d.* from private.describe_sends(v_taken, v_claim) as d;
end
$$;
comment on function private.claim_sends(uuid, integer, interval, boolean, timestamptz) is
  'Up to about p_limit messages to send now, leased to p_worker, as private.describe_sends returns them; p_only_proven leaves out senders whose last attempt failed.';
grant execute on function private.claim_sends(uuid, integer, interval, boolean, timestamptz)
  to signalpost_send;

create or replace function private.read_send_templates(p_refs text)
returns table (
  workspace_id uuid,
  template_id uuid,
  version integer,
  subject text,
  html text,
  text text
)
language sql
stable
-- Definer: the role of send-dispatch reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select v.workspace_id, v.template_id, v.version, v.subject, v.html, v.text
  from jsonb_to_recordset(p_refs::jsonb) as r (workspace_id uuid, template_id uuid, version integer)
  join public.template_versions as v
    on v.workspace_id = r.workspace_id and v.template_id = r.template_id and v.version = r.version
$$;
comment on function private.read_send_templates(text) is
  'Contents of versions of templates: p_refs is a JSON array of { workspace_id, template_id, version }.';
grant execute on function private.read_send_templates(text) to signalpost_send;
