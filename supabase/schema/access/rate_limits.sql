-- Purpose: one token bucket per workspace and quota, shared by all function instances.

create or replace function private.take_tokens(
  p_workspace_id uuid,
  p_bucket text,
  p_needed integer,
  p_wanted integer,
  p_debt integer
)
returns table (
  granted integer,
  remaining integer,
  per_second integer,
  burst integer,
  blocked_seconds integer,
  bytes_per_day bigint,
  plan_id text
)
language plpgsql
volatile
-- Definer: callers may take tokens but never set them.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_rate integer;
  v_burst integer;
  v_tokens double precision;
  v_granted integer;
  v_bytes_per_day bigint;
  v_plan_id text;
  v_free_at timestamptz;
begin
  select
    case p_bucket when 'ingest' then p.ingest_per_second else p.api_per_second end,
    case p_bucket when 'ingest' then p.ingest_burst else p.api_burst end,
    case p_bucket when 'ingest' then p.ingest_bytes_per_day end,
    p.id
  into v_rate, v_burst, v_bytes_per_day, v_plan_id
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  if not found then
    -- Calls outside of any workspace, such as the list of workspaces, have a bucket of the user.
    select p.api_per_second, p.api_burst, p.id into v_rate, v_burst, v_plan_id
    from auth.users as u
    join public.plans as p on p.id = 'free'
    where u.id = p_workspace_id and p_bucket = 'api';
    if not found then
      return;
    end if;
  end if;

  insert into private.rate_limit_buckets as b (workspace_id, bucket, tokens, refilled_at)
  values (p_workspace_id, p_bucket, v_burst, v_now)
  on conflict (workspace_id, bucket) do update
  set
    tokens = least(
      v_burst,
      b.tokens + v_rate * greatest(0, extract(epoch from v_now - b.refilled_at))
    ),
    refilled_at = greatest(b.refilled_at, v_now)
  returning b.tokens into v_tokens;

  if v_bytes_per_day is not null then
    v_free_at := private.bytes_free_at(p_workspace_id, v_bytes_per_day, v_now);
  end if;
  v_granted := case
    when v_tokens >= p_needed and v_free_at is null then least(p_wanted, floor(v_tokens))::integer
    else 0
  end;
  if v_granted > 0 then
    v_tokens := v_tokens - v_granted - p_debt;
    update private.rate_limit_buckets as b
    set tokens = v_tokens
    where b.workspace_id = p_workspace_id and b.bucket = p_bucket;
  end if;
  return query select
    v_granted, floor(v_tokens)::integer, v_rate, v_burst,
    ceil(extract(epoch from v_free_at - v_now))::integer, v_bytes_per_day, v_plan_id;
end
$$;
comment on function private.take_tokens(uuid, text, integer, integer, integer) is
  'Takes up to p_wanted tokens if at least p_needed are there, otherwise none. Also takes p_debt more, which leaves the bucket below zero until it has refilled. Grants nothing while the workspace is over its bytes per day: blocked_seconds says for how long. Returns no row for an unknown workspace. Users have an api bucket of the free plan under their own id.';
grant execute on function private.take_tokens(uuid, text, integer, integer, integer)
  to signalpost_ingest, signalpost_key;

create or replace function private.take_ingest_tokens(
  p_workspace_id uuid,
  p_needed integer,
  p_wanted integer,
  p_debt integer
)
returns table (
  granted integer,
  remaining integer,
  per_second integer,
  burst integer,
  blocked_seconds integer,
  bytes_per_day bigint,
  plan_id text
)
language plpgsql
volatile
-- Definer: users may take tokens only of the workspace they write to.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'track:write');
  return query
  select t.* from private.take_tokens(p_workspace_id, 'ingest', p_needed, p_wanted, p_debt) as t;
end
$$;
comment on function private.take_ingest_tokens(uuid, integer, integer, integer) is
  'Calls private.take_tokens for entries that a caller of the workspace stores. A rollback gives the tokens back.';
grant execute on function private.take_ingest_tokens(uuid, integer, integer, integer)
  to signalpost_user, signalpost_key;
