-- Purpose: whether the session of an access token may still call, and the sessions of a user.
-- Risk:    reads tables of Supabase Auth; where they are missing or closed, it checks and shows less.

create or replace function private.session_state(p_user_id uuid, p_session_id uuid)
returns text
language plpgsql
stable
-- Definer: accounts and sessions are in auth, which no caller may read.
security definer
set search_path = ''
as $$
declare
  v_is_banned boolean;
begin
  select coalesce(u.banned_until, '-infinity') > now() into v_is_banned
  from auth.users as u
  where u.id = p_user_id and u.deleted_at is null;
  if not found then
    return 'deleted';
  elsif v_is_banned then
    return 'banned';
  elsif p_session_id is null
    -- Some versions of Auth do not keep sessions, and some owners may not read them.
    or to_regclass('auth.sessions') is null
    or not has_table_privilege('auth.sessions', 'select')
  then
    return 'active';
  end if;
  return case
    when exists (
      select from auth.sessions as s where s.id = p_session_id and s.user_id = p_user_id
    )
    then 'active'
    else 'signed_out'
  end;
end
$$;
comment on function private.session_state(uuid, uuid) is
  'Returns active when a token may still be used; else deleted, banned or signed_out, whichever happened since it was issued.';
grant execute on function private.session_state(uuid, uuid) to signalpost_key;

create or replace function private.own_sessions(
  p_before timestamptz,
  p_before_id uuid,
  p_limit integer
)
returns table (
  id uuid,
  created_at timestamptz,
  last_active_at timestamptz,
  user_agent text,
  ip text
)
language plpgsql
stable
-- Definer: sessions are in auth, which no caller may read. Only those of the caller are returned.
security definer
set search_path = ''
as $$
begin
  if to_regclass('auth.sessions') is null or not has_table_privilege('auth.sessions', 'select') then
    return;
  end if;
  return query
  select t.id, t.created_at, coalesce(t.refreshed_at, t.created_at), t.user_agent, t.ip
  from (
    select
      s.id,
      -- As JSON: versions of Auth differ in their columns.
      coalesce((to_jsonb(s) ->> 'created_at')::timestamptz, 'epoch') as created_at,
      (to_jsonb(s) ->> 'refreshed_at')::timestamp at time zone 'UTC' as refreshed_at,
      to_jsonb(s) ->> 'user_agent' as user_agent,
      host((to_jsonb(s) ->> 'ip')::inet) as ip,
      coalesce((to_jsonb(s) ->> 'not_after')::timestamptz, 'infinity') as not_after
    from auth.sessions as s
    where s.user_id = (select auth.uid())
  ) as t
  where t.not_after > now() and (t.created_at, t.id) < (p_before, p_before_id)
  order by t.created_at desc, t.id desc
  limit p_limit;
end
$$;
comment on function private.own_sessions(timestamptz, uuid, integer) is
  'The calling user''s sessions that have not ended, newest first, before a position; empty where Auth keeps none.';
grant execute on function private.own_sessions(timestamptz, uuid, integer) to signalpost_user;

create or replace function private.team_activity(p_workspace_id uuid)
returns table (user_id uuid, last_active_at timestamptz)
language plpgsql
stable
-- Definer: sessions are in auth, which no caller may read. Only admins see those of their team.
security definer
set search_path = ''
as $$
begin
  if not exists (
    select from public.workspace_members as m
    where m.workspace_id = p_workspace_id and m.user_id = (select auth.uid())
      and m.role in ('owner', 'admin')
  )
    or to_regclass('auth.sessions') is null
    or not has_table_privilege('auth.sessions', 'select')
  then
    return;
  end if;
  return query
  select m.user_id, t.last_active_at
  from public.workspace_members as m
  -- For each member, by the index of Auth: a join could read the sessions of everybody.
  cross join lateral (
    select max(coalesce(
      -- As JSON: versions of Auth differ in their columns.
      (to_jsonb(s) ->> 'refreshed_at')::timestamp at time zone 'UTC',
      (to_jsonb(s) ->> 'created_at')::timestamptz
    )) as last_active_at
    from auth.sessions as s
    where s.user_id = m.user_id
  ) as t
  where m.workspace_id = p_workspace_id;
end
$$;
comment on function private.team_activity(uuid) is
  'When the members of a workspace were last active, for its admins: the newest use of a session that was not ended. Empty for others, and where Auth keeps no sessions.';
grant execute on function private.team_activity(uuid) to signalpost_user;
