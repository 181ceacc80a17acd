-- Purpose: the text of an alert, and its notices: messages to destinations and mails of senders.

create or replace function private.describe_alert(p_alert public.alerts)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    case
      when p_alert.resolved_at is null or p_alert.is_test then t.opened
      when p_alert.resolved_by = 'target_deleted' then t.noun || ' "%1$s" was deleted'
      else t.resolved
    end,
    p_alert.target_name, trim_scale(p_alert.value), trim_scale(p_alert.threshold),
    p_alert.window_minutes, case when p_alert.value <> 1 then 's' end
  )
  from (
    values
      (
        'destination_failing', 'Destination', 'Destination "%1$s" has been failing for %2$s minute%5$s',
        'Destination "%1$s" has recovered'
      ),
      (
        'destination_disabled', 'Destination', 'Destination "%1$s" was disabled',
        'Destination "%1$s" is enabled again'
      ),
      (
        'backlog', 'Destination', '%2$s messages are waiting for destination "%1$s"',
        'Fewer than %3$s messages are waiting for destination "%1$s"'
      ),
      (
        'missed_messages', 'Destination', 'Destination "%1$s" missed %2$s message%5$s',
        'Destination "%1$s" has fewer than %3$s missed messages'
      ),
      (
        'source_refusing', 'Source', 'Source "%1$s" refused %2$s request%5$s within %4$s minutes',
        'Source "%1$s" refused fewer than %3$s requests within %4$s minutes'
      ),
      (
        'sender_failing', 'Sender', 'Sender "%1$s" has been failing for %2$s minute%5$s',
        'Sender "%1$s" has recovered'
      ),
      (
        'complaint_rate', 'Sender', '%2$s %% of the messages of sender "%1$s" were reported as spam in 24 hours',
        'Less than %3$s %% of the messages of sender "%1$s" were reported as spam in 24 hours'
      ),
      (
        'quota', null, '%2$s %% of the ingest quota is used', 'Less than %3$s %% of the ingest quota is used'
      ),
      ('segment_lag', null, 'Segments are %2$s minute%5$s behind', 'Segments are up to date'),
      ('journey_lag', 'Journey', 'Journey "%1$s" is %2$s minute%5$s behind', 'Journey "%1$s" is up to date')
  ) as t (kind, noun, opened, resolved)
  where t.kind = p_alert.kind
$$;
comment on function private.describe_alert(public.alerts) is
  'Describes an alert in one sentence without a full stop. The wording depends on its state.';
grant execute on function private.describe_alert(public.alerts) to signalpost_user, signalpost_key;

create or replace function private.alert_document(p_alert public.alerts)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_alert.id,
    'rule_id', p_alert.rule_id,
    'rule_name', p_alert.rule_name,
    'kind', p_alert.kind,
    'state', case when p_alert.resolved_at is null then 'open' else 'resolved' end,
    'target', case
      when p_alert.target_id is not null
      then jsonb_build_object('id', p_alert.target_id, 'name', p_alert.target_name)
    end,
    'message', private.describe_alert(p_alert),
    'value', p_alert.value,
    'threshold', p_alert.threshold,
    'is_test', p_alert.is_test,
    'opened_at', private.rfc3339(p_alert.opened_at),
    'resolved_at', private.rfc3339(p_alert.resolved_at),
    'resolved_by', p_alert.resolved_by,
    'notified_at', private.rfc3339(p_alert.notified_at)
  )
$$;
comment on function private.alert_document(public.alerts) is 'An alert as the api and messages show it.';
grant execute on function private.alert_document(public.alerts) to signalpost_user, signalpost_key;

