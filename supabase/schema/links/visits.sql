-- Purpose: opens and clicks, and where a click leads.
-- Locks:   those of private.ingest, then the send.

create or replace function private.link_keys(p_workspace_ids uuid[])
returns table (workspace_id uuid, key bytea)
language sql
stable
-- Definer: callers verify and make links, and read no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select k.workspace_id, k.key
  from private.workspace_keys as k
  where k.workspace_id = any (p_workspace_ids) and k.purpose = 'link'
    and coalesce(k.expires_at, 'infinity') > clock_timestamp()
  order by k.workspace_id, k.id desc
$$;
comment on function private.link_keys(uuid[]) is
  'The keys of these workspaces that verify links, the one that signs new links first.';
revoke execute on function private.link_keys(uuid[]) from public;
grant execute on function private.link_keys(uuid[]) to signalpost_links, signalpost_send;

create or replace function private.find_link_url(p_workspace_id uuid, p_send_id uuid, p_index integer)
returns text
language sql
stable
-- Definer: callers may ask about links whose token they verified, and read no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select (private.find_send(p_workspace_id, p_send_id)).links[p_index + 1]
$$;
comment on function private.find_link_url(uuid, uuid, integer) is
  'The URL at a position of the link table of a send, counted from 0; null if there is none.';
revoke execute on function private.find_link_url(uuid, uuid, integer) from public;
grant execute on function private.find_link_url(uuid, uuid, integer) to signalpost_links;

create or replace function private.count_other_clicks(p_send public.sends, p_url text, p_now timestamptz)
returns integer
language sql
stable
security invoker
set search_path = ''
as $$
  select count(distinct e.properties ->> 'url')::integer
  from private.newest_identity(p_send.workspace_id, p_send.customer_id) as i
  join public.events as e
    on e.workspace_id = i.workspace_id and e.identity_id = i.id and e.name = 'email_clicked'
    and e.occurred_at between p_now - interval '3 seconds' and p_now
  where e.properties ->> 'send_id' = p_send.id::text and e.properties ->> 'url' <> p_url
$$;
comment on function private.count_other_clicks(public.sends, text, timestamptz) is
  'The number of other links of a message that were followed in the 3 s before p_now.';

create or replace function private.is_early(p_send public.sends, p_now timestamptz)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select
    p_send.state in ('queued', 'sending')
    or coalesce(p_now < p_send.sent_at + interval '5 seconds', false)
$$;
comment on function private.is_early(public.sends, timestamptz) is
  'True for a visit within 5 seconds of the hand-over: no person is that fast.';

create or replace function private.record_visit(
  p_workspace_id uuid,
  p_send_id uuid,
  p_index integer,
  p_is_automated boolean,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: callers may record visits of links whose token they verified, and write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_send public.sends := private.find_send(p_workspace_id, p_send_id);
  v_url text := v_send.links[p_index + 1];
  v_others integer := 0;
  v_is_automated boolean;
begin
  if v_send.id is null or v_send.purpose <> 'message' or p_index is not null and v_url is null then
    return false;
  end if;
  if v_url is not null then
    v_others := private.count_other_clicks(v_send, v_url, p_now);
  end if;
  v_is_automated := p_is_automated or v_others > 0 or private.is_early(v_send, p_now);
  perform private.record_engagements(jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id,
    'send_id', p_send_id,
    'name', case when p_index is null then 'email_opened' else 'email_clicked' end,
    'at', p_now,
    'properties', jsonb_strip_nulls(jsonb_build_object(
      'url', v_url, 'automated', case when v_is_automated then true end
    )),
    -- Once a minute is enough: a reader who reloads a message must not fill the timeline.
    'suffix', concat_ws(
      ':', p_index, case when v_is_automated then 'automated' end,
      floor(extract(epoch from p_now) / 60)
    )
  )));
  perform private.settle_sends(jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id, 'send_id', p_send_id, 'outcome', 'sent', 'at', p_now
  )), p_now);
  if not v_is_automated then
    update public.sends as s
    set
      opened_at = case when p_index is null then coalesce(s.opened_at, p_now) else s.opened_at end,
      clicked_at = case when p_index is not null then coalesce(s.clicked_at, p_now) else s.clicked_at end
    where s.workspace_id = p_workspace_id and s.queued_at = v_send.queued_at and s.id = p_send_id
      and case when p_index is null then s.opened_at is null else s.clicked_at is null end;
  elsif v_others > 0 and v_others + 1 >= least(3, cardinality(v_send.links)) then
    -- Nobody follows three links, or all, in 3 s: no person made the first click either.
    update public.sends as s
    set clicked_at = null
    where s.workspace_id = p_workspace_id and s.queued_at = v_send.queued_at and s.id = p_send_id
      and s.clicked_at between p_now - interval '3 seconds' and p_now;
  end if;
  return true;
end
$$;
comment on function private.record_visit(uuid, uuid, integer, boolean, timestamptz) is
  'Records a click on the link at a position, or an open if the position is null. Stores an event, at most one per minute, and notes the first visit of a person on the send. Clicks on three links within 3 seconds, or on all links, take the first click back. Returns false for a send that is gone. Retry on 40001.';
revoke execute on function private.record_visit(uuid, uuid, integer, boolean, timestamptz) from public;
grant execute on function private.record_visit(uuid, uuid, integer, boolean, timestamptz)
  to signalpost_links;
