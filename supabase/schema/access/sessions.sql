-- Purpose: whether the session of an access token may still call.
-- Risk:    reads tables of Supabase Auth; where they are missing or closed, it checks less.

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
