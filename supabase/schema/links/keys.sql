-- Purpose: the keys with which the links of a workspace are signed, and how an operator replaces one.

create or replace function ops.rotate_link_key(
  p_workspace_id uuid,
  p_valid_for interval default '90 days'
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_id integer;
begin
  update private.workspace_keys as k
  set expires_at = clock_timestamp() + p_valid_for
  where k.workspace_id = p_workspace_id and k.purpose = 'link' and k.expires_at is null
  returning k.id into v_id;
  if not found then
    raise sqlstate 'SP404' using message = 'Workspace does not exist';
  end if;
  -- A key that leaked before must not outlast this one.
  update private.workspace_keys as k
  set expires_at = least(k.expires_at, clock_timestamp() + p_valid_for)
  where k.workspace_id = p_workspace_id and k.purpose = 'link' and k.id < v_id;
  perform private.make_workspace_key(p_workspace_id, 'link', v_id + 1);
end
$$;
comment on function ops.rotate_link_key(uuid, interval) is
  'Replaces the key that signs the links of a workspace. Links in earlier messages work for p_valid_for: 90 days by default, which is how long sends are kept. Use 0 if the key has leaked.';

create or replace function private.delete_expired_link_keys(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from private.workspace_keys as k
    using (
      select e.workspace_id, e.purpose, e.id
      from private.workspace_keys as e
      where e.expires_at <= p_now
      limit p_limit
      for update skip locked
    ) as e
    where k.workspace_id = e.workspace_id and k.purpose = e.purpose and k.id = e.id
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_expired_link_keys(integer, timestamptz) is
  'Deletes up to p_limit replaced link keys that have expired and returns the number deleted. Runs every hour.';