create or replace function private.notice_text(p_payload jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select concat(
    case
      when p_payload #>> '{alert,is_test}' = 'true' then 'Test: '
      when p_payload #>> '{alert,state}' = 'resolved' then 'Resolved: '
      else 'Alert: '
    end,
    p_payload #>> '{alert,message}', ' (', p_payload #>> '{alert,workspace_name}', ')'
  )
$$;
comment on function private.notice_text(jsonb) is
  'The payload of a message about an alert as one line, for chats and the subject of a mail.';

create or replace function private.chat_text(p_payload jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select case
    -- A workspace may track events with the same name.
    when jsonb_typeof(p_payload #> '{alert,message}') = 'string'
    then ',"text":' || to_json(
      replace(replace(replace(private.notice_text(p_payload), '&', '&amp;'), '<', '&lt;'), '>', '&gt;')
    )
    else ''
  end
$$;
comment on function private.chat_text(jsonb) is
  'The field text of the body of a message about an alert, which chats such as Slack show; empty for other payloads. Names are escaped, so that they cannot mention people in a chat.';

create or replace function private.mail_notice(
  p_alert public.alerts,
  p_channels jsonb,
  p_payload jsonb,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_sends jsonb := (
    select jsonb_agg(jsonb_build_object(
      'workspace_id', p_alert.workspace_id, 'sender_id', c.channel ->> 'sender_id',
      'email', a.address, 'purpose', 'alert',
      'key', concat_ws(
        ':', 'alert', p_alert.id, p_payload #>> '{alert,state}', c.channel ->> 'sender_id', a.address
      ),
      'data', jsonb_build_object(
        'subject', private.notice_text(p_payload),
        'text', concat_ws(
          e'\n', p_payload #>> '{alert,message}', '',
          'Workspace: ' || (p_payload #>> '{alert,workspace_name}'),
          'Rule: ' || p_alert.rule_name, 'Since: ' || private.rfc3339(p_alert.opened_at),
          'Until: ' || private.rfc3339(p_alert.resolved_at),
          case when p_alert.is_test then 'This is a test: nothing is wrong.' end, ''
        )
      )
    ))
    from jsonb_array_elements(p_channels) as c (channel)
    cross join jsonb_array_elements_text(c.channel -> 'to') as a (address)
    where c.channel ->> 'type' = 'email'
  );
begin
  if v_sends is not null then
    perform private.create_sends(v_sends, p_now);
  end if;
end
$$;
comment on function private.mail_notice(public.alerts, jsonb, jsonb, timestamptz) is
  'Creates the mails of a notice: sends without a template, whose data has subject and text.';

create or replace function private.send_notice(
  p_alert public.alerts,
  p_channels jsonb,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_type text := case
    when p_alert.resolved_at is null or p_alert.is_test then 'alert.opened'
    else 'alert.resolved'
  end;
  v_payload jsonb := jsonb_build_object('alert', private.alert_document(p_alert) || jsonb_build_object(
    'workspace_name', (select w.name from public.workspaces as w where w.id = p_alert.workspace_id)
  ));
  v_subscriptions private.subscription[] := array(
    -- A channel is named by its rule, so no filter applies.
    select row(p_alert.workspace_id, v_type, d.id, d.enabled, false)::private.subscription
    from jsonb_array_elements(p_channels) as c (channel)
    join public.destinations as d
      on d.workspace_id = p_alert.workspace_id and d.id = (c.channel ->> 'destination_id')::uuid
    where c.channel ->> 'type' = 'destination'
  );
begin
  -- A test goes only to the channels of the rule.
  if not p_alert.is_test then
    v_subscriptions := v_subscriptions
      || private.match_subscriptions(array[p_alert.workspace_id], array[v_type]);
  end if;
  perform private.store_messages(
    array[private.service_message(p_alert.workspace_id, v_type, v_payload)],
    array(
      select distinct on (s.destination_id) s::private.subscription
      from unnest(v_subscriptions) as s
      -- At the destination that it is about, a notice would wait for what it reports.
      where s.destination_id is distinct from p_alert.target_id
      order by s.destination_id, s.is_filtered
    ),
    p_now
  );
  perform private.mail_notice(p_alert, p_channels, v_payload, p_now);
end
$$;
comment on function private.send_notice(public.alerts, jsonb, timestamptz) is
  'Queues the notice of an alert: one message for the destinations of the channels and all that subscribe, except the one that it is about, and a mail for each address.';

create or replace function private.test_alert_rule(
  p_workspace_id uuid,
  p_rule_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns uuid
language plpgsql
volatile
-- Definer: callers may write neither alerts nor messages.
security definer
set search_path = ''
as $$
declare
  v_rule public.alert_rules;
  v_alert public.alerts;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'alerts:write');
  select r.* into v_rule from public.alert_rules as r
  where r.workspace_id = p_workspace_id and r.id = p_rule_id;
  if not found then
    raise sqlstate 'SP404' using message = 'Alert rule does not exist';
  end if;
  insert into public.alerts (
    workspace_id, id, rule_id, rule_name, kind, target_id, target_name, value, threshold,
    window_minutes, is_test, opened_at, resolved_at, resolved_by, notify_at, notified_at
  )
  values (
    p_workspace_id, private.uuid_v7(p_now), v_rule.id, v_rule.name, v_rule.kind, null, 'Example',
    v_rule.threshold, v_rule.threshold, v_rule.window_minutes, true, p_now, p_now, 'test', p_now, p_now
  )
  returning * into v_alert;
  perform private.send_notice(v_alert, v_rule.channels, p_now);
  return v_alert.id;
end
$$;
comment on function private.test_alert_rule(uuid, uuid, timestamptz) is
  'Sends a notice to the channels of a rule as if the rule were met, without opening an alert. Returns the id of the alert that records it. Raises SP404 if the rule does not exist.';
grant execute on function private.test_alert_rule(uuid, uuid, timestamptz)
  to signalpost_user, signalpost_key;
