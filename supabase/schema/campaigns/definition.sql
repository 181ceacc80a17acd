-- Purpose: campaigns are created, changed and deleted.
-- Locks:   the job of a campaign, then the campaign: these functions and the steps of its work
--          wait for each other.

create or replace function private.find_named(p_table text, p_workspace_id uuid, p_ref text, p_path text)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_id uuid;
begin
  if p_ref is null then
    return null;
  end if;
  execute format(
    'select t.id from public.%I as t
     where t.workspace_id = $1 and (t.key = $2 or t.id::text = lower($2))
     order by t.id::text = lower($2) desc limit 1', p_table
  ) into v_id using p_workspace_id, p_ref;
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a %s: none has the id or key "%s"', rtrim(p_table, 's'), p_ref),
      column = p_path;
  end if;
  return v_id;
end
$$;
comment on function private.find_named(text, uuid, text, text) is
  'The id of a segment, template, sender or topic with this id or key; SP400 with the path of the field when there is none, null for null.';

create or replace function private.read_send_at(p_workspace_id uuid, p_text text)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_text ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then p_text::timestamptz
    else private.first_instant(p_text::timestamp, private.known_zone(w.timezone, 'UTC'))
  end
  from public.workspaces as w
  where w.id = p_workspace_id
$$;
comment on function private.read_send_at(uuid, text) is
  'The instant that a time stands for. A time without an offset is local to the workspace.';

create or replace function private.campaign_columns(p_workspace_id uuid, p_fields jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  -- These have the same name in the api and in the table.
  v_columns jsonb := (
    select coalesce(jsonb_object_agg(f.key, f.value), '{}')
    from jsonb_each(p_fields) as f
    where f.key in (
      'key', 'name', 'zone', 'per_minute', 'spread_over', 'not_after', 'winner', 'goal'
    )
  );
  v_ref record;
begin
  for v_ref in
    select r.field, r.noun
    from (
      values ('segment', 'segments'), ('template', 'templates'), ('sender', 'senders'), ('topic', 'topics')
    ) as r (field, noun)
    where p_fields ? r.field
  loop
    v_columns := v_columns || jsonb_build_object(v_ref.field || '_id', private.find_named(
      v_ref.noun, p_workspace_id, p_fields ->> v_ref.field, v_ref.field
    ));
  end loop;
  if p_fields ? 'exclude' then
    v_columns := v_columns || jsonb_build_object('exclude_ids', (
      select coalesce(jsonb_agg(distinct private.find_named(
        'segments', p_workspace_id, e.value, format('exclude[%s]', e.ordinality - 1)
      )), '[]')
      from jsonb_array_elements_text(p_fields -> 'exclude') with ordinality as e
    ));
  end if;
  if p_fields ? 'variants' then
    v_columns := v_columns || jsonb_build_object('variants', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'template', private.find_named(
          'templates', p_workspace_id, v.value ->> 'template',
          format('variants[%s].template', v.ordinality - 1)
        ),
        'weight', v.value -> 'weight'
      ) order by v.ordinality), '[]')
      from jsonb_array_elements(p_fields -> 'variants') with ordinality as v
    ));
  end if;
  if p_fields ? 'send_at' then
    v_columns := v_columns || jsonb_build_object(
      'send_at', private.read_send_at(p_workspace_id, p_fields ->> 'send_at')
    );
  end if;
  return v_columns;
end
$$;
comment on function private.campaign_columns(uuid, jsonb) is
  'The columns of public.campaigns for the fields that a caller sent: ids instead of keys, and an instant for send_at. Raises SP400 if a field names something that does not exist.';

create or replace function private.campaign_templates(p_campaign public.campaigns)
returns table (path text, template_id uuid)
language sql
stable
security invoker
set search_path = ''
as $$
  select 'template', p_campaign.template_id
  where p_campaign.variants = '[]'
  union all
  select format('variants[%s].template', v.ordinality - 1), (v.value ->> 'template')::uuid
  from jsonb_array_elements(p_campaign.variants) with ordinality as v
