-- Purpose: the cells to which the workspaces of keys and sources moved.

create or replace function private.cell_name()
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select c.name from private.this_cell as c
$$;
comment on function private.cell_name() is 'The name of this cell; 00 is the first.';

create or replace function ops.name_cell(p_name text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_name <> private.cell_name() and exists (select from public.workspaces) then
    raise sqlstate 'SP409' using
      message = format('Cannot name cell "%s": it has workspaces as "%s"', p_name, private.cell_name());
  end if;
  update private.this_cell as c set name = p_name where c.name <> p_name;
end
$$;
comment on function ops.name_cell(text) is
  'Names the cell of this database, before it has workspaces: the two digits of CELL_DATABASE_URLS.';

create or replace function private.find_moved_addresses(p_addresses bytea[])
returns table (address bytea, cell text)
language sql
stable
-- Definer: called before the workspace of the caller is known.
security definer
set search_path = ''
set jit = 'off'
as $$
  select m.address, m.cell from private.moved_addresses as m where m.address = any (p_addresses)
$$;
comment on function private.find_moved_addresses(bytea[]) is
  'The cells of the workspaces that moved away, by keys (SHA-256) and sources (the bytes of the id).';
grant execute on function private.find_moved_addresses(bytea[]) to signalpost_ingest, signalpost_key;
