-- Purpose: what uses a segment, template, sender or topic; nothing deletes what a campaign needs.

create or replace function private.campaign_refs(p_campaign public.campaigns, p_kind text)
returns setof uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select distinct r.id
  from (
    select case p_kind
      when 'segment' then p_campaign.segment_id
      when 'sender' then p_campaign.sender_id
      when 'topic' then p_campaign.topic_id
    end
    union all
    select x.id from unnest(p_campaign.exclude_ids) as x (id) where p_kind = 'segment'
    union all
    select t.template_id from private.campaign_templates(p_campaign) as t where p_kind = 'template'
  ) as r (id)
  where r.id is not null
$$;
comment on function private.campaign_refs(public.campaigns, text) is
  'The ids of the segments, templates, senders or topics that a campaign names; p_kind is segment, template, sender or topic.';

create or replace function private.list_uses(p_workspace_id uuid, p_kind text, p_ids uuid[])
returns table (id uuid, used_by jsonb)
language plpgsql
stable
-- Definer: callers may not read what segments depend on, and not always campaigns and journeys.
security definer
set search_path = ''
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
begin
  if not private.is_readable(p_workspace_id, array[p_kind || 's:read', p_kind || 's:write']) then
    return;
  end if;
  return query
  with parts as materialized (
    select p.ref, p.segment_id
    from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = p_kind
      and p.ref = any (array(select x::text from unnest(p_ids) as x))
  ),
  uses as materialized (
    select p.ref, 'segment' as kind, s.id, s.name
    from parts as p
    join public.segments as s on s.workspace_id = p_workspace_id and s.id = p.segment_id
    union all
    -- As private.campaign_refs, without a call per campaign.
    select distinct r.id::text, 'campaign', c.id, c.name
    from public.campaigns as c
    cross join lateral unnest(case
      when p_kind = 'segment' then c.segment_id || c.exclude_ids
      when p_kind = 'sender' then array[c.sender_id]
      when p_kind = 'topic' then array[c.topic_id]
      when c.variants = '[]' then array[c.template_id]
      else array(select (v ->> 'template')::uuid from jsonb_array_elements(c.variants) as v)
    end) as r (id)
    where c.workspace_id = p_workspace_id and c.state in ('draft', 'scheduled', 'sending', 'paused')
    union all
    select r.id, 'journey', j.id, j.name
    from public.journeys as j
    left join public.journey_versions as v
      on v.workspace_id = j.workspace_id and v.journey_id = j.id and v.version = j.version
    cross join lateral (
      select distinct n #>> '{}' as id
      from jsonb_path_query(coalesce(v.definition, j.definition), format('$.**.%s', p_kind)::jsonpath) as n
      where jsonb_typeof(n) = 'string'
    ) as r
    where j.workspace_id = p_workspace_id and j.state <> 'stopped'
  )
  select i.id, coalesce((
    select jsonb_agg(jsonb_build_object('kind', u.kind, 'id', u.id, 'name', u.name) order by u.kind, u.id)
    from uses as u
    where u.ref = i.id::text
  ), '[]')
  from unnest(p_ids) as i (id);
end
$$;
comment on function private.list_uses(uuid, text, uuid[]) is
  'Lists what uses each segment, template, sender or topic: a JSON list of kind, id and name. Campaigns that ended and stopped journeys are left out.';
grant execute on function private.list_uses(uuid, text, uuid[]) to signalpost_user, signalpost_key;

create or replace function private.refuse_campaign_use(p_workspace_id uuid, p_kind text, p_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_name text := (
    select c.name
    from public.campaigns as c
    where c.workspace_id = p_workspace_id and c.state in ('scheduled', 'sending', 'paused')
      -- Once the audience is fixed, the segments are not needed.
      and (p_kind <> 'segment' or c.recipients is null)
      and p_id in (select private.campaign_refs(c, p_kind))
    order by c.id
    limit 1
  );
begin
  if v_name is not null then
    raise sqlstate 'SP409' using
      message = format('Cannot delete %s: campaign "%s" uses it', p_kind, v_name);
  end if;
end
$$;
comment on function private.refuse_campaign_use(uuid, text, uuid) is
  'Raises SP409 while a campaign that is scheduled, sending or paused needs the segment, template, sender or topic.';

create or replace function private.refuse_used_template(p_workspace_id uuid, p_template_id uuid)
returns void
language plpgsql
stable
-- Definer: callers may not always read campaigns.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'templates:write');
  perform private.refuse_campaign_use(p_workspace_id, 'template', p_template_id);
end
$$;
comment on function private.refuse_used_template(uuid, uuid) is
  'Raises SP409 if a campaign needs the template.';
grant execute on function private.refuse_used_template(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.refuse_used_sender(p_workspace_id uuid, p_sender_id uuid)
returns void
language plpgsql
stable
-- Definer: as for private.refuse_used_template.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'senders:write');
  perform private.refuse_campaign_use(p_workspace_id, 'sender', p_sender_id);
end
$$;
comment on function private.refuse_used_sender(uuid, uuid) is
  'Raises SP409 if a campaign needs the sender.';
grant execute on function private.refuse_used_sender(uuid, uuid) to signalpost_user, signalpost_key;
