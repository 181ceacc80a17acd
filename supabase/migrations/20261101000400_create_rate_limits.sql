-- Purpose: one token bucket a workspace and quota, shared by all function instances.
-- Locks:   none on existing tables.
-- Risk:    the table is unlogged: a crash of the database refills every bucket.
-- Undo:    drop private.rate_limit_buckets and private.take_tokens.

create unlogged table private.rate_limit_buckets (
  workspace_id uuid not null,
  bucket text not null check (bucket in ('ingest', 'api')),
  tokens double precision not null,
  refilled_at timestamptz not null,
  primary key (workspace_id, bucket)
) with (fillfactor = 50);
comment on table private.rate_limit_buckets is
  'Tokens left in each bucket at refilled_at, below zero after more than a bucket was taken at once. Unlogged: losing it in a crash admits one more burst.';
alter table private.rate_limit_buckets enable row level security;

create function private.take_tokens(
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
  burst integer
)
language plpgsql
volatile
-- Definer: callers may take tokens but never set them.
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_rate integer;
  v_burst integer;
  v_tokens double precision;
  v_granted integer;
begin
  select
    case p_bucket when 'ingest' then p.ingest_per_second else p.api_per_second end,
    case p_bucket when 'ingest' then p.ingest_burst else p.api_burst end
  into v_rate, v_burst
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  if not found then
    -- What a user asks outside of any workspace, such as for the list of theirs, is their own.
    select p.api_per_second, p.api_burst into v_rate, v_burst
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

  v_granted := case when v_tokens >= p_needed then least(p_wanted, floor(v_tokens))::integer else 0 end;
  if v_granted > 0 then
    v_tokens := v_tokens - v_granted - p_debt;
    update private.rate_limit_buckets as b
    set tokens = v_tokens
    where b.workspace_id = p_workspace_id and b.bucket = p_bucket;
  end if;
  return query select v_granted, floor(v_tokens)::integer, v_rate, v_burst;
end
$$;
comment on function private.take_tokens(uuid, text, integer, integer, integer) is
  'Takes up to p_wanted tokens when at least p_needed are there, else none; with them p_debt more, which leaves the bucket below zero until it has refilled. No row for an unknown workspace. Users have an api bucket of the free plan under their own id.';
grant execute on function private.take_tokens(uuid, text, integer, integer, integer)
  to signalpost_ingest, signalpost_key;