$$;
comment on function private.campaign_templates(public.campaigns) is
  'The templates that a campaign sends, each with the field that names it.';

create or replace function private.check_campaign(p_campaign public.campaigns)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_path text;
begin
  if p_campaign.template_id is null and p_campaign.variants = '[]' then
    raise sqlstate 'SP400' using message = 'is required without variants', column = 'template';
  elsif p_campaign.winner is not null and jsonb_array_length(p_campaign.variants) < 2 then
    raise sqlstate 'SP400' using message = 'needs at least two variants', column = 'winner';
  elsif p_campaign.winner ->> 'by' = 'goal' and p_campaign.goal is null then
    raise sqlstate 'SP400' using message = 'is required to choose a winner by goal', column = 'goal';
  elsif exists (
    select from public.campaigns as c
    where c.workspace_id = p_campaign.workspace_id and c.key = p_campaign.key and c.id <> p_campaign.id
  ) then
    raise sqlstate 'SP409' using
      message = format('Another campaign has the key "%s"', p_campaign.key), column = 'key';
  end if;
  select t.path into v_path
  from private.campaign_templates(p_campaign) as t
  join public.templates as x on x.workspace_id = p_campaign.workspace_id and x.id = t.template_id
  join public.template_versions as v
    on v.workspace_id = x.workspace_id and v.template_id = x.id and v.version = x.version
  where p_campaign.topic_id is not null and not v.has_unsubscribe
  limit 1;
  if found then
    raise sqlstate 'SP400' using
      message = 'must contain unsubscribe_url or preferences_url: the campaign has a topic', column = v_path;
  end if;
end
$$;
comment on function private.check_campaign(public.campaigns) is
  'Raises SP400 for fields that do not fit each other, and SP409 for a key in use.';

create or replace function private.write_campaign(p_campaign public.campaigns)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.check_campaign(p_campaign);
  insert into public.campaigns as c (
    workspace_id, id, key, name, segment_id, exclude_ids, template_id, sender_id, topic_id, send_at,
    zone, per_minute, spread_over, not_after, variants, winner, goal
  )
  values (
    p_campaign.workspace_id, p_campaign.id, p_campaign.key, p_campaign.name, p_campaign.segment_id,
    p_campaign.exclude_ids, p_campaign.template_id, p_campaign.sender_id, p_campaign.topic_id,
    p_campaign.send_at, p_campaign.zone, p_campaign.per_minute, p_campaign.spread_over,
    p_campaign.not_after, p_campaign.variants, p_campaign.winner, p_campaign.goal
  )
  on conflict (workspace_id, id) do update
  set
    key = excluded.key, name = excluded.name, segment_id = excluded.segment_id,
    exclude_ids = excluded.exclude_ids, template_id = excluded.template_id,
    sender_id = excluded.sender_id, topic_id = excluded.topic_id, send_at = excluded.send_at,
    zone = excluded.zone, per_minute = excluded.per_minute, spread_over = excluded.spread_over,
    not_after = excluded.not_after, variants = excluded.variants, winner = excluded.winner,
    goal = excluded.goal, updated_at = clock_timestamp();
end
$$;
comment on function private.write_campaign(public.campaigns) is
  'Creates a campaign, or replaces the fields that callers write.';

create or replace function private.create_campaign(p_workspace_id uuid, p_campaign jsonb)
returns uuid
language plpgsql
volatile
-- Definer: callers may not write the tables, which must agree with each other.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'campaigns:write');
  v_campaign.zone := 'workspace';
  v_campaign.variants := '[]';
  v_campaign.exclude_ids := '{}';
  v_campaign := jsonb_populate_record(v_campaign, private.campaign_columns(p_workspace_id, p_campaign));
  v_campaign.workspace_id := p_workspace_id;
  v_campaign.id := private.uuid_v7();
  perform private.write_campaign(v_campaign);
  return v_campaign.id;
