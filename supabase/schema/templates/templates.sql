-- Purpose: templates of messages.

create or replace function private.stamp_template()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
comment on function private.stamp_template() is 'Keeps updated_at of a template.';
