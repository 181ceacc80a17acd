-- Purpose: the time of the last change of a resource.

create or replace function private.keep_update_time()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if to_jsonb(new) - 'updated_at' = to_jsonb(old) - 'updated_at' then
    new.updated_at := old.updated_at;
  end if;
  return new;
end
$$;
comment on function private.keep_update_time() is
  'Keeps updated_at of a row that an update leaves as it was.';