end
$$;
comment on function private.create_campaign(uuid, jsonb) is
  'Creates a draft from the fields of the api and returns its id. Raises SP400 if a field names something that does not exist, SP409 if the key is in use, and SPLIM over the limit of the plan.';
grant execute on function private.create_campaign(uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.lock_campaign(p_workspace_id uuid, p_campaign_id uuid)
returns public.campaigns
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_campaign public.campaigns;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'campaigns:write');
  perform from private.campaign_jobs as j
  where j.workspace_id = p_workspace_id and j.campaign_id = p_campaign_id
  for update;
  select c.* into v_campaign
  from public.campaigns as c
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id
  for update;
  return v_campaign;
end
$$;
comment on function private.lock_campaign(uuid, uuid) is
  'Locks a campaign that the caller may change, after the step of its work that runs. Returns null if it does not exist. Raises SP403 if the caller may not change it.';

create or replace function private.refuse_campaign_state(p_campaign public.campaigns, p_action text)
returns void
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  raise sqlstate 'SP409' using
    message = format('Cannot %s campaign: it is %s', p_action, p_campaign.state);
end
$$;
comment on function private.refuse_campaign_state(public.campaigns, text) is
  'Raises SP409: the state of the campaign does not allow the action.';

create or replace function private.update_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_changes jsonb,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
  v_allowed text[] := array['key', 'name'];
begin
  if v_campaign.id is null then
    return false;
  end if;
  if v_campaign.state = 'paused' then
    v_allowed := v_allowed || array['sender', 'topic', 'per_minute', 'not_after'];
    if v_campaign.variants = '[]' then
      v_allowed := v_allowed || array['template'];
    end if;
  end if;
  if v_campaign.state not in ('draft', 'scheduled') and exists (
    select from jsonb_object_keys(p_changes) as f where f <> all (v_allowed)
  ) then
    raise sqlstate 'SP409' using message = format(
      'Cannot change campaign: it is %s, and only %s can change', v_campaign.state,
      array_to_string(v_allowed, ', ')
    );
  end if;
  v_campaign := jsonb_populate_record(v_campaign, private.campaign_columns(p_workspace_id, p_changes));
  if v_campaign.state = 'scheduled' then
    if coalesce(v_campaign.send_at, '-infinity') <= p_now then
      raise sqlstate 'SP400' using message = 'must be in the future', column = 'send_at';
    end if;
    update private.campaign_jobs as j set due_at = v_campaign.send_at
    where j.workspace_id = p_workspace_id and j.campaign_id = p_campaign_id;
  end if;
  perform private.write_campaign(v_campaign);
  return true;
end
$$;
comment on function private.update_campaign(uuid, uuid, jsonb, timestamptz) is
  'Changes fields of a campaign: all fields of a draft or scheduled campaign, and only a few later (SP409). Returns false if it does not exist.';
grant execute on function private.update_campaign(uuid, uuid, jsonb, timestamptz) to signalpost_user, signalpost_key;

create or replace function private.delete_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state in ('sending', 'paused') then
    raise sqlstate 'SP409' using
      message = format('Cannot delete campaign: it is %s, so cancel it first', v_campaign.state);
  end if;
  delete from public.campaigns as c where c.workspace_id = p_workspace_id and c.id = p_campaign_id;
  insert into private.campaign_jobs (workspace_id, campaign_id, phase, due_at)
  values (p_workspace_id, p_campaign_id, 'cleanup', p_now)
  on conflict (workspace_id, campaign_id) do update
  set phase = 'cleanup', due_at = excluded.due_at;
  return true;
end
$$;
comment on function private.delete_campaign(uuid, uuid, timestamptz) is
  'Deletes a campaign and leaves its recipients to a job; SP409 while it is sending or paused. Returns false if it does not exist.';
grant execute on function private.delete_campaign(uuid, uuid, timestamptz) to signalpost_user, signalpost_key;
