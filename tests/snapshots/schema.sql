-- Written by deno task db:release

role anon: nologin noinherit

role authenticated: nologin noinherit

role service_role: nologin noinherit bypassrls

role signalpost_automation: nologin noinherit

role signalpost_dispatch: nologin noinherit

role signalpost_ingest: nologin noinherit

role signalpost_key: nologin noinherit

role signalpost_links: nologin noinherit

role signalpost_send: nologin noinherit

role signalpost_user: nologin noinherit

default privileges in every schema on f: {postgres=X/postgres}

schema ops
  comment: Functions and views for an operator in SQL. Never exposed by the Data API.

schema private
  grant usage on schema to signalpost_automation
  grant usage on schema to signalpost_dispatch
  grant usage on schema to signalpost_ingest
  grant usage on schema to signalpost_key
  grant usage on schema to signalpost_links
  grant usage on schema to signalpost_send
  grant usage on schema to signalpost_user
  comment: Hashes, secrets, queue, partitions and helper functions. Never exposed by the Data API.

schema public
  grant usage on schema to public
  comment: standard public schema

view ops.backlog with (security_invoker=true)
  column destination_id uuid
  column in_flight integer
  column name text
  column oldest_at timestamp with time zone
  column ready_at timestamp with time zone
  column state text
  column waiting bigint
  column workspace_id uuid
 SELECT l.workspace_id,
    l.destination_id,
    d.name,
        CASE
            WHEN (d.id IS NULL) THEN 'deleted'::text
            WHEN (NOT l.is_enabled) THEN 'disabled'::text
            WHEN (l.open_until > now()) THEN 'breaker_open'::text
            WHEN (l.in_flight >= l.capacity) THEN 'full'::text
            WHEN (l.limited_until > now()) THEN 'rate_limited'::text
            WHEN (l.due_at <= now()) THEN 'ready'::text
            ELSE 'waiting'::text
        END AS state,
    w.waiting,
    l.in_flight,
    w.oldest_at,
    l.ready_at
   FROM ((private.lanes l
     LEFT JOIN public.destinations d ON (((d.workspace_id = l.workspace_id) AND (d.id = l.destination_id))))
     JOIN LATERAL ( SELECT count(*) AS waiting,
            min(q.message_created_at) AS oldest_at
           FROM private.webhook_queue q
          WHERE ((q.destination_id = l.destination_id) AND (q.claim IS NULL))) w ON (((w.waiting > 0) OR (l.in_flight > 0))))
UNION ALL
 SELECT f.workspace_id,
    NULL::uuid AS destination_id,
    NULL::text AS name,
    'queueing'::text AS state,
    count(*) AS waiting,
    0 AS in_flight,
    min(f.message_created_at) AS oldest_at,
    NULL::timestamp with time zone AS ready_at
   FROM private.fan_outs f
  GROUP BY f.workspace_id;
  comment: Deliveries that wait for each destination, since when, and why they are not sent; without a destination, messages of a workspace that are still to be queued.

view ops.cells with (security_invoker=true)
  column bytes bigint
  column cell text
  column connections bigint
  column events_last_hour numeric
  column ingested_bytes_last_hour numeric
  column moves bigint
  column waiting_deliveries numeric
  column workspaces bigint
 SELECT private.cell_name() AS cell,
    ( SELECT count(*) AS count
           FROM public.workspaces) AS workspaces,
    pg_database_size(current_database()) AS bytes,
    COALESCE(events, (0)::numeric) AS events_last_hour,
    COALESCE(bytes, (0)::numeric) AS ingested_bytes_last_hour,
    COALESCE(( SELECT sum(b.waiting) AS sum
           FROM ops.backlog b), (0)::numeric) AS waiting_deliveries,
    ( SELECT count(*) AS count
           FROM pg_stat_activity a
          WHERE (a.datname = current_database())) AS connections,
    ( SELECT count(*) AS count
           FROM private.workspace_moves) AS moves
   FROM ( SELECT sum(s.events) AS events,
            sum(s.bytes) AS bytes
           FROM public.usage_stats s
          WHERE (s.hour >= (date_trunc('hour'::text, now()) - '01:00:00'::interval))) u;
  comment: The load and size of this cell; deno task cells shows all. Figures of the last hour cover the last whole hour and the current one.

view ops.destination_health with (security_invoker=true)
  column destination_id uuid
  column disabled_by text
  column disabled_reason text
  column enabled boolean
  column failed_24h bigint
  column failing_since timestamp with time zone
  column failures integer
  column is_failing boolean
  column last_error text
  column last_failure_at timestamp with time zone
  column last_success_at timestamp with time zone
  column name text
  column ok_24h bigint
  column open_until timestamp with time zone
  column state text
  column workspace_id uuid
 SELECT d.workspace_id,
    d.id AS destination_id,
    d.name,
    d.enabled,
    d.disabled_by,
    d.disabled_reason,
        CASE
            WHEN (d.disabled_by = 'service'::text) THEN 'failing'::text
            WHEN (NOT d.enabled) THEN 'disabled'::text
            WHEN (l.last_failure_at > COALESCE(l.last_success_at, '-infinity'::timestamp with time zone)) THEN 'failing'::text
            WHEN (l.last_success_at IS NULL) THEN 'unused'::text
            ELSE 'healthy'::text
        END AS state,
    l.is_failing,
    l.failures,
    l.failing_since,
    l.open_until,
    l.last_error,
    l.last_success_at,
    l.last_failure_at,
    COALESCE(s.ok, (0)::bigint) AS ok_24h,
    COALESCE(s.failed, (0)::bigint) AS failed_24h
   FROM ((public.destinations d
     JOIN private.lanes l ON (((l.workspace_id = d.workspace_id) AND (l.destination_id = d.id))))
     LEFT JOIN LATERAL ( SELECT sum(h.ok) AS ok,
            sum(h.failed) AS failed
           FROM public.delivery_stats h
          WHERE ((h.workspace_id = d.workspace_id) AND (h.destination_id = d.id) AND (h.hour > (now() - '24:00:00'::interval)))) s ON (true));
  comment: The health of each destination: state is failing when the newest attempt failed or the service disabled it. Totals cover whole hours.

view ops.journey_backlog with (security_invoker=true)
  column claimed bigint
  column due bigint
  column due_since timestamp with time zone
  column is_open boolean
  column jobs bigint
  column journey_id uuid
  column workspace_id uuid
 SELECT workspace_id,
    journey_id,
    is_open,
    ( SELECT count(*) AS count
           FROM public.journey_runs r
          WHERE ((r.workspace_id = l.workspace_id) AND (r.journey_id = l.journey_id) AND (r.state = 'active'::text) AND (r.claim IS NULL) AND (r.due_at <= now()))) AS due,
    ( SELECT min(r.due_at) AS min
           FROM public.journey_runs r
          WHERE ((r.workspace_id = l.workspace_id) AND (r.journey_id = l.journey_id) AND (r.state = 'active'::text) AND (r.claim IS NULL) AND (r.due_at <= now()))) AS due_since,
    ( SELECT count(*) AS count
           FROM public.journey_runs r
          WHERE ((r.workspace_id = l.workspace_id) AND (r.journey_id = l.journey_id) AND (r.claim IS NOT NULL))) AS claimed,
    ( SELECT count(*) AS count
           FROM private.journey_jobs j
          WHERE ((j.workspace_id = l.workspace_id) AND (j.journey_id = l.journey_id))) AS jobs
   FROM private.journey_lanes l;
  comment: Per journey the runs that are due and not moved yet, since when, those a worker has claimed, and unfinished jobs.

view ops.ownerless_workspaces with (security_invoker=true)
  column created_at timestamp with time zone
  column members bigint
  column name text
  column workspace_id uuid
 SELECT id AS workspace_id,
    name,
    created_at,
    ( SELECT count(*) AS count
           FROM public.workspace_members m
          WHERE (m.workspace_id = w.id)) AS members
   FROM public.workspaces w
  WHERE ((NOT (EXISTS ( SELECT
           FROM public.workspace_members m
          WHERE ((m.workspace_id = w.id) AND (m.role = 'owner'::text))))) AND (NOT private.is_erased(id)));
  comment: Workspaces whose last owner's account was deleted when there was no admin to replace them: see ops.add_owner.

view ops.secret_keys with (security_invoker=true)
  column key_id text
  column kinds jsonb
  column secrets bigint
 SELECT key_id,
    (sum(secrets))::bigint AS secrets,
    jsonb_object_agg(kind, secrets) AS kinds
   FROM private.secret_counts() c(key_id, kind, secrets)
  GROUP BY key_id;
  comment: Counts of the secrets that still need each encryption key, in all and per kind of owner. A key's id is the start of its SHA-256.

view ops.segment_lag with (security_invoker=true)
  column audited bigint
  column computing bigint
  column differences bigint
  column due_timers bigint
  column folded_at timestamp with time zone
  column last_error text
  column next_check_at timestamp with time zone
  column oldest_at timestamp with time zone
  column signals bigint
  column workspace_id uuid
 SELECT l.workspace_id,
    q.signals,
    q.oldest_at,
    ( SELECT count(*) AS count
           FROM private.segment_checks k
          WHERE ((k.workspace_id = l.workspace_id) AND (k.check_at <= clock_timestamp()))) AS due_timers,
    NULLIF(l.next_check_at, 'infinity'::timestamp with time zone) AS next_check_at,
    ( SELECT count(*) AS count
           FROM public.segments s
          WHERE ((s.workspace_id = l.workspace_id) AND (s.state = 'computing'::text))) AS computing,
    NULLIF(l.folded_at, '-infinity'::timestamp with time zone) AS folded_at,
    l.last_error,
    l.audited,
    l.differences
   FROM (private.segment_lanes l
     CROSS JOIN LATERAL ( SELECT count(*) AS signals,
            min(s.received_at) AS oldest_at
           FROM private.signals s
          WHERE (s.workspace_id = l.workspace_id)) q);
  comment: Per workspace with segments: signals and timers that wait for a fold, computations in progress, the last failure, and the result of the audits.

view ops.send_backlog with (security_invoker=true)
  column in_flight integer
  column limited_by text
  column name text
  column oldest_at timestamp with time zone
  column rate_allowed integer
  column rate_reached real
  column ready_at timestamp with time zone
  column sender_id uuid
  column waiting bigint
  column workspace_id uuid
 SELECT l.workspace_id,
    l.sender_id,
    o.name,
    w.waiting,
    l.in_flight,
    w.oldest_at,
    l.ready_at,
    l.rate_per_second AS rate_allowed,
        CASE
            WHEN (l.rate_from <= (now() - '00:00:20'::interval)) THEN (0)::real
            WHEN (l.rate_from <= (now() - '00:00:10'::interval)) THEN (((l.rate_count)::numeric / EXTRACT(epoch FROM (now() - l.rate_from))))::real
            ELSE l.rate_reached
        END AS rate_reached,
        CASE
            WHEN (w.waiting = 0) THEN NULL::text
            WHEN l.is_deleted THEN 'deleted'::text
            WHEN (p.stopped_at IS NOT NULL) THEN 'stopped'::text
            WHEN (NOT l.is_enabled) THEN 'disabled'::text
            WHEN (l.open_until > now()) THEN 'breaker'::text
            WHEN (l.paused_until > now()) THEN 'provider'::text
            WHEN (l.in_flight >= l.capacity) THEN 'concurrency'::text
            WHEN (l.limited_until > now()) THEN 'rate'::text
            WHEN (l.due_at <= now()) THEN 'dispatch'::text
            ELSE 'schedule'::text
        END AS limited_by
   FROM (((private.send_lanes l
     LEFT JOIN public.senders o ON (((o.workspace_id = l.workspace_id) AND (o.id = l.sender_id))))
     LEFT JOIN public.send_settings p ON ((p.workspace_id = l.workspace_id)))
     CROSS JOIN LATERAL ( SELECT count(*) AS waiting,
            min(q.due_at) AS oldest_at
           FROM private.send_queue q
          WHERE ((q.workspace_id = l.workspace_id) AND (q.sender_id = l.sender_id) AND (q.claim IS NULL))) w);
  comment: Messages that wait for each sender, since when, its allowed and reached rate per second, and what limits it: stopped, disabled, breaker, provider (it asked for a pause), concurrency, rate, dispatch (due, and nobody claims it) or schedule (due later); null if none waits.

table private.api_keys
  column created_at timestamp with time zone not null default now()
  column created_by uuid
  column expires_at timestamp with time zone
  column hash bytea not null
  column id uuid not null default private.uuid_v7()
  column last_four text not null
  column last_used_at timestamp with time zone
  column name text not null
  column revoked_at timestamp with time zone
  column scopes text[] not null
  column workspace_id uuid not null
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL
  constraint api_keys_hash_check CHECK ((octet_length(hash) = 32))
  constraint api_keys_id_key UNIQUE (id)
  constraint api_keys_last_four_check CHECK ((char_length(last_four) = 4))
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint api_keys_pkey PRIMARY KEY (hash)
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['track:write'::text, 'customers:read'::text, 'customers:write'::text, 'events:read'::text, 'destinations:read'::text, 'destinations:write'::text, 'deliveries:read'::text, 'deliveries:write'::text, 'sources:read'::text, 'sources:write'::text, 'topics:read'::text, 'topics:write'::text, 'suppressions:read'::text, 'suppressions:write'::text, 'segments:read'::text, 'segments:write'::text, 'templates:read'::text, 'templates:write'::text, 'senders:read'::text, 'senders:write'::text, 'sends:read'::text, 'sends:write'::text, 'journeys:read'::text, 'journeys:write'::text, 'campaigns:read'::text, 'campaigns:write'::text])))
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX api_keys_created_by_idx ON private.api_keys USING btree (created_by)
  index CREATE INDEX api_keys_live_idx ON private.api_keys USING btree (workspace_id, expires_at) WHERE (revoked_at IS NULL)
  index CREATE INDEX api_keys_workspace_id_idx ON private.api_keys USING btree (workspace_id, id DESC)
  index CREATE UNIQUE INDEX api_keys_id_key ON private.api_keys USING btree (id)
  index CREATE UNIQUE INDEX api_keys_pkey ON private.api_keys USING btree (hash)
  row level security enabled
  policy "Admins can create keys" for insert to signalpost_user with check ((workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) AND (created_by = ( SELECT auth.uid() AS uid)))
  policy "Admins can read keys" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids(ARRAY['owner'::text, 'admin'::text]) AS member_workspace_ids))
  policy "Admins can revoke keys" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check ((revoked_at IS NOT NULL) AND (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)))
  trigger CREATE TRIGGER api_keys_limit AFTER INSERT ON private.api_keys REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('api_keys', 'workspace_id')
  grant insert (created_by) to signalpost_user
  grant insert (expires_at) to signalpost_user
  grant insert (hash) to signalpost_user
  grant insert (id) to signalpost_user
  grant insert (last_four) to signalpost_user
  grant insert (name) to signalpost_user
  grant insert (scopes) to signalpost_user
  grant insert (workspace_id) to signalpost_user
  grant select (created_at) to signalpost_user
  grant select (created_by) to signalpost_user
  grant select (expires_at) to signalpost_user
  grant select (id) to signalpost_user
  grant select (last_four) to signalpost_user
  grant select (last_used_at) to signalpost_user
  grant select (name) to signalpost_user
  grant select (revoked_at) to signalpost_user
  grant select (scopes) to signalpost_user
  grant select (workspace_id) to signalpost_user
  grant update (revoked_at) to signalpost_user
  comment: SHA-256 of each key with its last four characters; the key itself is shown once and kept nowhere.

type private.attempt_result
  column action text
  column attempt_number integer
  column attempted_at timestamp with time zone
  column claim uuid
  column destination_id uuid
  column duration_ms integer
  column error text
  column event_type text
  column id uuid
  column message_created_at timestamp with time zone
  column message_id uuid
  column next_attempt_at timestamp with time zone
  column ok boolean
  column position bigint
  column reason text
  column response_snippet text
  column status_code smallint
  column trigger text
  column workspace_id uuid

table private.campaign_counts
  column campaign_id uuid not null
  column count bigint not null
  column id bigint not null identity
  column kind text not null
  column variant smallint not null
  column workspace_id uuid not null
  constraint campaign_counts_pkey PRIMARY KEY (workspace_id, campaign_id, variant, kind, id)
  index CREATE UNIQUE INDEX campaign_counts_pkey ON private.campaign_counts USING btree (workspace_id, campaign_id, variant, kind, id)
  row level security enabled
  policy "Keys can read counts of campaigns" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['campaigns:read'::text, 'campaigns:write'::text]) AS key_workspace_id))
  policy "Members can read counts of campaigns" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: The outcomes of a campaign. Appended, so that nobody who sends waits for a counter; each step of a campaign adds its rows up.

table private.campaign_jobs with (fillfactor=70)
  column accepted_complained bigint not null default 0
  column accepted_sent bigint not null default 0
  column base_at timestamp with time zone
  column campaign_id uuid not null
  column cursor uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column decide_at timestamp with time zone
  column due_at timestamp with time zone not null
  column is_announced boolean not null default false
  column last_error text
  column next_send_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column phase text not null
  column rest_at timestamp with time zone not null default 'infinity'::timestamp with time zone
  column workspace_id uuid not null
  constraint campaign_jobs_phase_check CHECK ((phase = ANY (ARRAY['audience'::text, 'feed'::text, 'cancel'::text, 'expire'::text, 'cleanup'::text])))
  constraint campaign_jobs_pkey PRIMARY KEY (workspace_id, campaign_id)
  index CREATE INDEX campaign_jobs_due_at_idx ON private.campaign_jobs USING btree (due_at)
  index CREATE UNIQUE INDEX campaign_jobs_pkey ON private.campaign_jobs USING btree (workspace_id, campaign_id)
  row level security enabled
  comment: The work on each campaign that is scheduled, running or leaves rows behind. Its lock comes before that of the campaign.

type private.campaign_pick
  column address_hash bytea
  column current_id uuid
  column customer_id uuid
  column due_at timestamp with time zone
  column reason text
  column row_id tid
  column variant smallint

table private.campaign_recipients
  column address_hash bytea not null
  column campaign_id uuid not null
  column customer_id uuid not null
  column due_at timestamp with time zone not null
  column reason text
  column send_id uuid
  column state text not null default 'pending'::text
  column variant smallint
  column workspace_id uuid not null
  constraint campaign_recipients_address_hash_check CHECK ((octet_length(address_hash) = 32))
  constraint campaign_recipients_address_key UNIQUE (workspace_id, campaign_id, address_hash)
  constraint campaign_recipients_pkey PRIMARY KEY (workspace_id, campaign_id, customer_id)
  constraint campaign_recipients_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'queued'::text, 'skipped'::text])))
  index CREATE INDEX campaign_recipients_due_at_idx ON private.campaign_recipients USING btree (workspace_id, campaign_id, due_at, customer_id) WHERE (state = 'pending'::text)
  index CREATE UNIQUE INDEX campaign_recipients_address_key ON private.campaign_recipients USING btree (workspace_id, campaign_id, address_hash)
  index CREATE UNIQUE INDEX campaign_recipients_pkey ON private.campaign_recipients USING btree (workspace_id, campaign_id, customer_id)
  row level security enabled
  comment: The audience of each campaign, fixed when it began: one row per address. Queued: its send has the outcome.

table private.canceled_messages_default
  column canceled_at timestamp with time zone not null
  column destination_id uuid not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column workspace_id uuid not null
  constraint canceled_messages_default_pkey PRIMARY KEY (workspace_id, destination_id, message_created_at, message_id)
  index CREATE UNIQUE INDEX canceled_messages_default_pkey ON private.canceled_messages_default USING btree (workspace_id, destination_id, message_created_at, message_id)
  row level security enabled

table private.cap_uses with (fillfactor=70)
  column address_hash bytea not null
  column channel text not null
  column last_used_at timestamp with time zone not null
  column send_ids uuid[] not null
  column used_ats timestamp with time zone[] not null
  column workspace_id uuid not null
  constraint cap_uses_address_hash_check CHECK ((octet_length(address_hash) = 32))
  constraint cap_uses_channel_check CHECK ((channel = 'email'::text))
  constraint cap_uses_pkey PRIMARY KEY (workspace_id, channel, address_hash)
  index CREATE INDEX cap_uses_last_used_at_idx ON private.cap_uses USING btree (last_used_at)
  index CREATE UNIQUE INDEX cap_uses_pkey ON private.cap_uses USING btree (workspace_id, channel, address_hash)
  row level security enabled
  comment: Marketing sends to an address that count against the caps of the workspace, written while it has caps. The row is locked while a place is reserved.

type private.compiled_condition
  column joins text[]
  column root integer

type private.condition_scope
  column is_deep boolean
  column source text
  column workspace_id uuid

table private.consents
  column address_hash bytea not null
  column changed_at timestamp with time zone not null
  column channel text not null
  column source text not null
  column subscribed boolean not null
  column topic_id uuid not null
  column workspace_id uuid not null
  constraint consents_address_hash_check CHECK ((octet_length(address_hash) = 32))
  constraint consents_channel_check CHECK ((channel = 'email'::text))
  constraint consents_pkey PRIMARY KEY (workspace_id, channel, address_hash, topic_id)
  constraint consents_source_check CHECK ((source = ANY (ARRAY['api'::text, 'import'::text, 'link'::text, 'event'::text, 'complaint'::text, 'address_change'::text])))
  index CREATE INDEX consents_topic_id_idx ON private.consents USING btree (workspace_id, topic_id)
  index CREATE UNIQUE INDEX consents_pkey ON private.consents USING btree (workspace_id, channel, address_hash, topic_id)
  row level security enabled
  trigger CREATE TRIGGER consents_count_added AFTER INSERT ON private.consents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_consents()
  trigger CREATE TRIGGER consents_count_changed AFTER UPDATE ON private.consents REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_consents()
  comment: The last word of an address about a topic, or about all of them. No row: the default of the topic.

type private.created_identity
  column customer_id uuid
  column entry_kind text
  column i integer
  column identity_id bigint
  column kind text
  column last_i integer
  column workspace_id uuid

type private.customer_change
  column changed text[]
  column customer_id uuid
  column i integer
  column is_created boolean
  column merged jsonb
  column workspace_id uuid

table private.deliveries_default
  column attempt_number integer not null
  column attempted_at timestamp with time zone not null
  column destination_id uuid not null
  column duration_ms integer
  column error text
  column event_type text not null
  column id uuid not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column next_attempt_at timestamp with time zone
  column ok boolean not null
  column response_snippet text
  column status_code smallint
  column trigger text not null
  column workspace_id uuid not null
  constraint deliveries_attempt_number_check CHECK ((attempt_number > 0))
  constraint deliveries_default_pkey PRIMARY KEY (workspace_id, attempted_at, id)
  constraint deliveries_trigger_check CHECK ((trigger = ANY (ARRAY['event'::text, 'retry'::text, 'replay'::text, 'test'::text])))
  index CREATE INDEX deliveries_default_workspace_id_attempted_at_id_idx ON private.deliveries_default USING btree (workspace_id, attempted_at DESC, id DESC) WHERE (NOT ok)
  index CREATE INDEX deliveries_default_workspace_id_destination_id_attempted_a_idx1 ON private.deliveries_default USING btree (workspace_id, destination_id, attempted_at DESC, id DESC) WHERE (NOT ok)
  index CREATE INDEX deliveries_default_workspace_id_destination_id_attempted_at_idx ON private.deliveries_default USING btree (workspace_id, destination_id, attempted_at DESC, id DESC)
  index CREATE INDEX deliveries_default_workspace_id_destination_id_ok_message_i_idx ON private.deliveries_default USING btree (workspace_id, destination_id, ok, message_id) WHERE (next_attempt_at IS NULL)
  index CREATE INDEX deliveries_default_workspace_id_event_type_attempted_at_id_idx ON private.deliveries_default USING btree (workspace_id, event_type, attempted_at DESC, id DESC)
  index CREATE INDEX deliveries_default_workspace_id_message_id_idx ON private.deliveries_default USING btree (workspace_id, message_id)
  index CREATE UNIQUE INDEX deliveries_default_pkey ON private.deliveries_default USING btree (workspace_id, attempted_at, id)
  row level security enabled

table private.destination_event_types
  column destination_id uuid not null
  column pattern text not null
  column prefix_length integer generated as (
CASE
    WHEN (pattern ~~ '%*'::text) THEN (char_length(pattern) - 1)
    ELSE NULL::integer
END)
  column workspace_id uuid not null
  constraint destination_event_types_destination_id_fkey FOREIGN KEY (workspace_id, destination_id) REFERENCES public.destinations(workspace_id, id) ON DELETE CASCADE
  constraint destination_event_types_pkey PRIMARY KEY (workspace_id, pattern, destination_id)
  index CREATE INDEX destination_event_types_destination_id_idx ON private.destination_event_types USING btree (workspace_id, destination_id)
  index CREATE INDEX destination_event_types_prefix_length_idx ON private.destination_event_types USING btree (workspace_id, prefix_length) WHERE (prefix_length IS NOT NULL)
  index CREATE UNIQUE INDEX destination_event_types_pkey ON private.destination_event_types USING btree (workspace_id, pattern, destination_id)
  row level security enabled
  comment: The event types of each destination, one per row, written in the transaction that changes them: see private.follow_event_types.

table private.destination_secrets
  column ciphertext text not null
  column created_at timestamp with time zone not null default clock_timestamp()
  column destination_id uuid not null
  column expires_at timestamp with time zone
  column id uuid not null default private.uuid_v7()
  column key_id text not null generated as (split_part(ciphertext, '.'::text, 2))
  column workspace_id uuid not null
  constraint destination_secrets_ciphertext_check CHECK ((ciphertext ~~ 'v1.%.%'::text))
  constraint destination_secrets_destination_id_fkey FOREIGN KEY (workspace_id, destination_id) REFERENCES public.destinations(workspace_id, id) ON DELETE CASCADE
  constraint destination_secrets_pkey PRIMARY KEY (workspace_id, id)
  index CREATE INDEX destination_secrets_destination_id_idx ON private.destination_secrets USING btree (workspace_id, destination_id, created_at DESC)
  index CREATE INDEX destination_secrets_expires_at_idx ON private.destination_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL)
  index CREATE INDEX destination_secrets_key_id_idx ON private.destination_secrets USING btree (key_id, id)
  index CREATE UNIQUE INDEX destination_secrets_pkey ON private.destination_secrets USING btree (workspace_id, id)
  row level security enabled
  policy "Admins can add secrets" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can let secrets expire" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can see which secrets there are" for select to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can add secrets" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id))
  policy "Keys can let secrets expire" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id))
  policy "Keys can see which secrets there are" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id))
  trigger CREATE TRIGGER destination_secrets_keep_expiry BEFORE UPDATE OF expires_at ON private.destination_secrets FOR EACH ROW WHEN ((COALESCE(new.expires_at, 'infinity'::timestamp with time zone) > old.expires_at)) EXECUTE FUNCTION private.keep_secret_expiry()
  trigger CREATE TRIGGER destination_secrets_limit AFTER INSERT ON private.destination_secrets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('destination_secrets', 'destination_id')
  grant insert (ciphertext) to signalpost_key
  grant insert (ciphertext) to signalpost_user
  grant insert (created_at) to signalpost_key
  grant insert (created_at) to signalpost_user
  grant insert (destination_id) to signalpost_key
  grant insert (destination_id) to signalpost_user
  grant insert (workspace_id) to signalpost_key
  grant insert (workspace_id) to signalpost_user
  grant select (created_at) to signalpost_key
  grant select (created_at) to signalpost_user
  grant select (destination_id) to signalpost_key
  grant select (destination_id) to signalpost_user
  grant select (expires_at) to signalpost_key
  grant select (expires_at) to signalpost_user
  grant select (id) to signalpost_key
  grant select (id) to signalpost_user
  grant select (workspace_id) to signalpost_key
  grant select (workspace_id) to signalpost_user
  grant update (expires_at) to signalpost_key
  grant update (expires_at) to signalpost_user
  comment: Signing secrets as ciphertext under the key with the id key_id; the one without expires_at is current. Only the functions encrypt and decrypt: the database never sees a secret.

table private.directory
  column cell text not null
  column user_id uuid not null
  column workspace_id uuid not null
  constraint directory_cell_check CHECK ((cell ~ '^[0-9a-f]{2}$'::text))
  constraint directory_pkey PRIMARY KEY (workspace_id, user_id)
  index CREATE INDEX directory_user_id_idx ON private.directory USING btree (user_id)
  index CREATE UNIQUE INDEX directory_pkey ON private.directory USING btree (workspace_id, user_id)
  row level security enabled
  comment: In the first cell: the members of workspaces that live in other cells.

table private.dispatch_state
  column configured_for text
  column id boolean not null default true
  column watched_until timestamp with time zone not null default '-infinity'::timestamp with time zone
  constraint dispatch_state_id_check CHECK (id)
  constraint dispatch_state_pkey PRIMARY KEY (id)
  index CREATE UNIQUE INDEX dispatch_state_pkey ON private.dispatch_state USING btree (id)
  row level security enabled
  comment: One row: whether a dispatcher may be called, and whether one is running.

table private.dispatch_wakes
  column notified_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column posted_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column slot smallint not null
  constraint dispatch_wakes_pkey PRIMARY KEY (slot)
  index CREATE UNIQUE INDEX dispatch_wakes_pkey ON private.dispatch_wakes USING btree (slot)
  row level security enabled
  comment: When dispatchers were last woken. Three slots, so that a transaction that holds one does not block wake-ups.

type private.erasure_progress
  column cursor text
  column due_at timestamp with time zone
  column is_finished boolean
  column rows integer

table private.erasure_steps
  column delay interval not null default '00:00:00'::interval
  column function_name text not null
  column position integer not null
  column step text not null
  column subject text not null
  constraint erasure_steps_pkey PRIMARY KEY (step)
  constraint erasure_steps_subject_check CHECK ((subject = ANY (ARRAY['customer'::text, 'workspace'::text])))
  constraint erasure_steps_subject_position_key UNIQUE (subject, "position")
  index CREATE UNIQUE INDEX erasure_steps_pkey ON private.erasure_steps USING btree (step)
  index CREATE UNIQUE INDEX erasure_steps_subject_position_key ON private.erasure_steps USING btree (subject, "position")
  row level security enabled
  comment: The steps by which customers and workspaces are erased: see private.work_erasure.

table private.erasures
  column created_at timestamp with time zone not null default clock_timestamp()
  column cursor text not null default ''::text
  column customer_id uuid
  column customer_ids uuid[] not null default '{}'::uuid[]
  column deletion_message_id uuid
  column due_at timestamp with time zone not null default clock_timestamp()
  column id uuid not null default private.uuid_v7()
  column identity_ids bigint[] not null default '{}'::bigint[]
  column search_terms text[] not null default '{}'::text[]
  column step text not null
  column workspace_id uuid not null
  constraint erasures_pkey PRIMARY KEY (workspace_id, id)
  constraint erasures_step_fkey FOREIGN KEY (step) REFERENCES private.erasure_steps(step)
  index CREATE INDEX erasures_due_at_idx ON private.erasures USING btree (due_at)
  index CREATE INDEX erasures_step_idx ON private.erasures USING btree (step)
  index CREATE INDEX erasures_workspace_id_due_at_idx ON private.erasures USING btree (workspace_id, due_at)
  index CREATE UNIQUE INDEX erasures_pkey ON private.erasures USING btree (workspace_id, id)
  row level security enabled
  comment: Erasures in progress. A row is deleted when nothing is left, so that nothing shows whom it was about.

table private.event_interests
  column event text not null
  column workspace_id uuid not null
  constraint event_interests_pkey PRIMARY KEY (workspace_id, event)
  index CREATE UNIQUE INDEX event_interests_pkey ON private.event_interests USING btree (workspace_id, event)
  row level security enabled
  comment: The event names that a segment of the workspace depends on.

table private.events_default
  column anon_id text
  column context jsonb not null default '{}'::jsonb
  column external_id text
  column id uuid not null
  column identity_id bigint not null
  column kind text not null default 'event'::text
  column name text
  column occurred_at timestamp with time zone not null
  column properties jsonb not null default '{}'::jsonb
  column received_at timestamp with time zone not null
  column workspace_id uuid not null
  constraint events_default_pkey PRIMARY KEY (workspace_id, received_at, id)
  constraint events_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'identify'::text, 'alias'::text])))
  constraint events_name_check CHECK (((kind = 'event'::text) = (name IS NOT NULL)))
  index CREATE INDEX events_default_workspace_id_identity_id_occurred_at_id_name_idx ON private.events_default USING btree (workspace_id, identity_id, occurred_at DESC, id DESC, name)
  index CREATE INDEX events_default_workspace_id_name_received_at_id_idx ON private.events_default USING btree (workspace_id, name, received_at DESC, id DESC) WHERE (name IS NOT NULL)
  index CREATE UNIQUE INDEX events_default_pkey ON private.events_default USING btree (workspace_id, received_at, id)
  row level security enabled

table private.fan_outs with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column destination_ids uuid[] not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column missed_ids uuid[] not null
  column workspace_id uuid not null
  constraint fan_outs_pkey PRIMARY KEY (workspace_id, message_id)
  index CREATE UNIQUE INDEX fan_outs_pkey ON private.fan_outs USING btree (workspace_id, message_id)
  row level security enabled
  comment: Messages that are still to be queued for their destinations, because a call created too many rows of the queue at once. Dispatchers queue them in steps, see private.work_fan_outs.

table private.feature_buckets with (fillfactor=70)
  column feature_id bigint not null
  column hour timestamp with time zone not null
  column identity_id bigint not null
  column max numeric not null
  column min numeric not null
  column sum numeric not null
  column workspace_id uuid not null
  constraint feature_buckets_pkey PRIMARY KEY (workspace_id, feature_id, identity_id, hour)
  index CREATE INDEX feature_buckets_identity_id_idx ON private.feature_buckets USING btree (workspace_id, identity_id)
  index CREATE UNIQUE INDEX feature_buckets_pkey ON private.feature_buckets USING btree (workspace_id, feature_id, identity_id, hour)
  row level security enabled
  comment: Sum, least and greatest number of a feature per identity and hour (UTC).

type private.feature_hit
  column feature_id bigint
  column identity_id bigint

table private.feature_marks with (fillfactor=70)
  column feature_id bigint not null
  column identity_id bigint not null
  column marks timestamp with time zone[] not null
  column workspace_id uuid not null
  constraint feature_marks_pkey PRIMARY KEY (workspace_id, feature_id, identity_id)
  index CREATE INDEX feature_marks_identity_id_idx ON private.feature_marks USING btree (workspace_id, identity_id)
  index CREATE UNIQUE INDEX feature_marks_pkey ON private.feature_marks USING btree (workspace_id, feature_id, identity_id)
  row level security enabled
  comment: The newest times at which an identity had the event of a feature, newest first.

table private.features
  column conditions jsonb not null
  column cursor_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column cursor_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column event text not null
  column hash bytea not null
  column id bigint not null identity
  column is_fenced boolean not null default false
  column keep smallint not null
  column property text[]
  column since timestamp with time zone
  column state text not null
  column until timestamp with time zone
  column workspace_id uuid not null
  constraint features_keep_check CHECK (((keep >= 1) AND (keep <= 101)))
  constraint features_pkey PRIMARY KEY (workspace_id, id)
  constraint features_state_check CHECK ((state = ANY (ARRAY['building'::text, 'ready'::text, 'dropped'::text])))
  constraint features_workspace_id_hash_key UNIQUE (workspace_id, hash)
  index CREATE INDEX features_dropped_idx ON private.features USING btree (workspace_id) WHERE (state = 'dropped'::text)
  index CREATE INDEX features_event_idx ON private.features USING btree (workspace_id, event)
  index CREATE UNIQUE INDEX features_pkey ON private.features USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX features_workspace_id_hash_key ON private.features USING btree (workspace_id, hash)
  row level security enabled
  comment: An event name with conditions on its properties, that segments count or add up; shared by all of a workspace.

type private.finished_row
  column destination_id uuid
  column due_at timestamp with time zone
  column is_manual boolean
  column workspace_id uuid

table private.fold_wakes
  column heard_until timestamp with time zone not null default '-infinity'::timestamp with time zone
  column notified_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column slot smallint not null
  constraint fold_wakes_pkey PRIMARY KEY (slot)
  index CREATE UNIQUE INDEX fold_wakes_pkey ON private.fold_wakes USING btree (slot)
  row level security enabled
  comment: When a folder was last woken. Three slots, so that a transaction that holds one does not block wake-ups.

table private.idempotency_keys with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0)
  column created_at timestamp with time zone not null
  column customer_id uuid not null
  column event_id uuid not null
  column key text not null
  column workspace_id uuid not null
  constraint idempotency_keys_pkey PRIMARY KEY (workspace_id, key)
  index CREATE INDEX idempotency_keys_created_at_idx ON private.idempotency_keys USING btree (created_at)
  index CREATE UNIQUE INDEX idempotency_keys_pkey ON private.idempotency_keys USING btree (workspace_id, key)
  row level security enabled
  comment: The ids in the response to the first call with a key; valid for 24 h from that call.

table private.idempotent_requests
  column caller_id uuid not null
  column created_at timestamp with time zone not null
  column customer_id uuid
  column fingerprint text not null
  column key text not null
  column response text
  column workspace_id uuid not null
  constraint idempotent_requests_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
  constraint idempotent_requests_pkey PRIMARY KEY (workspace_id, caller_id, key)
  constraint idempotent_requests_response_length_check CHECK ((octet_length(response) <= 90000))
  index CREATE INDEX idempotent_requests_created_at_idx ON private.idempotent_requests USING btree (created_at)
  index CREATE INDEX idempotent_requests_customer_id_idx ON private.idempotent_requests USING btree (workspace_id, customer_id) WHERE (customer_id IS NOT NULL)
  index CREATE UNIQUE INDEX idempotent_requests_pkey ON private.idempotent_requests USING btree (workspace_id, caller_id, key)
  row level security enabled
  comment: The response to the first call with an Idempotency-Key, at most 64 KiB; valid for 24 h, per workspace and caller.

table private.inbound_receipts_default
  column accepted integer not null default 0
  column body text
  column body_bytes integer not null
  column customer_ids uuid[] not null default '{}'::uuid[]
  column duplicates integer not null default 0
  column error text
  column headers jsonb not null default '{}'::jsonb
  column id uuid not null
  column ignored integer not null default 0
  column is_verified boolean not null
  column message_id text
  column outcome text not null
  column received_at timestamp with time zone not null
  column rejected integer not null default 0
  column request_id uuid not null
  column results jsonb not null default '[]'::jsonb
  column source_id uuid not null
  column status_code smallint not null
  column workspace_id uuid not null
  constraint inbound_receipts_default_pkey PRIMARY KEY (workspace_id, received_at, id)
  constraint inbound_receipts_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'duplicate'::text, 'ignored'::text, 'rejected'::text, 'handshake'::text, 'refused'::text])))
  constraint inbound_receipts_status_code_check CHECK (((status_code >= 200) AND (status_code <= 599)))
  index CREATE INDEX inbound_receipts_default_customer_ids_idx ON private.inbound_receipts_default USING gin (customer_ids) WHERE (body IS NOT NULL)
  index CREATE INDEX inbound_receipts_default_workspace_id_source_id_outcome_rec_idx ON private.inbound_receipts_default USING btree (workspace_id, source_id, outcome, received_at DESC, id DESC)
  index CREATE INDEX inbound_receipts_default_workspace_id_source_id_received_at_idx ON private.inbound_receipts_default USING btree (workspace_id, source_id, received_at DESC, id DESC) INCLUDE (outcome)
  index CREATE UNIQUE INDEX inbound_receipts_default_pkey ON private.inbound_receipts_default USING btree (workspace_id, received_at, id)
  row level security enabled

table private.inbound_secrets
  column ciphertext text not null
  column created_at timestamp with time zone not null default clock_timestamp()
  column expires_at timestamp with time zone
  column id uuid not null default private.uuid_v7()
  column key_id text not null generated as (split_part(ciphertext, '.'::text, 2))
  column source_id uuid not null
  column workspace_id uuid not null
  constraint inbound_secrets_ciphertext_check CHECK ((ciphertext ~~ 'v1.%.%'::text))
  constraint inbound_secrets_pkey PRIMARY KEY (workspace_id, id)
  constraint inbound_secrets_source_id_fkey FOREIGN KEY (workspace_id, source_id) REFERENCES public.inbound_sources(workspace_id, id) ON DELETE CASCADE
  index CREATE INDEX inbound_secrets_expires_at_idx ON private.inbound_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL)
  index CREATE INDEX inbound_secrets_key_id_idx ON private.inbound_secrets USING btree (key_id, id)
  index CREATE INDEX inbound_secrets_source_id_idx ON private.inbound_secrets USING btree (workspace_id, source_id, created_at DESC)
  index CREATE UNIQUE INDEX inbound_secrets_pkey ON private.inbound_secrets USING btree (workspace_id, id)
  row level security enabled
  policy "Admins can add inbound secrets" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can let inbound secrets expire" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can see which inbound secrets there are" for select to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can add inbound secrets" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id))
  policy "Keys can let inbound secrets expire" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id))
  policy "Keys can see which inbound secrets there are" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id))
  trigger CREATE TRIGGER inbound_secrets_keep_expiry BEFORE UPDATE OF expires_at ON private.inbound_secrets FOR EACH ROW WHEN ((COALESCE(new.expires_at, 'infinity'::timestamp with time zone) > old.expires_at)) EXECUTE FUNCTION private.keep_secret_expiry()
  trigger CREATE TRIGGER source_secrets_limit AFTER INSERT ON private.inbound_secrets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('source_secrets', 'source_id')
  grant insert (ciphertext) to signalpost_key
  grant insert (ciphertext) to signalpost_user
  grant insert (created_at) to signalpost_key
  grant insert (created_at) to signalpost_user
  grant insert (source_id) to signalpost_key
  grant insert (source_id) to signalpost_user
  grant insert (workspace_id) to signalpost_key
  grant insert (workspace_id) to signalpost_user
  grant select (created_at) to signalpost_key
  grant select (created_at) to signalpost_user
  grant select (expires_at) to signalpost_key
  grant select (expires_at) to signalpost_user
  grant select (id) to signalpost_key
  grant select (id) to signalpost_user
  grant select (source_id) to signalpost_key
  grant select (source_id) to signalpost_user
  grant select (workspace_id) to signalpost_key
  grant select (workspace_id) to signalpost_user
  grant update (expires_at) to signalpost_key
  grant update (expires_at) to signalpost_user
  comment: Secrets that verify signatures, as ciphertext under the key with the id key_id; the one without expires_at is current.

table private.inbound_tokens
  column created_at timestamp with time zone not null default now()
  column source_id uuid not null
  column token_hash text not null
  column workspace_id uuid not null
  constraint inbound_tokens_pkey PRIMARY KEY (workspace_id, source_id, token_hash)
  index CREATE INDEX inbound_tokens_created_at_idx ON private.inbound_tokens USING btree (created_at)
  index CREATE UNIQUE INDEX inbound_tokens_pkey ON private.inbound_tokens USING btree (workspace_id, source_id, token_hash)
  row level security enabled
  comment: Tokens with which a source received a message, accepted or not; each is valid once.

type private.ingest_entry
  column anon_id text
  column customer_id uuid
  column event_id uuid
  column external_id text
  column idempotency_key text
  column identity_id bigint
  column is_duplicate boolean
  column kind text
  column previous_id text
  column refused_code text
  column refused_field text
  column repeats integer
  column unmerged_reason text
  column workspace_id uuid

type private.ingest_step
  column attributes jsonb
  column customer_id uuid
  column external_id text
  column i integer
  column identity_id bigint
  column is_creator boolean
  column is_link boolean
  column is_merge boolean
  column kind text
  column last_i integer
  column other_customer_id uuid
  column other_id text
  column other_identity_id bigint
  column profile jsonb
  column refused_code text
  column refused_field text
  column unmerged_reason text
  column workspace_id uuid

table private.journey_dates
  column customer_id uuid not null
  column due_at timestamp with time zone not null
  column entered_for timestamp with time zone
  column journey_id uuid not null
  column workspace_id uuid not null
  constraint journey_dates_pkey PRIMARY KEY (workspace_id, journey_id, customer_id)
  index CREATE INDEX journey_dates_customer_id_idx ON private.journey_dates USING btree (workspace_id, customer_id)
  index CREATE INDEX journey_dates_due_at_idx ON private.journey_dates USING btree (due_at) WHERE (due_at < 'infinity'::timestamp with time zone)
  index CREATE UNIQUE INDEX journey_dates_pkey ON private.journey_dates USING btree (workspace_id, journey_id, customer_id)
  row level security enabled
  comment: Timers of journeys that a date of the profile triggers.

table private.journey_entries
  column customer_id uuid not null
  column journey_id uuid not null
  column key text not null
  column last_at timestamp with time zone not null
  column times integer not null
  column workspace_id uuid not null
  constraint journey_entries_pkey PRIMARY KEY (workspace_id, journey_id, customer_id, key)
  index CREATE INDEX journey_entries_customer_id_idx ON private.journey_entries USING btree (workspace_id, customer_id)
  index CREATE UNIQUE INDEX journey_entries_pkey ON private.journey_entries USING btree (workspace_id, journey_id, customer_id, key)
  row level security enabled
  comment: Number and last time of the entries of a customer with a key: decides on the next entry.

type private.journey_entry
  column at timestamp with time zone
  column cause jsonb
  column customer_id uuid
  column depth smallint
  column event_id uuid
  column journey_id uuid
  column trigger jsonb
  column version integer

table private.journey_interests
  column journey_id uuid not null
  column kind text not null
  column ref text not null default ''::text
  column role text not null
  column step text not null default ''::text
  column version integer not null
  column workspace_id uuid not null
  constraint journey_interests_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'profile'::text, 'segment'::text, 'consent'::text, 'date'::text])))
  constraint journey_interests_pkey PRIMARY KEY (workspace_id, journey_id, version, role, kind, ref, step)
  constraint journey_interests_role_check CHECK ((role = ANY (ARRAY['trigger'::text, 'run'::text])))
  index CREATE INDEX journey_interests_ref_idx ON private.journey_interests USING btree (workspace_id, role, kind, ref)
  index CREATE UNIQUE INDEX journey_interests_pkey ON private.journey_interests USING btree (workspace_id, journey_id, version, role, kind, ref, step)
  row level security enabled
  comment: Changes that versions of journeys depend on: the fold ignores all others.

table private.journey_jobs
  column created_at timestamp with time zone not null default clock_timestamp()
  column cursor uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column id uuid not null default private.uuid_v7()
  column journey_id uuid not null
  column kind text not null
  column version integer not null
  column workspace_id uuid not null
  constraint journey_jobs_kind_check CHECK ((kind = ANY (ARRAY['include'::text, 'dates'::text, 'stop'::text, 'move'::text, 'pass_by'::text])))
  constraint journey_jobs_pkey PRIMARY KEY (workspace_id, id)
  index CREATE INDEX journey_jobs_due_at_idx ON private.journey_jobs USING btree (due_at)
  index CREATE UNIQUE INDEX journey_jobs_pkey ON private.journey_jobs USING btree (workspace_id, id)
  row level security enabled
  comment: Work on many customers or runs of a journey, in steps.

table private.journey_lanes
  column claimed_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column due_at timestamp with time zone not null default 'infinity'::timestamp with time zone
  column is_open boolean not null default true
  column journey_id uuid not null
  column workspace_id uuid not null
  constraint journey_lanes_pkey PRIMARY KEY (workspace_id, journey_id)
  index CREATE INDEX journey_lanes_due_at_idx ON private.journey_lanes USING btree (due_at) WHERE is_open
  index CREATE UNIQUE INDEX journey_lanes_pkey ON private.journey_lanes USING btree (workspace_id, journey_id)
  row level security enabled
  comment: One row per published journey: when the next of its runs is due.

table private.journey_stat_deltas
  column count bigint not null
  column id bigint not null identity
  column journey_id uuid not null
  column kind text not null
  column step text not null
  column version integer not null
  column workspace_id uuid not null
  constraint journey_stat_deltas_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX journey_stat_deltas_pkey ON private.journey_stat_deltas USING btree (workspace_id, id)
  row level security enabled
  comment: Additions to public.journey_stats since it was last updated.

table private.lane_arrivals with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column destination_ids uuid[] not null
  column due_at timestamp with time zone not null
  column id bigint not null identity
  column is_manual boolean not null
  column workspace_id uuid not null
  constraint lane_arrivals_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX lane_arrivals_pkey ON private.lane_arrivals USING btree (workspace_id, id)
  row level security enabled
  comment: Lanes that got new rows. Appended, so that publishers never wait for a lane or for each other; the next claim adds them to the lanes.

type private.lane_credit
  column credit integer
  column destination_id uuid
  column due_at timestamp with time zone
  column manual_credit integer
  column manual_due_at timestamp with time zone
  column row_id tid
  column tokens double precision
  column workspace_id uuid

type private.lane_tally
  column destination_id uuid
  column disable_reason text
  column due_at timestamp with time zone
  column failed_at timestamp with time zone
  column failures integer
  column finished integer
  column last_error text
  column last_failed_at timestamp with time zone
  column manual_due_at timestamp with time zone
  column response_ms double precision
  column succeeded_at timestamp with time zone
  column workspace_id uuid

table private.lanes with (fillfactor=50, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column ahead integer not null default 0
  column capacity integer not null generated as (COALESCE(probes, LEAST((max_concurrency * (1 + ahead)), 500)))
  column destination_id uuid not null
  column due_at timestamp with time zone
  column enabled_at timestamp with time zone not null default clock_timestamp()
  column failing_since timestamp with time zone
  column failures integer not null default 0
  column in_flight integer not null default 0
  column is_enabled boolean not null
  column is_failing boolean not null default false
  column is_waiting boolean not null generated as ((((in_flight < 1000) AND (manual_due_at IS NOT NULL)) OR (is_enabled AND (due_at IS NOT NULL) AND (in_flight < COALESCE(probes, LEAST((max_concurrency * (1 + ahead)), 500))))))
  column last_error text
  column last_failure_at timestamp with time zone
  column last_success_at timestamp with time zone
  column limited_until timestamp with time zone
  column manual_due_at timestamp with time zone
  column max_concurrency integer not null
  column open_until timestamp with time zone
  column owner uuid
  column probes integer
  column rate_limit_per_second integer
  column ready_at timestamp with time zone generated as (LEAST(
CASE
    WHEN (in_flight < 1000) THEN manual_due_at
    ELSE NULL::timestamp with time zone
END,
CASE
    WHEN (is_enabled AND (due_at IS NOT NULL) AND (in_flight < COALESCE(probes, LEAST((max_concurrency * (1 + ahead)), 500)))) THEN GREATEST(due_at, open_until, limited_until, refilled_at)
    ELSE NULL::timestamp with time zone
END))
  column refilled_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column tokens double precision not null default 1
  column trips integer not null default 0
  column workspace_id uuid not null
  constraint lanes_pkey PRIMARY KEY (workspace_id, destination_id)
  index CREATE INDEX lanes_waiting_idx ON private.lanes USING btree (workspace_id, destination_id) WHERE is_waiting
  index CREATE UNIQUE INDEX lanes_pkey ON private.lanes USING btree (workspace_id, destination_id)
  row level security enabled
  comment: One row per destination; kept after the destination was deleted until its queue is empty.

table private.limited_kinds
  column action text not null
  column condition text not null
  column kind text not null
  column noun text not null
  column owner_column text not null
  column table_name text not null
  constraint limited_kinds_pkey PRIMARY KEY (kind)
  index CREATE UNIQUE INDEX limited_kinds_pkey ON private.limited_kinds USING btree (kind)
  row level security enabled
  comment: Limits of plans: the column max_<kind> of public.plans is the most rows of table_name that meet condition and have the same owner_column.

type private.message_filter
  column destination_id uuid
  column event_type text
  column from_at timestamp with time zone
  column from_id uuid
  column state text

type private.message_position
  column created_at timestamp with time zone
  column destination_id uuid
  column message_id uuid

type private.message_state
  column attempted_at timestamp with time zone
  column attempts integer
  column canceled_at timestamp with time zone
  column created_at timestamp with time zone
  column delivery_id uuid
  column destination_id uuid
  column destination_name text
  column error text
  column event_type text
  column held_by text
  column is_in_progress boolean
  column message_id uuid
  column next_attempt_at timestamp with time zone
  column state text
  column status_code smallint

table private.missed_messages_default
  column destination_id uuid not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column workspace_id uuid not null
  constraint missed_messages_default_pkey PRIMARY KEY (workspace_id, destination_id, message_created_at, message_id)
  index CREATE UNIQUE INDEX missed_messages_default_pkey ON private.missed_messages_default USING btree (workspace_id, destination_id, message_created_at, message_id)
  row level security enabled

table private.move_marks
  column id uuid not null default private.uuid_v7()
  column workspace_id uuid not null
  constraint move_marks_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX move_marks_pkey ON private.move_marks USING btree (workspace_id, id)
  row level security enabled
  comment: A row that follows the last change of a workspace: when it has arrived, everything has.

table private.move_rules
  column is_copied boolean not null default false
  column is_taken_out boolean not null default false
  column skips text[] not null default '{}'::text[]
  column table_name text not null
  constraint move_rules_check CHECK ((is_copied OR (NOT is_taken_out)))
  constraint move_rules_pkey PRIMARY KEY (table_name)
  constraint move_rules_skips_check CHECK ((skips <@ ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text]))
  index CREATE UNIQUE INDEX move_rules_pkey ON private.move_rules USING btree (table_name)
  row level security enabled
  comment: Tables that do not move by replication alone. is_copied: as a whole at the switch, because background work or a key finds the rows. is_taken_out: deleted before the switch, so that the work stops. skips: operations of background work that have no effect during the switch instead of failing.

table private.moved_addresses
  column address bytea not null
  column cell text not null
  column workspace_id uuid not null
  constraint moved_addresses_cell_check CHECK ((cell ~ '^[0-9a-f]{2}$'::text))
  constraint moved_addresses_pkey PRIMARY KEY (address)
  index CREATE INDEX moved_addresses_workspace_id_idx ON private.moved_addresses USING btree (workspace_id)
  index CREATE UNIQUE INDEX moved_addresses_pkey ON private.moved_addresses USING btree (address)
  row level security enabled
  comment: Keys (SHA-256) and sources (the 16 bytes of the id) of workspaces that moved away, and to which cell.

type private.new_message
  column customer_id uuid
  column destination_id uuid
  column event_type text
  column payload jsonb
  column workspace_id uuid

type private.new_send
  column campaign_id uuid
  column customer_id uuid
  column data jsonb
  column depth smallint
  column due_at timestamp with time zone
  column email text
  column id uuid
  column is_test boolean
  column journey_id uuid
  column key text
  column not_after timestamp with time zone
  column on_cap text
  column position integer
  column run_id uuid
  column sender_id uuid
  column step text
  column template_id uuid
  column topic_id uuid
  column variant smallint
  column visit integer
  column workspace_id uuid

type private.node_truth
  column cause text
  column customer_id uuid
  column depth smallint
  column holds boolean
  column parent smallint
  column segment_id uuid
  column until timestamp with time zone

table private.partition_policies
  column ahead integer not null
  column keep interval
  column step text not null
  column table_name text not null
  constraint partition_policies_ahead_check CHECK (((ahead >= 1) AND (ahead <= 60)))
  constraint partition_policies_pkey PRIMARY KEY (table_name)
  constraint partition_policies_step_check CHECK ((step = ANY (ARRAY['day'::text, 'month'::text])))
  index CREATE UNIQUE INDEX partition_policies_pkey ON private.partition_policies USING btree (table_name)
  row level security enabled
  comment: Per partitioned table of public: width of a partition, how many are created ahead, how long they are kept (null: forever).

table private.periodic_tasks
  column batch_size integer
  column call text not null
  column every interval not null
  column max_batches integer not null default 1
  column name text not null
  column position integer not null
  constraint periodic_tasks_batch_size_check CHECK ((batch_size > 0))
  constraint periodic_tasks_every_check CHECK ((every = ANY (ARRAY['00:00:10'::interval, '01:00:00'::interval])))
  constraint periodic_tasks_every_position_key UNIQUE (every, "position")
  constraint periodic_tasks_max_batches_check CHECK ((max_batches > 0))
  constraint periodic_tasks_pkey PRIMARY KEY (name)
  index CREATE UNIQUE INDEX periodic_tasks_every_position_key ON private.periodic_tasks USING btree (every, "position")
  index CREATE UNIQUE INDEX periodic_tasks_pkey ON private.periodic_tasks USING btree (name)
  row level security enabled
  comment: Tasks that the database runs at regular intervals: see private.run_tasks.

unlogged table private.rate_limit_buckets with (fillfactor=50)
  column bucket text not null
  column refilled_at timestamp with time zone not null
  column tokens double precision not null
  column workspace_id uuid not null
  constraint rate_limit_buckets_bucket_check CHECK ((bucket = ANY (ARRAY['ingest'::text, 'api'::text])))
  constraint rate_limit_buckets_pkey PRIMARY KEY (workspace_id, bucket)
  index CREATE UNIQUE INDEX rate_limit_buckets_pkey ON private.rate_limit_buckets USING btree (workspace_id, bucket)
  row level security enabled
  comment: Tokens left in each bucket at refilled_at, below zero after more than a bucket was taken at once. Unlogged: losing it in a crash admits one more burst.

table private.rejected_entries_default
  column code text not null
  column entry text not null
  column error text not null
  column field text
  column headers jsonb not null default '{}'::jsonb
  column id uuid not null
  column is_truncated boolean not null default false
  column message_id text
  column origin text not null
  column part smallint
  column receipt_id uuid
  column rejected_at timestamp with time zone not null
  column request_id uuid not null
  column resent_at timestamp with time zone
  column resent_event_id uuid
  column source_id uuid
  column workspace_id uuid not null
  constraint rejected_entries_default_pkey PRIMARY KEY (workspace_id, rejected_at, id)
  constraint rejected_entries_origin_check CHECK ((origin = ANY (ARRAY['track'::text, 'segment'::text, 'inbound'::text])))
  constraint rejected_entries_source_check CHECK (((origin = 'inbound'::text) = (source_id IS NOT NULL)))
  index CREATE INDEX rejected_entries_default_workspace_id_origin_rejected_at_id_idx ON private.rejected_entries_default USING btree (workspace_id, origin, rejected_at DESC, id DESC)
  index CREATE INDEX rejected_entries_default_workspace_id_rejected_at_id_idx ON private.rejected_entries_default USING btree (workspace_id, rejected_at DESC, id DESC) WHERE (resent_at IS NOT NULL)
  index CREATE INDEX rejected_entries_default_workspace_id_source_id_rejected_at_idx ON private.rejected_entries_default USING btree (workspace_id, source_id, rejected_at DESC, id DESC) WHERE (source_id IS NOT NULL)
  index CREATE UNIQUE INDEX rejected_entries_default_pkey ON private.rejected_entries_default USING btree (workspace_id, rejected_at, id)
  row level security enabled

table private.run_arrivals
  column due_at timestamp with time zone not null
  column id bigint not null identity
  column journey_id uuid not null
  column workspace_id uuid not null
  constraint run_arrivals_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX run_arrivals_pkey ON private.run_arrivals USING btree (workspace_id, id)
  row level security enabled
  comment: Runs that became due earlier than their lane knows; a claim folds them into the lanes.

table private.run_steps_default
  column at timestamp with time zone not null
  column done_at timestamp with time zone not null
  column journey_id uuid not null
  column kind text not null
  column outcome jsonb not null
  column run_id uuid not null
  column step text not null
  column version integer not null
  column visit integer not null
  column workspace_id uuid not null
  constraint run_steps_default_pkey PRIMARY KEY (workspace_id, done_at, run_id, visit)
  index CREATE INDEX run_steps_default_workspace_id_run_id_visit_idx ON private.run_steps_default USING btree (workspace_id, run_id, visit)
  index CREATE UNIQUE INDEX run_steps_default_pkey ON private.run_steps_default USING btree (workspace_id, done_at, run_id, visit)
  row level security enabled

table private.secret_owners
  column kind text not null
  column owner_column text not null
  column table_name text not null
  constraint secret_owners_pkey PRIMARY KEY (kind)
  index CREATE UNIQUE INDEX secret_owners_pkey ON private.secret_owners USING btree (kind)
  row level security enabled
  comment: Tables of encrypted secrets: each has the columns workspace_id, id, key_id, ciphertext and expires_at, owner_column, and an index on (key_id, id).

table private.segment_changes_default
  column at timestamp with time zone not null
  column cause text not null
  column change text not null
  column customer_id uuid not null
  column id uuid not null
  column segment_id uuid not null
  column workspace_id uuid not null
  constraint segment_changes_cause_check CHECK ((cause = ANY (ARRAY['event'::text, 'profile'::text, 'time'::text, 'merge'::text, 'segment'::text, 'consent'::text])))
  constraint segment_changes_change_check CHECK ((change = ANY (ARRAY['entered'::text, 'left'::text])))
  constraint segment_changes_default_pkey PRIMARY KEY (workspace_id, at, id)
  index CREATE INDEX segment_changes_default_workspace_id_customer_id_idx ON private.segment_changes_default USING btree (workspace_id, customer_id)
  index CREATE INDEX segment_changes_default_workspace_id_segment_id_at_id_idx ON private.segment_changes_default USING btree (workspace_id, segment_id, at DESC, id DESC)
  index CREATE UNIQUE INDEX segment_changes_default_pkey ON private.segment_changes_default USING btree (workspace_id, at, id)
  row level security enabled

table private.segment_checks with (fillfactor=80)
  column check_at timestamp with time zone not null
  column customer_id uuid not null
  column segment_id uuid not null
  column workspace_id uuid not null
  constraint segment_checks_pkey PRIMARY KEY (workspace_id, customer_id, segment_id)
  index CREATE INDEX segment_checks_check_at_idx ON private.segment_checks USING btree (workspace_id, check_at)
  index CREATE UNIQUE INDEX segment_checks_pkey ON private.segment_checks USING btree (workspace_id, customer_id, segment_id)
  row level security enabled
  comment: Timers: when a customer is to be compared with a segment again though nothing happens.

table private.segment_jobs
  column cursor uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column done bigint not null default 0
  column phase text not null
  column segment_id uuid not null
  column total bigint not null default 0
  column version integer not null
  column worked_at timestamp with time zone not null default clock_timestamp()
  column workspace_id uuid not null
  constraint segment_jobs_phase_check CHECK ((phase = ANY (ARRAY['features'::text, 'customers'::text, 'cleanup'::text])))
  constraint segment_jobs_pkey PRIMARY KEY (workspace_id, segment_id)
  index CREATE UNIQUE INDEX segment_jobs_pkey ON private.segment_jobs USING btree (workspace_id, segment_id)
  row level security enabled
  comment: First computations of new and edited segments, and removals of members of old versions, in steps.

table private.segment_lanes
  column audited bigint not null default 0
  column differences bigint not null default 0
  column folded_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column last_error text
  column next_check_at timestamp with time zone not null default 'infinity'::timestamp with time zone
  column rest_until timestamp with time zone not null default '-infinity'::timestamp with time zone
  column workspace_id uuid not null
  constraint segment_lanes_pkey PRIMARY KEY (workspace_id)
  index CREATE INDEX segment_lanes_next_check_at_idx ON private.segment_lanes USING btree (next_check_at)
  index CREATE UNIQUE INDEX segment_lanes_pkey ON private.segment_lanes USING btree (workspace_id)
  row level security enabled
  comment: One row per workspace that has segments: who holds it locked folds its signals.

table private.segment_nodes
  column bounds numrange
  column depth smallint not null
  column feature_id bigint
  column kind text not null
  column least_times smallint
  column most_times smallint
  column node smallint not null
  column parent smallint
  column segment_id uuid not null
  column span interval
  column workspace_id uuid not null
  constraint segment_nodes_kind_check CHECK ((kind = ANY (ARRAY['all'::text, 'any'::text, 'not'::text, 'count'::text, 'sum'::text, 'min'::text, 'max'::text])))
  constraint segment_nodes_pkey PRIMARY KEY (workspace_id, segment_id, node)
  index CREATE UNIQUE INDEX segment_nodes_pkey ON private.segment_nodes USING btree (workspace_id, segment_id, node)
  row level security enabled
  comment: The nodes of conditions that are about events alone: a fold answers all of them in one statement.

table private.segment_parts
  column kind text not null
  column ref text not null
  column segment_id uuid not null
  column workspace_id uuid not null
  constraint segment_parts_kind_check CHECK ((kind = ANY (ARRAY['feature'::text, 'field'::text, 'segment'::text, 'topic'::text])))
  constraint segment_parts_pkey PRIMARY KEY (workspace_id, segment_id, kind, ref)
  index CREATE INDEX segment_parts_ref_idx ON private.segment_parts USING btree (workspace_id, kind, ref)
  index CREATE UNIQUE INDEX segment_parts_pkey ON private.segment_parts USING btree (workspace_id, segment_id, kind, ref)
  row level security enabled
  comment: Links a live segment to all that its condition depends on.

type private.segment_truth
  column cause text
  column customer_id uuid
  column holds boolean
  column segment_id uuid
  column until timestamp with time zone

table private.send_arrivals with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column due_at timestamp with time zone not null
  column id bigint not null identity
  column sender_ids uuid[] not null
  column workspace_id uuid not null
  constraint send_arrivals_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX send_arrivals_pkey ON private.send_arrivals USING btree (workspace_id, id)
  row level security enabled
  comment: Lanes that got new rows. Appended, so that nobody who creates sends waits for a lane; the next claim adds them to the lanes.

type private.send_check
  column address_hash bytea
  column decision text
  column is_capped boolean
  column not_after timestamp with time zone
  column on_cap text
  column reason text
  column send_id uuid
  column until timestamp with time zone
  column workspace_id uuid

type private.send_credit
  column credit integer
  column due_at timestamp with time zone
  column row_id tid
  column sender_id uuid
  column tokens double precision
  column workspace_id uuid

table private.send_keys with (autovacuum_vacuum_scale_factor=0.05)
  column created_at timestamp with time zone not null
  column key text not null
  column send_id uuid not null
  column workspace_id uuid not null
  constraint send_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 500)))
  constraint send_keys_pkey PRIMARY KEY (workspace_id, key)
  index CREATE INDEX send_keys_created_at_idx ON private.send_keys USING btree (created_at)
  index CREATE INDEX send_keys_send_id_idx ON private.send_keys USING btree (workspace_id, send_id)
  index CREATE UNIQUE INDEX send_keys_pkey ON private.send_keys USING btree (workspace_id, key)
  row level security enabled
  comment: Keys under which a send was created: the same key again creates none. Kept as long as the sends.

table private.send_lanes with (fillfactor=50, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column ahead integer not null default 0
  column capacity integer not null generated as (COALESCE(probes, LEAST((max_concurrency * (1 + ahead)), 500)))
  column due_at timestamp with time zone
  column enabled_at timestamp with time zone not null default clock_timestamp()
  column failing_since timestamp with time zone
  column failures integer not null default 0
  column in_flight integer not null default 0
  column is_deleted boolean not null default false
  column is_enabled boolean not null
  column is_failing boolean not null default false
  column is_waiting boolean not null generated as ((is_enabled AND (due_at IS NOT NULL) AND (in_flight < COALESCE(probes, LEAST((max_concurrency * (1 + ahead)), 500)))))
  column last_error text
  column last_failure_at timestamp with time zone
  column last_success_at timestamp with time zone
  column limited_until timestamp with time zone
  column max_concurrency integer not null
  column open_until timestamp with time zone
  column owner uuid
  column paused_until timestamp with time zone
  column probes integer
  column rate_count integer not null default 0
  column rate_from timestamp with time zone not null default '-infinity'::timestamp with time zone
  column rate_per_second integer
  column rate_reached real not null default 0
  column ready_at timestamp with time zone generated as (
CASE
    WHEN (is_enabled AND (due_at IS NOT NULL) AND (in_flight < COALESCE(probes, LEAST((max_concurrency * (1 + ahead)), 500)))) THEN GREATEST(due_at, open_until, limited_until, paused_until, refilled_at)
    ELSE NULL::timestamp with time zone
END)
  column refilled_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column sender_id uuid not null
  column tokens double precision not null default 1
  column trips integer not null default 0
  column workspace_id uuid not null
  constraint send_lanes_pkey PRIMARY KEY (workspace_id, sender_id)
  index CREATE INDEX send_lanes_waiting_idx ON private.send_lanes USING btree (workspace_id, sender_id) WHERE is_waiting
  index CREATE UNIQUE INDEX send_lanes_pkey ON private.send_lanes USING btree (workspace_id, sender_id)
  row level security enabled
  comment: One row per sender; kept after the sender was deleted until its queue is empty.

table private.send_queue with (fillfactor=70, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column attempts integer not null default 0
  column claim uuid
  column due_at timestamp with time zone not null
  column is_marketing boolean not null
  column lease_until timestamp with time zone
  column send_id uuid not null
  column sender_id uuid not null
  column started_at timestamp with time zone
  column workspace_id uuid not null
  constraint send_queue_pkey PRIMARY KEY (workspace_id, sender_id, send_id)
  index CREATE INDEX send_queue_claimed_idx ON private.send_queue USING btree (workspace_id, sender_id) WHERE (lease_until IS NOT NULL)
  index CREATE INDEX send_queue_waiting_idx ON private.send_queue USING btree (workspace_id, sender_id, is_marketing, due_at, send_id) WHERE (claim IS NULL)
  index CREATE UNIQUE INDEX send_queue_pkey ON private.send_queue USING btree (workspace_id, sender_id, send_id)
  row level security enabled
  comment: One row per send from its creation to its outcome. Lanes decide which rows can be claimed.

type private.send_result
  column action text
  column attempt jsonb
  column attempted_at timestamp with time zone
  column claim uuid
  column duration_ms integer
  column is_hard_bounce boolean
  column is_sender_failure boolean
  column next_attempt_at timestamp with time zone
  column paused_until timestamp with time zone
  column position bigint
  column provider_id text
  column queued_at timestamp with time zone
  column reason text
  column send_id uuid
  column sender_id uuid
  column workspace_id uuid

type private.send_start
  column claim uuid
  column email text
  column facts jsonb
  column links text[]
  column message_id text
  column queued_at timestamp with time zone
  column send_id uuid
  column sender_id uuid
  column template_version integer
  column workspace_id uuid

type private.send_tally
  column due_at timestamp with time zone
  column failed_at timestamp with time zone
  column failures integer
  column finished integer
  column handed integer
  column last_error text
  column last_failed_at timestamp with time zone
  column paused_until timestamp with time zone
  column response_ms double precision
  column sender_id uuid
  column succeeded_at timestamp with time zone
  column workspace_id uuid

table private.sender_secrets
  column ciphertext text not null
  column created_at timestamp with time zone not null default clock_timestamp()
  column expires_at timestamp with time zone
  column id uuid not null default private.uuid_v7()
  column key_id text not null generated as (split_part(ciphertext, '.'::text, 2))
  column sender_id uuid not null
  column workspace_id uuid not null
  constraint sender_secrets_ciphertext_check CHECK ((ciphertext ~~ 'v1.%.%'::text))
  constraint sender_secrets_expires_at_check CHECK ((expires_at IS NULL))
  constraint sender_secrets_pkey PRIMARY KEY (workspace_id, id)
  constraint sender_secrets_sender_id_fkey FOREIGN KEY (workspace_id, sender_id) REFERENCES public.senders(workspace_id, id) ON DELETE CASCADE
  constraint sender_secrets_sender_id_key UNIQUE (workspace_id, sender_id)
  index CREATE INDEX sender_secrets_key_id_idx ON private.sender_secrets USING btree (key_id, id)
  index CREATE UNIQUE INDEX sender_secrets_pkey ON private.sender_secrets USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX sender_secrets_sender_id_key ON private.sender_secrets USING btree (workspace_id, sender_id)
  row level security enabled
  policy "Admins can add credentials" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can change credentials" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can remove credentials" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can see which senders have credentials" for select to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can add credentials" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  policy "Keys can change credentials" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  policy "Keys can remove credentials" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  policy "Keys can see which senders have credentials" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  grant delete on table to signalpost_key
  grant delete on table to signalpost_user
  grant insert (ciphertext) to signalpost_key
  grant insert (ciphertext) to signalpost_user
  grant insert (sender_id) to signalpost_key
  grant insert (sender_id) to signalpost_user
  grant insert (workspace_id) to signalpost_key
  grant insert (workspace_id) to signalpost_user
  grant select (created_at) to signalpost_key
  grant select (created_at) to signalpost_user
  grant select (id) to signalpost_key
  grant select (id) to signalpost_user
  grant select (sender_id) to signalpost_key
  grant select (sender_id) to signalpost_user
  grant select (workspace_id) to signalpost_key
  grant select (workspace_id) to signalpost_user
  grant update (ciphertext) to signalpost_key
  grant update (ciphertext) to signalpost_user
  comment: Credentials of senders, as ciphertext under the key with the id key_id. They never expire.

table private.sends_default
  column address_hash bytea
  column attempts jsonb not null default '[]'::jsonb
  column campaign_id uuid
  column channel text not null default 'email'::text
  column clicked_at timestamp with time zone
  column customer_id uuid
  column data jsonb not null default '{}'::jsonb
  column depth smallint not null default 0
  column email text
  column facts jsonb
  column feedback text
  column feedback_at timestamp with time zone
  column feedback_reason text
  column finished_at timestamp with time zone
  column id uuid not null
  column is_test boolean not null default false
  column journey_id uuid
  column links text[] not null default '{}'::text[]
  column message_id text
  column not_after timestamp with time zone
  column on_cap text not null default 'skip'::text
  column opened_at timestamp with time zone
  column provider_id text
  column queued_at timestamp with time zone not null
  column reason text
  column run_id uuid
  column sender_id uuid not null
  column sent_at timestamp with time zone
  column state text not null default 'queued'::text
  column step text
  column template_id uuid
  column template_version integer
  column topic_id uuid
  column unsubscribed_at timestamp with time zone
  column variant smallint
  column visit integer
  column workspace_id uuid not null
  constraint sends_channel_check CHECK ((channel = 'email'::text))
  constraint sends_default_pkey PRIMARY KEY (workspace_id, queued_at, id)
  constraint sends_feedback_check CHECK ((feedback = ANY (ARRAY['delivered'::text, 'soft_bounced'::text, 'bounced'::text, 'complained'::text])))
  constraint sends_on_cap_check CHECK ((on_cap = ANY (ARRAY['skip'::text, 'wait'::text])))
  constraint sends_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'skipped'::text, 'unknown'::text])))
  index CREATE INDEX sends_default_workspace_id_address_hash_queued_at_idx ON private.sends_default USING btree (workspace_id, address_hash, queued_at DESC) WHERE (address_hash IS NOT NULL)
  index CREATE INDEX sends_default_workspace_id_campaign_id_queued_at_id_idx ON private.sends_default USING btree (workspace_id, campaign_id, queued_at DESC, id DESC) WHERE (campaign_id IS NOT NULL)
  index CREATE INDEX sends_default_workspace_id_customer_id_queued_at_id_idx ON private.sends_default USING btree (workspace_id, customer_id, queued_at DESC, id DESC)
  index CREATE INDEX sends_default_workspace_id_journey_id_queued_at_id_idx ON private.sends_default USING btree (workspace_id, journey_id, queued_at DESC, id DESC) WHERE (journey_id IS NOT NULL)
  index CREATE INDEX sends_default_workspace_id_provider_id_idx ON private.sends_default USING btree (workspace_id, provider_id) WHERE (provider_id IS NOT NULL)
  index CREATE INDEX sends_default_workspace_id_run_id_idx ON private.sends_default USING btree (workspace_id, run_id) WHERE (run_id IS NOT NULL)
  index CREATE INDEX sends_default_workspace_id_state_queued_at_id_idx ON private.sends_default USING btree (workspace_id, state, queued_at DESC, id DESC)
  index CREATE INDEX sends_default_workspace_id_template_id_queued_at_id_idx ON private.sends_default USING btree (workspace_id, template_id, queued_at DESC, id DESC)
  index CREATE UNIQUE INDEX sends_default_pkey ON private.sends_default USING btree (workspace_id, queued_at, id)
  row level security enabled

table private.service_event_types
  column description text not null
  column is_about_destination boolean not null default false
  column type text not null
  constraint service_event_types_pkey PRIMARY KEY (type)
  index CREATE UNIQUE INDEX service_event_types_pkey ON private.service_event_types USING btree (type)
  row level security enabled
  policy "Users and keys can read event types" for select to signalpost_key, signalpost_user using ( SELECT true)
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Event types that the service itself sends, with when it does.

table private.signals with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column at timestamp with time zone
  column customer_id uuid
  column depth smallint not null default 0
  column event_id uuid
  column id bigint not null identity
  column identity_id bigint
  column kind text not null
  column name text
  column received_at timestamp with time zone
  column workspace_id uuid not null
  constraint signals_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'profile'::text, 'seen'::text, 'created'::text, 'merge'::text, 'consent'::text, 'segment'::text, 'removed'::text])))
  constraint signals_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX signals_pkey ON private.signals USING btree (workspace_id, id)
  row level security enabled
  comment: Changes of customers since the last fold; a fold deletes them in the transaction of their effects.

type private.subscription
  column destination_id uuid
  column enabled boolean
  column event_type text
  column workspace_id uuid

type private.taken_row
  column attempts integer
  column destination_id uuid
  column due_at timestamp with time zone
  column is_manual boolean
  column message_created_at timestamp with time zone
  column message_id uuid
  column tries integer
  column trigger text
  column workspace_id uuid

type private.taken_send
  column attempts integer
  column due_at timestamp with time zone
  column is_marketing boolean
  column send_id uuid
  column sender_id uuid
  column workspace_id uuid

table private.this_cell
  column id boolean not null default true
  column name text not null default '00'::text
  constraint this_cell_id_check CHECK (id)
  constraint this_cell_name_check CHECK ((name ~ '^[0-9a-f]{2}$'::text))
  constraint this_cell_pkey PRIMARY KEY (id)
  index CREATE UNIQUE INDEX this_cell_pkey ON private.this_cell USING btree (id)
  row level security enabled
  comment: One row: the name of this cell, see ops.name_cell.

table private.topic_counts
  column id bigint not null identity
  column subscribed bigint not null
  column topic_id uuid not null
  column unsubscribed bigint not null
  column workspace_id uuid not null
  constraint topic_counts_pkey PRIMARY KEY (workspace_id, topic_id, id)
  index CREATE UNIQUE INDEX topic_counts_pkey ON private.topic_counts USING btree (workspace_id, topic_id, id)
  row level security enabled
  policy "Keys can read counts of topics" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['topics:read'::text, 'topics:write'::text]) AS key_workspace_id))
  policy "Members can read counts of topics" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Changes of how many addresses joined and left a topic. Appended, so that nobody waits for a counter; the frequent tasks add them up.

type private.usage_delta
  column at timestamp with time zone
  column bytes bigint
  column customers integer
  column events integer
  column name text
  column workspace_id uuid

table private.usage_deltas with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column at timestamp with time zone not null
  column bytes bigint not null default 0
  column customers integer not null default 0
  column events integer not null default 0
  column id bigint not null identity
  column name text
  column workspace_id uuid not null
  constraint usage_deltas_pkey PRIMARY KEY (workspace_id, id)
  index CREATE UNIQUE INDEX usage_deltas_pkey ON private.usage_deltas USING btree (workspace_id, id)
  row level security enabled
  policy "Keys can read usage" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'destinations:read'::text]) AS key_workspace_id))
  policy "Members can read usage" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Figures that each batch of ingest added, by name of event (null: identifies and aliases), until it is added to the totals.

table private.webhook_messages_default
  column body text
  column created_at timestamp with time zone not null
  column customer_id uuid
  column event_type text not null
  column id uuid not null
  column workspace_id uuid not null
  constraint webhook_messages_default_pkey PRIMARY KEY (workspace_id, created_at, id)
  index CREATE INDEX webhook_messages_default_workspace_id_customer_id_idx ON private.webhook_messages_default USING btree (workspace_id, customer_id) WHERE (customer_id IS NOT NULL)
  index CREATE UNIQUE INDEX webhook_messages_default_pkey ON private.webhook_messages_default USING btree (workspace_id, created_at, id)
  row level security enabled

table private.webhook_queue with (fillfactor=70, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_cost_delay=0)
  column attempts integer not null default 0
  column claim uuid
  column claimed_at timestamp with time zone
  column destination_id uuid not null
  column due_at timestamp with time zone not null
  column is_manual boolean not null default false
  column is_replayed boolean not null default false
  column lease_until timestamp with time zone
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column tries integer not null default 0
  column trigger text not null default 'event'::text
  column workspace_id uuid not null
  constraint webhook_queue_pkey PRIMARY KEY (workspace_id, destination_id, message_id)
  constraint webhook_queue_trigger_check CHECK ((trigger = ANY (ARRAY['event'::text, 'retry'::text, 'replay'::text, 'test'::text])))
  index CREATE INDEX webhook_queue_claimed_idx ON private.webhook_queue USING btree (destination_id) WHERE (lease_until IS NOT NULL)
  index CREATE INDEX webhook_queue_waiting_idx ON private.webhook_queue USING btree (destination_id, is_manual, due_at, message_id) WHERE (claim IS NULL)
  index CREATE UNIQUE INDEX webhook_queue_pkey ON private.webhook_queue USING btree (workspace_id, destination_id, message_id)
  row level security enabled
  trigger CREATE TRIGGER webhook_queue_arrive AFTER INSERT ON private.webhook_queue REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION private.note_arrivals()
  comment: One row per message and destination, from publication to success or the last attempt. Lanes decide which rows can be claimed.

table private.work_wakes
  column notified_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column posted_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column slot smallint not null
  column watched_until timestamp with time zone not null default '-infinity'::timestamp with time zone
  column worker text not null
  constraint work_wakes_pkey PRIMARY KEY (worker, slot)
  index CREATE UNIQUE INDEX work_wakes_pkey ON private.work_wakes USING btree (worker, slot)
  row level security enabled
  comment: When functions that claim work were last woken. Three slots each, so that a transaction that holds one does not block wake-ups: see private.wake_worker.

table private.workspace_keys
  column created_at timestamp with time zone not null default clock_timestamp()
  column expires_at timestamp with time zone
  column id smallint not null default 1
  column inner_pad bytea not null
  column key bytea not null
  column outer_pad bytea not null
  column purpose text not null
  column workspace_id uuid not null
  constraint workspace_keys_address_check CHECK (((purpose = 'link'::text) OR ((id = 1) AND (expires_at IS NULL))))
  constraint workspace_keys_inner_pad_check CHECK ((octet_length(inner_pad) = 64))
  constraint workspace_keys_key_check CHECK ((octet_length(key) = 32))
  constraint workspace_keys_outer_pad_check CHECK ((octet_length(outer_pad) = 64))
  constraint workspace_keys_pkey PRIMARY KEY (workspace_id, purpose, id)
  constraint workspace_keys_purpose_check CHECK ((purpose = ANY (ARRAY['address'::text, 'link'::text])))
  constraint workspace_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX workspace_keys_expires_at_idx ON private.workspace_keys USING btree (expires_at) WHERE (expires_at IS NOT NULL)
  index CREATE UNIQUE INDEX workspace_keys_current_idx ON private.workspace_keys USING btree (workspace_id, purpose) WHERE (expires_at IS NULL)
  index CREATE UNIQUE INDEX workspace_keys_pkey ON private.workspace_keys USING btree (workspace_id, purpose, id)
  row level security enabled
  comment: Keys of a workspace: for the hashes of its addresses, and for the links in its messages.

table private.workspace_moves
  column cell text not null
  column direction text not null
  column started_at timestamp with time zone not null default clock_timestamp()
  column state text not null
  column switched_at timestamp with time zone
  column taken_rows jsonb
  column workspace_id uuid not null
  constraint workspace_moves_cell_check CHECK ((cell ~ '^[0-9a-f]{2}$'::text))
  constraint workspace_moves_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
  constraint workspace_moves_pkey PRIMARY KEY (workspace_id)
  constraint workspace_moves_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'switching'::text, 'moved'::text, 'arriving'::text, 'adopted'::text])))
  index CREATE UNIQUE INDEX workspace_moves_pkey ON private.workspace_moves USING btree (workspace_id)
  row level security enabled
  comment on taken_rows: While switching: the rows of the tables that move as a whole, by table.
  comment: Moves of workspaces between this cell and another, until they are finished.

table public.audit_log
  column action text not null
  column actor_id uuid
  column actor_kind text not null
  column actor_name text
  column created_at timestamp with time zone not null default clock_timestamp()
  column details jsonb not null default '{}'::jsonb
  column entity_id text
  column id uuid not null default private.uuid_v7()
  column request_id uuid
  column workspace_id uuid not null
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'api_key'::text, 'system'::text])))
  constraint audit_log_check CHECK (((actor_id IS NULL) = (actor_kind = 'system'::text)))
  constraint audit_log_pkey PRIMARY KEY (workspace_id, created_at, id)
  constraint audit_log_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX audit_log_action_idx ON public.audit_log USING btree (workspace_id, action, created_at DESC, id DESC)
  index CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (workspace_id, actor_id, created_at DESC, id DESC)
  index CREATE UNIQUE INDEX audit_log_pkey ON public.audit_log USING btree (workspace_id, created_at, id)
  row level security enabled
  policy "Admins can read the audit log" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids(ARRAY['owner'::text, 'admin'::text]) AS member_workspace_ids))
  grant select on table to signalpost_user
  comment: The log of changes, append-only. Holds ids and names of fields, never their values or a customer's data.

table public.campaigns
  column confirmed bigint
  column created_at timestamp with time zone not null default clock_timestamp()
  column ended_at timestamp with time zone
  column exclude_ids uuid[] not null default '{}'::uuid[]
  column explanation text
  column goal jsonb
  column id uuid not null default private.uuid_v7()
  column key text
  column name text not null
  column not_after text
  column per_minute integer
  column reason text
  column recipients bigint
  column segment_id uuid not null
  column send_at timestamp with time zone
  column sender_id uuid not null
  column spread_over text
  column started_at timestamp with time zone
  column state text not null default 'draft'::text
  column template_id uuid
  column topic_id uuid
  column updated_at timestamp with time zone not null default clock_timestamp()
  column variants jsonb not null default '[]'::jsonb
  column winner jsonb
  column winner_variant smallint
  column workspace_id uuid not null
  column zone text not null default 'workspace'::text
  constraint campaigns_confirmed_check CHECK ((confirmed >= 0))
  constraint campaigns_exclude_ids_check CHECK ((cardinality(exclude_ids) <= 20))
  constraint campaigns_goal_check CHECK ((jsonb_typeof(goal) = 'object'::text))
  constraint campaigns_key_check CHECK ((key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'::text))
  constraint campaigns_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint campaigns_not_after_check CHECK ((char_length(not_after) <= 40))
  constraint campaigns_per_minute_check CHECK (((per_minute >= 1) AND (per_minute <= 1000000)))
  constraint campaigns_pkey PRIMARY KEY (workspace_id, id)
  constraint campaigns_spread_over_check CHECK ((spread_over ~ '^[0-9]{1,9}[smhdw]$'::text))
  constraint campaigns_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'paused'::text, 'completed'::text, 'cancelled'::text])))
  constraint campaigns_template_check CHECK (((template_id IS NOT NULL) OR (variants <> '[]'::jsonb)))
  constraint campaigns_variants_check CHECK ((jsonb_array_length(variants) <= 10))
  constraint campaigns_winner_check CHECK ((jsonb_typeof(winner) = 'object'::text))
  constraint campaigns_winner_variants_check CHECK (((winner IS NULL) OR (jsonb_array_length(variants) > 1)))
  constraint campaigns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  constraint campaigns_workspace_id_key_key UNIQUE (workspace_id, key)
  constraint campaigns_zone_check CHECK ((zone = ANY (ARRAY['workspace'::text, 'customer'::text])))
  index CREATE UNIQUE INDEX campaigns_pkey ON public.campaigns USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX campaigns_workspace_id_key_key ON public.campaigns USING btree (workspace_id, key)
  row level security enabled
  policy "Keys can read campaigns" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['campaigns:read'::text, 'campaigns:write'::text]) AS key_workspace_id))
  policy "Members can read campaigns" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER campaigns_limit AFTER INSERT ON public.campaigns REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('campaigns', 'workspace_id')
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: A template that is sent once to the members of a segment.

table public.canceled_messages partition by RANGE (message_created_at)
  column canceled_at timestamp with time zone not null
  column destination_id uuid not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column workspace_id uuid not null
  constraint canceled_messages_pkey PRIMARY KEY (workspace_id, destination_id, message_created_at, message_id)
  index CREATE UNIQUE INDEX canceled_messages_pkey ON ONLY public.canceled_messages USING btree (workspace_id, destination_id, message_created_at, message_id)
  row level security enabled
  policy "Keys can read canceled messages" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['deliveries:read'::text, 'deliveries:write'::text]) AS key_workspace_id))
  policy "Members can read canceled messages" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Messages that a person took out of the queue of a destination, or discarded after they were missed. A message that is queued again has no row.

table public.customer_merges
  column cause text not null
  column customer_id uuid not null
  column id uuid not null default private.uuid_v7()
  column identity_ids bigint[] not null
  column merged_at timestamp with time zone not null default now()
  column merged_customer_id uuid not null
  column profile jsonb not null
  column workspace_id uuid not null
  constraint customer_merges_cause_check CHECK ((cause = ANY (ARRAY['identify'::text, 'alias'::text])))
  constraint customer_merges_customer_id_fkey FOREIGN KEY (workspace_id, customer_id) REFERENCES public.customers(workspace_id, id) ON DELETE CASCADE
  constraint customer_merges_pkey PRIMARY KEY (workspace_id, id)
  index CREATE INDEX customer_merges_customer_id_idx ON public.customer_merges USING btree (workspace_id, customer_id, id DESC)
  index CREATE INDEX customer_merges_merged_customer_id_idx ON public.customer_merges USING btree (workspace_id, merged_customer_id)
  index CREATE UNIQUE INDEX customer_merges_pkey ON public.customer_merges USING btree (workspace_id, id)
  row level security enabled
  policy "Keys can read merges" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['customers:read'::text, 'customers:write'::text]) AS key_workspace_id))
  policy "Members can read merges" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Records that were merged into others, with the identities and profile it had: the history of a customer's merges.

table public.customers with (fillfactor=90)
  column attributes jsonb not null default '{}'::jsonb
  column country text
  column created_at timestamp with time zone not null default now()
  column email text
  column first_name text
  column id uuid not null default private.uuid_v7()
  column last_name text
  column last_seen_at timestamp with time zone not null default now()
  column locale text
  column phone text
  column timezone text
  column updated_at timestamp with time zone not null default now()
  column workspace_id uuid not null
  constraint customers_pkey PRIMARY KEY (workspace_id, id)
  constraint customers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX customers_email_idx ON public.customers USING btree (workspace_id, replace(lower(email), 'ς'::text, 'σ'::text) text_pattern_ops, id) WHERE (email IS NOT NULL)
  index CREATE INDEX customers_last_name_idx ON public.customers USING btree (workspace_id, replace(lower(last_name), 'ς'::text, 'σ'::text) text_pattern_ops, id) WHERE (last_name IS NOT NULL)
  index CREATE INDEX customers_name_idx ON public.customers USING btree (workspace_id, replace(lower((first_name || COALESCE((' '::text || last_name), ''::text))), 'ς'::text, 'σ'::text) text_pattern_ops, id) WHERE (first_name IS NOT NULL)
  index CREATE UNIQUE INDEX customers_pkey ON public.customers USING btree (workspace_id, id)
  row level security enabled
  policy "Keys can read customers" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['customers:read'::text, 'customers:write'::text]) AS key_workspace_id))
  policy "Members can read customers" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER customers_follow_address AFTER UPDATE OF email ON public.customers FOR EACH ROW WHEN (((new.email IS NOT NULL) AND (new.email IS DISTINCT FROM old.email))) EXECUTE FUNCTION private.follow_address()
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: A person as one workspace knows them. Anonymous until an external identity leads here.

table public.deliveries partition by RANGE (attempted_at)
  column attempt_number integer not null
  column attempted_at timestamp with time zone not null
  column destination_id uuid not null
  column duration_ms integer
  column error text
  column event_type text not null
  column id uuid not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column next_attempt_at timestamp with time zone
  column ok boolean not null
  column response_snippet text
  column status_code smallint
  column trigger text not null
  column workspace_id uuid not null
  constraint deliveries_attempt_number_check CHECK ((attempt_number > 0))
  constraint deliveries_pkey PRIMARY KEY (workspace_id, attempted_at, id)
  constraint deliveries_trigger_check CHECK ((trigger = ANY (ARRAY['event'::text, 'retry'::text, 'replay'::text, 'test'::text])))
  index CREATE INDEX deliveries_decided_idx ON ONLY public.deliveries USING btree (workspace_id, destination_id, ok, message_id) WHERE (next_attempt_at IS NULL)
  index CREATE INDEX deliveries_destination_id_failed_idx ON ONLY public.deliveries USING btree (workspace_id, destination_id, attempted_at DESC, id DESC) WHERE (NOT ok)
  index CREATE INDEX deliveries_destination_id_idx ON ONLY public.deliveries USING btree (workspace_id, destination_id, attempted_at DESC, id DESC)
  index CREATE INDEX deliveries_event_type_idx ON ONLY public.deliveries USING btree (workspace_id, event_type, attempted_at DESC, id DESC)
  index CREATE INDEX deliveries_failed_idx ON ONLY public.deliveries USING btree (workspace_id, attempted_at DESC, id DESC) WHERE (NOT ok)
  index CREATE INDEX deliveries_message_id_idx ON ONLY public.deliveries USING btree (workspace_id, message_id)
  index CREATE UNIQUE INDEX deliveries_pkey ON ONLY public.deliveries USING btree (workspace_id, attempted_at, id)
  row level security enabled
  policy "Keys can read deliveries" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['deliveries:read'::text, 'deliveries:write'::text]) AS key_workspace_id))
  policy "Members can read deliveries" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Every attempt to send a message to a destination, append-only. The id is a version 7 UUID of attempted_at.

table public.delivery_durations with (fillfactor=50)
  column attempts integer not null
  column destination_id uuid not null
  column from_ms integer not null
  column hour timestamp with time zone not null
  column max_ms integer not null
  column total_ms bigint not null
  column workspace_id uuid not null
  constraint delivery_durations_pkey PRIMARY KEY (workspace_id, destination_id, hour, from_ms)
  index CREATE UNIQUE INDEX delivery_durations_pkey ON public.delivery_durations USING btree (workspace_id, destination_id, hour, from_ms)
  row level security enabled
  policy "Keys can read delivery durations" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:read'::text, 'destinations:write'::text, 'deliveries:read'::text]) AS key_workspace_id))
  policy "Members can read delivery durations" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: A histogram of duration_ms by destination and hour: attempts that took from_ms or longer, and less than the next of private.duration_steps(). Attempts without a duration are not included.

table public.delivery_stats with (fillfactor=50)
  column destination_id uuid not null
  column failed integer not null
  column hour timestamp with time zone not null
  column ok integer not null
  column workspace_id uuid not null
  constraint delivery_stats_pkey PRIMARY KEY (workspace_id, destination_id, hour)
  index CREATE INDEX delivery_stats_hour_idx ON public.delivery_stats USING btree (workspace_id, hour)
  index CREATE UNIQUE INDEX delivery_stats_pkey ON public.delivery_stats USING btree (workspace_id, destination_id, hour)
  row level security enabled
  policy "Keys can read delivery stats" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:read'::text, 'destinations:write'::text, 'deliveries:read'::text, 'events:read'::text]) AS key_workspace_id))
  policy "Members can read delivery stats" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Counts of the attempts at a destination, without pings, that succeeded and failed in the hour that starts at hour. Kept after the destination is deleted, because usage adds it up.

table public.destinations
  column created_at timestamp with time zone not null default now()
  column description text
  column disabled_at timestamp with time zone
  column disabled_by text
  column disabled_reason text
  column enabled boolean not null default true
  column event_types text[] not null
  column id uuid not null default private.uuid_v7()
  column max_concurrency integer not null default 10
  column name text not null
  column rate_limit_per_second integer
  column updated_at timestamp with time zone not null default now()
  column url text not null
  column workspace_id uuid not null
  constraint destinations_description_check CHECK ((char_length(description) <= 1000))
  constraint destinations_disabled_by_check CHECK ((disabled_by = ANY (ARRAY['member'::text, 'key'::text, 'service'::text, 'operator'::text])))
  constraint destinations_disabled_check CHECK (((enabled = (disabled_at IS NULL)) AND (enabled = (disabled_reason IS NULL)) AND (enabled = (disabled_by IS NULL))))
  constraint destinations_disabled_reason_check CHECK (((char_length(disabled_reason) >= 1) AND (char_length(disabled_reason) <= 500)))
  constraint destinations_event_types_check CHECK ((((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 100)) AND (array_position(event_types, NULL::text) IS NULL) AND ((array_to_string(event_types, '
'::text) || '
'::text) ~ '^((\*|[^*\n]{1,200}\*?)\n)+$'::text)))
  constraint destinations_max_concurrency_check CHECK (((max_concurrency >= 1) AND (max_concurrency <= 100)))
  constraint destinations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint destinations_pkey PRIMARY KEY (workspace_id, id)
  constraint destinations_rate_limit_per_second_check CHECK (((rate_limit_per_second >= 1) AND (rate_limit_per_second <= 10000)))
  constraint destinations_url_check CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2048)))
  constraint destinations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX destinations_id_idx ON public.destinations USING btree (id)
  index CREATE UNIQUE INDEX destinations_pkey ON public.destinations USING btree (workspace_id, id)
  row level security enabled
  policy "Admins can change destinations" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can create destinations" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can delete destinations" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can change destinations" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id))
  policy "Keys can create destinations" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id))
  policy "Keys can delete destinations" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:write'::text]) AS key_workspace_id))
  policy "Keys can read destinations" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:read'::text, 'destinations:write'::text]) AS key_workspace_id))
  policy "Members can read destinations" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER destinations_follow AFTER INSERT OR DELETE OR UPDATE OF enabled, max_concurrency, rate_limit_per_second ON public.destinations FOR EACH ROW EXECUTE FUNCTION private.follow_destination()
  trigger CREATE TRIGGER destinations_follow_event_types AFTER INSERT OR UPDATE OF event_types ON public.destinations FOR EACH ROW EXECUTE FUNCTION private.follow_event_types()
  trigger CREATE TRIGGER destinations_limit AFTER INSERT ON public.destinations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('destinations', 'workspace_id')
  trigger CREATE TRIGGER destinations_stamp BEFORE INSERT OR UPDATE ON public.destinations FOR EACH ROW EXECUTE FUNCTION private.stamp_destination()
  grant delete, select on table to signalpost_key
  grant delete, select on table to signalpost_user
  grant insert (description) to signalpost_key
  grant insert (description) to signalpost_user
  grant insert (enabled) to signalpost_key
  grant insert (enabled) to signalpost_user
  grant insert (event_types) to signalpost_key
  grant insert (event_types) to signalpost_user
  grant insert (id) to signalpost_key
  grant insert (id) to signalpost_user
  grant insert (max_concurrency) to signalpost_key
  grant insert (max_concurrency) to signalpost_user
  grant insert (name) to signalpost_key
  grant insert (name) to signalpost_user
  grant insert (rate_limit_per_second) to signalpost_key
  grant insert (rate_limit_per_second) to signalpost_user
  grant insert (url) to signalpost_key
  grant insert (url) to signalpost_user
  grant insert (workspace_id) to signalpost_key
  grant insert (workspace_id) to signalpost_user
  grant update (description) to signalpost_key
  grant update (description) to signalpost_user
  grant update (enabled) to signalpost_key
  grant update (enabled) to signalpost_user
  grant update (event_types) to signalpost_key
  grant update (event_types) to signalpost_user
  grant update (max_concurrency) to signalpost_key
  grant update (max_concurrency) to signalpost_user
  grant update (name) to signalpost_key
  grant update (name) to signalpost_user
  grant update (rate_limit_per_second) to signalpost_key
  grant update (rate_limit_per_second) to signalpost_user
  grant update (url) to signalpost_key
  grant update (url) to signalpost_user
  comment: An address to which a workspace sends the events it subscribes to. Deleting one also deletes its queue.

table public.device_tokens
  column created_at timestamp with time zone not null default now()
  column customer_id uuid not null
  column platform text not null
  column token text not null
  column updated_at timestamp with time zone not null default now()
  column workspace_id uuid not null
  constraint device_tokens_customer_id_fkey FOREIGN KEY (workspace_id, customer_id) REFERENCES public.customers(workspace_id, id)
  constraint device_tokens_pkey PRIMARY KEY (workspace_id, token)
  constraint device_tokens_platform_check CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'web'::text])))
  constraint device_tokens_token_check CHECK (((token ~ '^[!-~]+$'::text) AND (char_length(token) <= 2048)))
  index CREATE INDEX device_tokens_customer_id_idx ON public.device_tokens USING btree (workspace_id, customer_id, created_at DESC, token DESC)
  index CREATE UNIQUE INDEX device_tokens_pkey ON public.device_tokens USING btree (workspace_id, token)
  row level security enabled
  policy "Keys can read device tokens" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['customers:read'::text, 'customers:write'::text]) AS key_workspace_id))
  policy "Keys can remove device tokens" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['customers:write'::text]) AS key_workspace_id))
  policy "Members can read device tokens" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  policy "Members can remove device tokens" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('member'::text) AS acting_workspace_id))
  grant delete, select on table to signalpost_key
  grant delete, select on table to signalpost_user
  comment: A token belongs to one customer at a time.

table public.event_name_stats with (fillfactor=50)
  column day timestamp with time zone not null
  column events bigint not null
  column name text not null
  column workspace_id uuid not null
  constraint event_name_stats_name_fkey FOREIGN KEY (workspace_id, name) REFERENCES public.event_names(workspace_id, name) ON DELETE CASCADE
  constraint event_name_stats_pkey PRIMARY KEY (workspace_id, day, name)
  index CREATE INDEX event_name_stats_name_idx ON public.event_name_stats USING btree (workspace_id, name)
  index CREATE UNIQUE INDEX event_name_stats_pkey ON public.event_name_stats USING btree (workspace_id, day, name)
  row level security enabled
  policy "Keys can read usage" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'destinations:read'::text]) AS key_workspace_id))
  policy "Members can read usage" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Events of each known name in the UTC day that starts at day.

table public.event_names with (fillfactor=50)
  column events bigint not null
  column first_seen_at timestamp with time zone not null
  column last_seen_at timestamp with time zone not null
  column name text not null
  column workspace_id uuid not null
  constraint event_names_pkey PRIMARY KEY (workspace_id, name)
  constraint event_names_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX event_names_first_seen_at_idx ON public.event_names USING btree (workspace_id, first_seen_at DESC, name)
  index CREATE UNIQUE INDEX event_names_pkey ON public.event_names USING btree (workspace_id, name)
  row level security enabled
  policy "Keys can read usage" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'destinations:read'::text]) AS key_workspace_id))
  policy "Members can read usage" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Names of tracked events, at most 1,000 per workspace: a client that generates names by mistake must not fill the table.

table public.events partition by RANGE (received_at)
  column anon_id text
  column context jsonb not null default '{}'::jsonb
  column external_id text
  column id uuid not null
  column identity_id bigint not null
  column kind text not null default 'event'::text
  column name text
  column occurred_at timestamp with time zone not null
  column properties jsonb not null default '{}'::jsonb
  column received_at timestamp with time zone not null
  column workspace_id uuid not null
  constraint events_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'identify'::text, 'alias'::text])))
  constraint events_name_check CHECK (((kind = 'event'::text) = (name IS NOT NULL)))
  constraint events_pkey PRIMARY KEY (workspace_id, received_at, id)
  index CREATE INDEX events_identity_id_idx ON ONLY public.events USING btree (workspace_id, identity_id, occurred_at DESC, id DESC, name)
  index CREATE INDEX events_name_idx ON ONLY public.events USING btree (workspace_id, name, received_at DESC, id DESC) WHERE (name IS NOT NULL)
  index CREATE UNIQUE INDEX events_pkey ON ONLY public.events USING btree (workspace_id, received_at, id)
  row level security enabled
  policy "Keys can read events" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'customers:read'::text, 'deliveries:read'::text]) AS key_workspace_id))
  policy "Members can read events" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  policy "Nobody can read events of erased customers" for select to signalpost_key, signalpost_user using (identity_id <> ALL (ARRAY( SELECT private.erased_identity_ids() AS erased_identity_ids)))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Stored entries, each on the identity it arrived on; external_id and anon_id as in the call.

table public.identities
  column created_at timestamp with time zone not null default now()
  column customer_id uuid not null
  column id bigint not null identity
  column kind text not null
  column value text not null
  column workspace_id uuid not null
  constraint identities_customer_id_fkey FOREIGN KEY (workspace_id, customer_id) REFERENCES public.customers(workspace_id, id)
  constraint identities_kind_check CHECK ((kind = ANY (ARRAY['external'::text, 'anon'::text])))
  constraint identities_pkey PRIMARY KEY (workspace_id, id)
  constraint identities_value_check CHECK (((char_length(value) >= 1) AND (char_length(value) <= 255)))
  constraint identities_workspace_id_kind_value_key UNIQUE (workspace_id, kind, value)
  index CREATE INDEX identities_customer_id_idx ON public.identities USING btree (workspace_id, customer_id, kind, created_at)
  index CREATE UNIQUE INDEX identities_pkey ON public.identities USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX identities_workspace_id_kind_value_key ON public.identities USING btree (workspace_id, kind, value)
  row level security enabled
  policy "Keys can read identities" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['customers:read'::text, 'customers:write'::text, 'events:read'::text, 'deliveries:read'::text]) AS key_workspace_id))
  policy "Members can read identities" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: An id a client uses, and the customer it leads to. Events point here, so a merge rewrites nothing else.

table public.inbound_receipts partition by RANGE (received_at)
  column accepted integer not null default 0
  column body text
  column body_bytes integer not null
  column customer_ids uuid[] not null default '{}'::uuid[]
  column duplicates integer not null default 0
  column error text
  column headers jsonb not null default '{}'::jsonb
  column id uuid not null
  column ignored integer not null default 0
  column is_verified boolean not null
  column message_id text
  column outcome text not null
  column received_at timestamp with time zone not null
  column rejected integer not null default 0
  column request_id uuid not null
  column results jsonb not null default '[]'::jsonb
  column source_id uuid not null
  column status_code smallint not null
  column workspace_id uuid not null
  constraint inbound_receipts_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'duplicate'::text, 'ignored'::text, 'rejected'::text, 'handshake'::text, 'refused'::text])))
  constraint inbound_receipts_pkey PRIMARY KEY (workspace_id, received_at, id)
  constraint inbound_receipts_status_code_check CHECK (((status_code >= 200) AND (status_code <= 599)))
  index CREATE INDEX inbound_receipts_customer_ids_idx ON ONLY public.inbound_receipts USING gin (customer_ids) WHERE (body IS NOT NULL)
  index CREATE INDEX inbound_receipts_outcome_idx ON ONLY public.inbound_receipts USING btree (workspace_id, source_id, outcome, received_at DESC, id DESC)
  index CREATE INDEX inbound_receipts_source_id_idx ON ONLY public.inbound_receipts USING btree (workspace_id, source_id, received_at DESC, id DESC) INCLUDE (outcome)
  index CREATE UNIQUE INDEX inbound_receipts_pkey ON ONLY public.inbound_receipts USING btree (workspace_id, received_at, id)
  row level security enabled
  policy "Keys can read receipts" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:read'::text, 'sources:write'::text]) AS key_workspace_id))
  policy "Members can read receipts" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: One request to a source: whether it was verified, the response, and the entries it became. The body is kept if it was verified and is at most 256 KiB.

table public.inbound_sources
  column created_at timestamp with time zone not null default now()
  column description text
  column enabled boolean not null default true
  column hmac jsonb
  column id uuid not null default private.uuid_v7()
  column mapping jsonb
  column name text not null
  column preset text
  column scheme text not null
  column topic_arn text
  column updated_at timestamp with time zone not null default now()
  column workspace_id uuid not null
  constraint inbound_sources_description_check CHECK ((char_length(description) <= 1000))
  constraint inbound_sources_hmac_check CHECK (((scheme = 'hmac'::text) = (hmac IS NOT NULL)))
  constraint inbound_sources_hmac_object_check CHECK ((jsonb_typeof(hmac) = 'object'::text))
  constraint inbound_sources_mapping_check CHECK ((jsonb_typeof(mapping) = 'object'::text))
  constraint inbound_sources_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint inbound_sources_pkey PRIMARY KEY (workspace_id, id)
  constraint inbound_sources_preset_check CHECK ((preset = ANY (ARRAY['shopify'::text, 'resend'::text, 'sendgrid'::text, 'postmark'::text, 'mailgun'::text, 'ses'::text])))
  constraint inbound_sources_scheme_check CHECK ((scheme = ANY (ARRAY['service'::text, 'standard-webhooks'::text, 'stripe'::text, 'shopify'::text, 'github'::text, 'slack'::text, 'sendgrid'::text, 'mailgun'::text, 'sns'::text, 'basic'::text, 'hmac'::text])))
  constraint inbound_sources_topic_arn_check CHECK (((scheme = 'sns'::text) = (topic_arn IS NOT NULL)))
  constraint inbound_sources_topic_arn_length_check CHECK ((char_length(topic_arn) <= 400))
  constraint inbound_sources_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX inbound_sources_id_idx ON public.inbound_sources USING btree (id)
  index CREATE UNIQUE INDEX inbound_sources_pkey ON public.inbound_sources USING btree (workspace_id, id)
  row level security enabled
  policy "Admins can change sources" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can create sources" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can delete sources" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can change sources" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id))
  policy "Keys can create sources" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id))
  policy "Keys can delete sources" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:write'::text]) AS key_workspace_id))
  policy "Keys can read sources" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sources:read'::text, 'sources:write'::text]) AS key_workspace_id))
  policy "Members can read sources" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER inbound_sources_stamp BEFORE UPDATE ON public.inbound_sources FOR EACH ROW EXECUTE FUNCTION private.stamp_inbound_source()
  trigger CREATE TRIGGER sources_limit AFTER INSERT ON public.inbound_sources REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('sources', 'workspace_id')
  grant delete, select on table to signalpost_key
  grant delete, select on table to signalpost_user
  grant insert (description) to signalpost_key
  grant insert (description) to signalpost_user
  grant insert (enabled) to signalpost_key
  grant insert (enabled) to signalpost_user
  grant insert (hmac) to signalpost_key
  grant insert (hmac) to signalpost_user
  grant insert (id) to signalpost_key
  grant insert (id) to signalpost_user
  grant insert (mapping) to signalpost_key
  grant insert (mapping) to signalpost_user
  grant insert (name) to signalpost_key
  grant insert (name) to signalpost_user
  grant insert (preset) to signalpost_key
  grant insert (preset) to signalpost_user
  grant insert (scheme) to signalpost_key
  grant insert (scheme) to signalpost_user
  grant insert (topic_arn) to signalpost_key
  grant insert (topic_arn) to signalpost_user
  grant insert (workspace_id) to signalpost_key
  grant insert (workspace_id) to signalpost_user
  grant update (description) to signalpost_key
  grant update (description) to signalpost_user
  grant update (enabled) to signalpost_key
  grant update (enabled) to signalpost_user
  grant update (hmac) to signalpost_key
  grant update (hmac) to signalpost_user
  grant update (mapping) to signalpost_key
  grant update (mapping) to signalpost_user
  grant update (name) to signalpost_key
  grant update (name) to signalpost_user
  grant update (preset) to signalpost_key
  grant update (preset) to signalpost_user
  grant update (topic_arn) to signalpost_key
  grant update (topic_arn) to signalpost_user
  comment: Sources: how another system signs its webhooks (scheme, with its settings in hmac or topic_arn) and how they become entries (preset, mapping).

table public.invitations
  column accepted_by uuid
  column created_at timestamp with time zone not null default now()
  column declined_at timestamp with time zone
  column email text not null
  column expires_at timestamp with time zone not null default (now() + '30 days'::interval)
  column id uuid not null default private.uuid_v7()
  column invited_by uuid
  column role text not null
  column workspace_id uuid not null
  constraint invitations_accepted_by_fkey FOREIGN KEY (workspace_id, accepted_by) REFERENCES public.workspace_members(workspace_id, user_id) ON DELETE CASCADE
  constraint invitations_check CHECK (((declined_at IS NULL) OR (accepted_by IS NULL)))
  constraint invitations_email_check CHECK (((email = lower(email)) AND ((char_length(email) >= 3) AND (char_length(email) <= 254))))
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth.users(id) ON DELETE SET NULL
  constraint invitations_pkey PRIMARY KEY (workspace_id, id)
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
  constraint invitations_workspace_id_email_key UNIQUE (workspace_id, email)
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX invitations_accepted_by_idx ON public.invitations USING btree (workspace_id, accepted_by)
  index CREATE INDEX invitations_email_id_idx ON public.invitations USING btree (email, id)
  index CREATE INDEX invitations_invited_by_idx ON public.invitations USING btree (invited_by)
  index CREATE UNIQUE INDEX invitations_pkey ON public.invitations USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX invitations_workspace_id_email_key ON public.invitations USING btree (workspace_id, email)
  row level security enabled
  policy "Admins can change invitations" for update to signalpost_user using ((accepted_by IS NULL) AND (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) AND ((role <> 'owner'::text) OR (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id)))) with check ((accepted_by IS NULL) AND (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) AND ((role <> 'owner'::text) OR (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id))))
  policy "Admins can withdraw invitations" for delete to signalpost_user using ((accepted_by IS NULL) AND (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)))
  policy "Members can read invitations" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER invitations_limit AFTER INSERT ON public.invitations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('invitations', 'workspace_id')
  grant delete, select on table to signalpost_user
  grant update (role) to signalpost_user
  comment: Invitations to a workspace: the user with this confirmed e-mail address may accept.

table public.jobs
  column created_at timestamp with time zone not null default clock_timestamp()
  column cursor_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  column cursor_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column destination_id uuid not null
  column done integer not null default 0
  column finished_at timestamp with time zone
  column id uuid not null default private.uuid_v7()
  column kind text not null
  column since timestamp with time zone not null
  column state text not null default 'pending'::text
  column total integer not null
  column until timestamp with time zone not null
  column worked_at timestamp with time zone not null default clock_timestamp()
  column workspace_id uuid not null
  constraint jobs_destination_id_fkey FOREIGN KEY (workspace_id, destination_id) REFERENCES public.destinations(workspace_id, id) ON DELETE CASCADE
  constraint jobs_kind_check CHECK ((kind = ANY (ARRAY['replay'::text, 'recover'::text, 'discard'::text])))
  constraint jobs_pkey PRIMARY KEY (workspace_id, id)
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'done'::text])))
  index CREATE INDEX jobs_destination_id_idx ON public.jobs USING btree (workspace_id, destination_id)
  index CREATE INDEX jobs_unfinished_idx ON public.jobs USING btree (workspace_id) WHERE (state <> 'done'::text)
  index CREATE INDEX jobs_worked_at_idx ON public.jobs USING btree (worked_at) WHERE (finished_at IS NULL)
  index CREATE UNIQUE INDEX jobs_pkey ON public.jobs USING btree (workspace_id, id)
  row level security enabled
  policy "Keys can read jobs" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:read'::text, 'destinations:write'::text, 'deliveries:read'::text, 'deliveries:write'::text]) AS key_workspace_id))
  policy "Members can read jobs" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER jobs_limit AFTER INSERT ON public.jobs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('jobs', 'workspace_id')
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Replays, recoveries and discards of many messages, done in batches by the dispatchers; after a restart they continue where the last batch ended.

table public.journey_runs with (fillfactor=70)
  column cause jsonb not null default '{}'::jsonb
  column claim uuid
  column customer_id uuid not null
  column depth smallint not null default 0
  column due_at timestamp with time zone not null default 'infinity'::timestamp with time zone
  column entered_at timestamp with time zone not null
  column entered_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column exited_at timestamp with time zone
  column goal_at timestamp with time zone
  column id uuid not null default private.uuid_v7()
  column is_holdout boolean not null default false
  column is_parallel boolean not null default false
  column is_passed_by boolean not null default false
  column journey_id uuid not null
  column key text not null default ''::text
  column lease_until timestamp with time zone
  column reason text
  column state text not null default 'active'::text
  column step text
  column stepped_at timestamp with time zone not null
  column stepped_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  column trigger jsonb not null default '{}'::jsonb
  column version integer not null
  column visit integer not null default 0
  column wake_at timestamp with time zone
  column wakes integer not null default 0
  column workspace_id uuid not null
  constraint journey_runs_end_check CHECK ((((state = 'ended'::text) = (reason IS NOT NULL)) AND ((state = 'ended'::text) = (exited_at IS NOT NULL))))
  constraint journey_runs_pkey PRIMARY KEY (workspace_id, id)
  constraint journey_runs_reason_check CHECK ((reason = ANY (ARRAY['completed'::text, 'goal'::text, 'exit_condition'::text, 'holdout'::text, 'stopped'::text, 'merged'::text, 'deleted'::text, 'failed'::text, 'removed'::text])))
  constraint journey_runs_state_check CHECK ((state = ANY (ARRAY['active'::text, 'ended'::text])))
  index CREATE INDEX journey_runs_customer_idx ON public.journey_runs USING btree (workspace_id, customer_id, id DESC)
  index CREATE INDEX journey_runs_due_idx ON public.journey_runs USING btree (workspace_id, journey_id, due_at) WHERE ((state = 'active'::text) AND (claim IS NULL))
  index CREATE INDEX journey_runs_exited_at_idx ON public.journey_runs USING btree (exited_at) WHERE (exited_at IS NOT NULL)
  index CREATE INDEX journey_runs_inside_idx ON public.journey_runs USING btree (workspace_id, customer_id) WHERE (state = 'active'::text)
  index CREATE INDEX journey_runs_journey_idx ON public.journey_runs USING btree (workspace_id, journey_id, id DESC)
  index CREATE INDEX journey_runs_lease_idx ON public.journey_runs USING btree (lease_until) WHERE (claim IS NOT NULL)
  index CREATE INDEX journey_runs_state_idx ON public.journey_runs USING btree (workspace_id, journey_id, state, id DESC)
  index CREATE INDEX journey_runs_step_idx ON public.journey_runs USING btree (workspace_id, journey_id, version, step, id DESC) WHERE (state = 'active'::text)
  index CREATE UNIQUE INDEX journey_runs_active_key ON public.journey_runs USING btree (workspace_id, journey_id, customer_id, key) WHERE ((state = 'active'::text) AND (NOT is_parallel))
  index CREATE UNIQUE INDEX journey_runs_pkey ON public.journey_runs USING btree (workspace_id, id)
  row level security enabled
  policy "Keys can read runs" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['journeys:read'::text, 'journeys:write'::text, 'customers:read'::text]) AS key_workspace_id))
  policy "Members can read runs" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Passages of customers through versions of journeys; one of a customer, journey and key at a time, except parallel ones.

table public.journey_stats
  column count bigint not null
  column journey_id uuid not null
  column kind text not null
  column step text not null
  column version integer not null
  column workspace_id uuid not null
  constraint journey_stats_pkey PRIMARY KEY (workspace_id, journey_id, version, step, kind)
  index CREATE UNIQUE INDEX journey_stats_pkey ON public.journey_stats USING btree (workspace_id, journey_id, version, step, kind)
  row level security enabled
  policy "Keys can read journey figures" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['journeys:read'::text, 'journeys:write'::text]) AS key_workspace_id))
  policy "Members can read journey figures" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Counts per version and step: who came, who left by each way, what was skipped; per journey who entered, exited and reached the goal.

table public.journey_versions
  column definition jsonb not null
  column journey_id uuid not null
  column plan jsonb not null
  column published_at timestamp with time zone not null
  column published_by uuid
  column version integer not null
  column workspace_id uuid not null
  constraint journey_versions_journey_fkey FOREIGN KEY (workspace_id, journey_id) REFERENCES public.journeys(workspace_id, id) ON DELETE CASCADE
  constraint journey_versions_pkey PRIMARY KEY (workspace_id, journey_id, version)
  index CREATE UNIQUE INDEX journey_versions_pkey ON public.journey_versions USING btree (workspace_id, journey_id, version)
  row level security enabled
  policy "Keys can read versions of journeys" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['journeys:read'::text, 'journeys:write'::text]) AS key_workspace_id))
  policy "Members can read versions of journeys" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Published definitions, with ids instead of keys; they never change.

table public.journeys
  column created_at timestamp with time zone not null default now()
  column definition jsonb not null
  column description text
  column id uuid not null default private.uuid_v7()
  column key text
  column name text not null
  column published_at timestamp with time zone
  column state text not null default 'draft'::text
  column updated_at timestamp with time zone not null default now()
  column version integer
  column workspace_id uuid not null
  constraint journeys_description_check CHECK ((char_length(description) <= 1000))
  constraint journeys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200)))
  constraint journeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint journeys_pkey PRIMARY KEY (workspace_id, id)
  constraint journeys_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'running'::text, 'paused'::text, 'draining'::text, 'stopped'::text])))
  constraint journeys_version_check CHECK (((state = 'draft'::text) = (version IS NULL)))
  constraint journeys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  constraint journeys_workspace_id_key_key UNIQUE (workspace_id, key)
  index CREATE UNIQUE INDEX journeys_pkey ON public.journeys USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX journeys_workspace_id_key_key ON public.journeys USING btree (workspace_id, key)
  row level security enabled
  policy "Keys can read journeys" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['journeys:read'::text, 'journeys:write'::text]) AS key_workspace_id))
  policy "Members can read journeys" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER journeys_limit AFTER INSERT ON public.journeys REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('journeys', 'workspace_id')
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Graphs of steps that customers pass through, each with its draft and the number of its newest version.

table public.missed_messages partition by RANGE (message_created_at)
  column destination_id uuid not null
  column message_created_at timestamp with time zone not null
  column message_id uuid not null
  column workspace_id uuid not null
  constraint missed_messages_pkey PRIMARY KEY (workspace_id, destination_id, message_created_at, message_id)
  index CREATE UNIQUE INDEX missed_messages_pkey ON ONLY public.missed_messages USING btree (workspace_id, destination_id, message_created_at, message_id)
  row level security enabled
  policy "Keys can read missed messages" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['destinations:read'::text, 'destinations:write'::text]) AS key_workspace_id))
  policy "Members can read missed messages" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Messages that matched a destination while it was disabled, until they are recovered.

table public.plans
  column api_burst integer not null
  column api_per_second integer not null
  column id text not null
  column ingest_burst integer not null
  column ingest_bytes_per_day bigint not null default ((1024)::double precision ^ (4)::double precision)
  column ingest_per_second integer not null
  column max_api_keys integer not null default 100
  column max_campaigns integer not null default 1000
  column max_destination_secrets integer not null default 10
  column max_destinations integer not null default 50
  column max_device_tokens integer not null default 100
  column max_invitations integer not null default 100
  column max_jobs integer not null default 100
  column max_journeys integer not null default 100
  column max_members integer not null default 1000
  column max_segments integer not null default 200
  column max_senders integer not null default 50
  column max_source_secrets integer not null default 10
  column max_sources integer not null default 50
  column max_templates integer not null default 500
  column max_topics integer not null default 100
  column max_workspaces_per_user integer
  column rejected_bytes_per_day bigint not null default ((64)::double precision * ((1024)::double precision ^ (2)::double precision))
  column rejected_entries_per_day integer not null default 10000
  constraint plans_api_burst_check CHECK ((api_burst > 0))
  constraint plans_api_per_second_check CHECK ((api_per_second > 0))
  constraint plans_ingest_burst_check CHECK ((ingest_burst > 0))
  constraint plans_ingest_bytes_per_day_check CHECK ((ingest_bytes_per_day > 0))
  constraint plans_ingest_per_second_check CHECK ((ingest_per_second > 0))
  constraint plans_max_api_keys_check CHECK ((max_api_keys >= 0))
  constraint plans_max_campaigns_check CHECK ((max_campaigns >= 0))
  constraint plans_max_destination_secrets_check CHECK ((max_destination_secrets > 0))
  constraint plans_max_destinations_check CHECK ((max_destinations >= 0))
  constraint plans_max_device_tokens_check CHECK ((max_device_tokens >= 0))
  constraint plans_max_invitations_check CHECK ((max_invitations >= 0))
  constraint plans_max_jobs_check CHECK ((max_jobs >= 0))
  constraint plans_max_journeys_check CHECK ((max_journeys >= 0))
  constraint plans_max_members_check CHECK ((max_members >= 0))
  constraint plans_max_segments_check CHECK ((max_segments >= 0))
  constraint plans_max_senders_check CHECK ((max_senders >= 0))
  constraint plans_max_source_secrets_check CHECK ((max_source_secrets > 0))
  constraint plans_max_sources_check CHECK ((max_sources >= 0))
  constraint plans_max_templates_check CHECK ((max_templates >= 0))
  constraint plans_max_topics_check CHECK ((max_topics >= 0))
  constraint plans_max_workspaces_per_user_check CHECK ((max_workspaces_per_user >= 0))
  constraint plans_pkey PRIMARY KEY (id)
  constraint plans_rejected_bytes_per_day_check CHECK ((rejected_bytes_per_day >= 0))
  constraint plans_rejected_entries_per_day_check CHECK ((rejected_entries_per_day >= 0))
  index CREATE UNIQUE INDEX plans_pkey ON public.plans USING btree (id)
  row level security enabled
  policy "Users can read plans" for select to signalpost_key, signalpost_user using ( SELECT true)
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Quotas: ingest in entries per second and bytes per day, api in requests per second, and how many refused entries are kept per day. Limits: how many of each kind a workspace may have, and how many workspaces of the plan a user may create (null: any number).

table public.rejected_entries partition by RANGE (rejected_at)
  column code text not null
  column entry text not null
  column error text not null
  column field text
  column headers jsonb not null default '{}'::jsonb
  column id uuid not null
  column is_truncated boolean not null default false
  column message_id text
  column origin text not null
  column part smallint
  column receipt_id uuid
  column rejected_at timestamp with time zone not null
  column request_id uuid not null
  column resent_at timestamp with time zone
  column resent_event_id uuid
  column source_id uuid
  column workspace_id uuid not null
  constraint rejected_entries_origin_check CHECK ((origin = ANY (ARRAY['track'::text, 'segment'::text, 'inbound'::text])))
  constraint rejected_entries_pkey PRIMARY KEY (workspace_id, rejected_at, id)
  constraint rejected_entries_source_check CHECK (((origin = 'inbound'::text) = (source_id IS NOT NULL)))
  index CREATE INDEX rejected_entries_origin_idx ON ONLY public.rejected_entries USING btree (workspace_id, origin, rejected_at DESC, id DESC)
  index CREATE INDEX rejected_entries_resent_idx ON ONLY public.rejected_entries USING btree (workspace_id, rejected_at DESC, id DESC) WHERE (resent_at IS NOT NULL)
  index CREATE INDEX rejected_entries_source_id_idx ON ONLY public.rejected_entries USING btree (workspace_id, source_id, rejected_at DESC, id DESC) WHERE (source_id IS NOT NULL)
  index CREATE UNIQUE INDEX rejected_entries_pkey ON ONLY public.rejected_entries USING btree (workspace_id, rejected_at, id)
  row level security enabled
  policy "Keys can read rejected entries" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'track:write'::text]) AS key_workspace_id))
  policy "Members can read rejected entries" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Refused entries as they were sent, and why. For inbound: an item of the payload, and which of its entries.

table public.rejected_entry_stats with (fillfactor=50)
  column day timestamp with time zone not null
  column kept integer not null default 0
  column kept_bytes bigint not null default 0
  column not_kept integer not null default 0
  column workspace_id uuid not null
  constraint rejected_entry_stats_pkey PRIMARY KEY (workspace_id, day)
  constraint rejected_entry_stats_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE UNIQUE INDEX rejected_entry_stats_pkey ON public.rejected_entry_stats USING btree (workspace_id, day)
  row level security enabled
  policy "Keys can read usage" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'destinations:read'::text]) AS key_workspace_id))
  policy "Members can read usage" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Refused entries of the UTC day that starts at day: how many are kept, and how many are not because of the plan.

table public.run_steps partition by RANGE (done_at)
  column at timestamp with time zone not null
  column done_at timestamp with time zone not null
  column journey_id uuid not null
  column kind text not null
  column outcome jsonb not null
  column run_id uuid not null
  column step text not null
  column version integer not null
  column visit integer not null
  column workspace_id uuid not null
  constraint run_steps_pkey PRIMARY KEY (workspace_id, done_at, run_id, visit)
  index CREATE INDEX run_steps_run_id_idx ON ONLY public.run_steps USING btree (workspace_id, run_id, visit)
  index CREATE UNIQUE INDEX run_steps_pkey ON ONLY public.run_steps USING btree (workspace_id, done_at, run_id, visit)
  row level security enabled
  policy "Keys can read steps of runs" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['journeys:read'::text, 'journeys:write'::text]) AS key_workspace_id))
  policy "Members can read steps of runs" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: The steps that runs took: when, and with what outcome.

table public.segment_changes partition by RANGE (at)
  column at timestamp with time zone not null
  column cause text not null
  column change text not null
  column customer_id uuid not null
  column id uuid not null
  column segment_id uuid not null
  column workspace_id uuid not null
  constraint segment_changes_cause_check CHECK ((cause = ANY (ARRAY['event'::text, 'profile'::text, 'time'::text, 'merge'::text, 'segment'::text, 'consent'::text])))
  constraint segment_changes_change_check CHECK ((change = ANY (ARRAY['entered'::text, 'left'::text])))
  constraint segment_changes_pkey PRIMARY KEY (workspace_id, at, id)
  index CREATE INDEX segment_changes_customer_id_idx ON ONLY public.segment_changes USING btree (workspace_id, customer_id)
  index CREATE INDEX segment_changes_segment_id_idx ON ONLY public.segment_changes USING btree (workspace_id, segment_id, at DESC, id DESC)
  index CREATE UNIQUE INDEX segment_changes_pkey ON ONLY public.segment_changes USING btree (workspace_id, at, id)
  row level security enabled
  policy "Keys can read segment changes" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['segments:read'::text, 'segments:write'::text]) AS key_workspace_id))
  policy "Members can read segment changes" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: The customers who entered and left live segments, with the cause.

table public.segment_members
  column customer_id uuid not null
  column segment_id uuid not null
  column since timestamp with time zone not null
  column version integer not null
  column workspace_id uuid not null
  constraint segment_members_pkey PRIMARY KEY (workspace_id, segment_id, version, customer_id)
  index CREATE INDEX segment_members_customer_id_idx ON public.segment_members USING btree (workspace_id, customer_id)
  index CREATE UNIQUE INDEX segment_members_pkey ON public.segment_members USING btree (workspace_id, segment_id, version, customer_id)
  row level security enabled
  policy "Keys can read who is in a segment" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['segments:read'::text, 'segments:write'::text]) AS key_workspace_id))
  policy "Members can read who is in a segment" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: The members of each version of a segment; those of segments.version count.

table public.segment_stats
  column entered bigint not null default 0
  column hour timestamp with time zone not null
  column left bigint not null default 0
  column members bigint not null
  column segment_id uuid not null
  column workspace_id uuid not null
  constraint segment_stats_pkey PRIMARY KEY (workspace_id, segment_id, hour)
  index CREATE UNIQUE INDEX segment_stats_pkey ON public.segment_stats USING btree (workspace_id, segment_id, hour)
  row level security enabled
  policy "Keys can read segment figures" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['segments:read'::text, 'segments:write'::text]) AS key_workspace_id))
  policy "Members can read segment figures" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Per hour how many customers entered and left a segment, and how many members it had at the end.

table public.segments
  column computed_members bigint not null default 0
  column computed_version integer not null default 0
  column condition jsonb
  column created_at timestamp with time zone not null default now()
  column description text
  column id uuid not null default private.uuid_v7()
  column is_growing boolean not null default false
  column key text
  column kind text not null default 'live'::text
  column level integer not null default 0
  column members bigint not null default 0
  column name text not null
  column progress real not null default 1
  column state text not null default 'ready'::text
  column updated_at timestamp with time zone not null default now()
  column version integer not null default 0
  column workspace_id uuid not null
  constraint segments_computed_check CHECK (((state = 'ready'::text) = (version = computed_version)))
  constraint segments_description_check CHECK ((char_length(description) <= 1000))
  constraint segments_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200)))
  constraint segments_kind_check CHECK ((kind = ANY (ARRAY['live'::text, 'static'::text])))
  constraint segments_kind_condition_check CHECK (((kind = 'live'::text) = (condition IS NOT NULL)))
  constraint segments_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint segments_pkey PRIMARY KEY (workspace_id, id)
  constraint segments_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision)))
  constraint segments_state_check CHECK ((state = ANY (ARRAY['computing'::text, 'ready'::text])))
  constraint segments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  constraint segments_workspace_id_key_key UNIQUE (workspace_id, key)
  index CREATE UNIQUE INDEX segments_pkey ON public.segments USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX segments_workspace_id_key_key ON public.segments USING btree (workspace_id, key)
  row level security enabled
  policy "Keys can read segments" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['segments:read'::text, 'segments:write'::text]) AS key_workspace_id))
  policy "Members can read segments" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER segments_limit AFTER INSERT ON public.segments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('segments', 'workspace_id')
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: A named set of customers: live, defined by a condition and kept true, or static, a list.

table public.send_settings
  column campaign_complaint_rate numeric not null default 0.5
  column campaign_confirm_above integer not null default 10000
  column caps jsonb not null default '[]'::jsonb
  column quiet_hours jsonb
  column stopped_at timestamp with time zone
  column stopped_reason text
  column track_clicks boolean not null default true
  column track_opens boolean not null default true
  column updated_at timestamp with time zone not null default now()
  column workspace_id uuid not null
  constraint send_settings_campaign_complaint_rate_check CHECK (((campaign_complaint_rate >= (0)::numeric) AND (campaign_complaint_rate <= (100)::numeric)))
  constraint send_settings_campaign_confirm_above_check CHECK ((campaign_confirm_above >= 0))
  constraint send_settings_caps_check CHECK ((jsonb_typeof(caps) = 'array'::text))
  constraint send_settings_pkey PRIMARY KEY (workspace_id)
  constraint send_settings_quiet_hours_check CHECK ((jsonb_typeof(quiet_hours) = 'object'::text))
  constraint send_settings_stopped_reason_check CHECK ((char_length(stopped_reason) <= 500))
  constraint send_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE UNIQUE INDEX send_settings_pkey ON public.send_settings USING btree (workspace_id)
  row level security enabled
  policy "Keys can read settings of sends" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:read'::text, 'senders:write'::text, 'sends:read'::text, 'sends:write'::text]) AS key_workspace_id))
  policy "Members can read settings of sends" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  policy "Owners can change settings of sends" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id))
  policy "Owners can create settings of sends" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id))
  grant insert (campaign_complaint_rate) to signalpost_user
  grant insert (campaign_confirm_above) to signalpost_user
  grant insert (caps) to signalpost_user
  grant insert (quiet_hours) to signalpost_user
  grant insert (track_clicks) to signalpost_user
  grant insert (track_opens) to signalpost_user
  grant insert (workspace_id) to signalpost_user
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  grant update (campaign_complaint_rate) to signalpost_user
  grant update (campaign_confirm_above) to signalpost_user
  grant update (caps) to signalpost_user
  grant update (quiet_hours) to signalpost_user
  grant update (track_clicks) to signalpost_user
  grant update (track_opens) to signalpost_user
  grant update (updated_at) to signalpost_user
  comment: Settings of a workspace about messages. No row: the defaults, see private.send_settings_of.

table public.sender_stats with (fillfactor=50)
  column failed integer not null default 0
  column hour timestamp with time zone not null
  column retried integer not null default 0
  column sender_id uuid not null
  column sent integer not null default 0
  column skipped integer not null default 0
  column unknown integer not null default 0
  column workspace_id uuid not null
  constraint sender_stats_pkey PRIMARY KEY (workspace_id, sender_id, hour)
  index CREATE UNIQUE INDEX sender_stats_pkey ON public.sender_stats USING btree (workspace_id, sender_id, hour)
  row level security enabled
  policy "Keys can read figures of senders" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:read'::text, 'senders:write'::text]) AS key_workspace_id))
  policy "Members can read figures of senders" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Counts of the outcomes of a sender in the hour that starts at hour, written under the lock of its lane. Kept for 400 days.

table public.senders
  column channel text not null default 'email'::text
  column config jsonb not null default '{}'::jsonb
  column created_at timestamp with time zone not null default now()
  column disabled_at timestamp with time zone
  column disabled_by text
  column disabled_reason text
  column enabled boolean not null default true
  column from_address text not null
  column id uuid not null default private.uuid_v7()
  column key text
  column max_concurrency integer not null default 10
  column name text not null
  column on_unknown text not null default 'stop'::text
  column provider text not null
  column rate_per_second integer
  column reply_to text
  column updated_at timestamp with time zone not null default now()
  column workspace_id uuid not null
  constraint senders_channel_check CHECK ((channel = 'email'::text))
  constraint senders_config_check CHECK ((jsonb_typeof(config) = 'object'::text))
  constraint senders_disabled_by_check CHECK ((disabled_by = ANY (ARRAY['member'::text, 'key'::text, 'service'::text, 'operator'::text])))
  constraint senders_disabled_check CHECK (((enabled = (disabled_at IS NULL)) AND (enabled = (disabled_reason IS NULL)) AND (enabled = (disabled_by IS NULL))))
  constraint senders_disabled_reason_check CHECK (((char_length(disabled_reason) >= 1) AND (char_length(disabled_reason) <= 500)))
  constraint senders_from_address_check CHECK (((char_length(from_address) >= 3) AND (char_length(from_address) <= 500)))
  constraint senders_key_check CHECK ((key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'::text))
  constraint senders_max_concurrency_check CHECK (((max_concurrency >= 1) AND (max_concurrency <= 100)))
  constraint senders_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint senders_on_unknown_check CHECK ((on_unknown = ANY (ARRAY['stop'::text, 'repeat'::text])))
  constraint senders_pkey PRIMARY KEY (workspace_id, id)
  constraint senders_provider_check CHECK ((provider = ANY (ARRAY['smtp'::text, 'resend'::text, 'postmark'::text, 'sendgrid'::text, 'mailgun'::text, 'ses'::text, 'inbox'::text])))
  constraint senders_rate_per_second_check CHECK (((rate_per_second >= 1) AND (rate_per_second <= 10000)))
  constraint senders_reply_to_check CHECK (((char_length(reply_to) >= 3) AND (char_length(reply_to) <= 500)))
  constraint senders_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  constraint senders_workspace_id_key_key UNIQUE (workspace_id, key)
  index CREATE UNIQUE INDEX senders_pkey ON public.senders USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX senders_workspace_id_key_key ON public.senders USING btree (workspace_id, key)
  row level security enabled
  policy "Admins can change senders" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can create senders" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can delete senders" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can change senders" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  policy "Keys can create senders" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  policy "Keys can delete senders" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:write'::text]) AS key_workspace_id))
  policy "Keys can read senders" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['senders:read'::text, 'senders:write'::text]) AS key_workspace_id))
  policy "Members can read senders" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER senders_follow AFTER INSERT OR DELETE OR UPDATE ON public.senders FOR EACH ROW EXECUTE FUNCTION private.follow_sender()
  trigger CREATE TRIGGER senders_limit AFTER INSERT ON public.senders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('senders', 'workspace_id')
  trigger CREATE TRIGGER senders_stamp BEFORE INSERT OR UPDATE ON public.senders FOR EACH ROW EXECUTE FUNCTION private.stamp_sender()
  grant delete, select on table to signalpost_key
  grant delete, select on table to signalpost_user
  grant insert (channel) to signalpost_key
  grant insert (channel) to signalpost_user
  grant insert (config) to signalpost_key
  grant insert (config) to signalpost_user
  grant insert (enabled) to signalpost_key
  grant insert (enabled) to signalpost_user
  grant insert (from_address) to signalpost_key
  grant insert (from_address) to signalpost_user
  grant insert (id) to signalpost_key
  grant insert (id) to signalpost_user
  grant insert (key) to signalpost_key
  grant insert (key) to signalpost_user
  grant insert (max_concurrency) to signalpost_key
  grant insert (max_concurrency) to signalpost_user
  grant insert (name) to signalpost_key
  grant insert (name) to signalpost_user
  grant insert (on_unknown) to signalpost_key
  grant insert (on_unknown) to signalpost_user
  grant insert (provider) to signalpost_key
  grant insert (provider) to signalpost_user
  grant insert (rate_per_second) to signalpost_key
  grant insert (rate_per_second) to signalpost_user
  grant insert (reply_to) to signalpost_key
  grant insert (reply_to) to signalpost_user
  grant insert (workspace_id) to signalpost_key
  grant insert (workspace_id) to signalpost_user
  grant update (config) to signalpost_key
  grant update (config) to signalpost_user
  grant update (enabled) to signalpost_key
  grant update (enabled) to signalpost_user
  grant update (from_address) to signalpost_key
  grant update (from_address) to signalpost_user
  grant update (key) to signalpost_key
  grant update (key) to signalpost_user
  grant update (max_concurrency) to signalpost_key
  grant update (max_concurrency) to signalpost_user
  grant update (name) to signalpost_key
  grant update (name) to signalpost_user
  grant update (on_unknown) to signalpost_key
  grant update (on_unknown) to signalpost_user
  grant update (provider) to signalpost_key
  grant update (provider) to signalpost_user
  grant update (rate_per_second) to signalpost_key
  grant update (rate_per_second) to signalpost_user
  grant update (reply_to) to signalpost_key
  grant update (reply_to) to signalpost_user
  comment: Addresses that messages are sent from, each with the provider that takes them. What waits for a deleted one is skipped.

table public.sends partition by RANGE (queued_at)
  column address_hash bytea
  column attempts jsonb not null default '[]'::jsonb
  column campaign_id uuid
  column channel text not null default 'email'::text
  column clicked_at timestamp with time zone
  column customer_id uuid
  column data jsonb not null default '{}'::jsonb
  column depth smallint not null default 0
  column email text
  column facts jsonb
  column feedback text
  column feedback_at timestamp with time zone
  column feedback_reason text
  column finished_at timestamp with time zone
  column id uuid not null
  column is_test boolean not null default false
  column journey_id uuid
  column links text[] not null default '{}'::text[]
  column message_id text
  column not_after timestamp with time zone
  column on_cap text not null default 'skip'::text
  column opened_at timestamp with time zone
  column provider_id text
  column queued_at timestamp with time zone not null
  column reason text
  column run_id uuid
  column sender_id uuid not null
  column sent_at timestamp with time zone
  column state text not null default 'queued'::text
  column step text
  column template_id uuid
  column template_version integer
  column topic_id uuid
  column unsubscribed_at timestamp with time zone
  column variant smallint
  column visit integer
  column workspace_id uuid not null
  constraint sends_channel_check CHECK ((channel = 'email'::text))
  constraint sends_feedback_check CHECK ((feedback = ANY (ARRAY['delivered'::text, 'soft_bounced'::text, 'bounced'::text, 'complained'::text])))
  constraint sends_on_cap_check CHECK ((on_cap = ANY (ARRAY['skip'::text, 'wait'::text])))
  constraint sends_pkey PRIMARY KEY (workspace_id, queued_at, id)
  constraint sends_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'skipped'::text, 'unknown'::text])))
  index CREATE INDEX sends_address_hash_idx ON ONLY public.sends USING btree (workspace_id, address_hash, queued_at DESC) WHERE (address_hash IS NOT NULL)
  index CREATE INDEX sends_campaign_id_idx ON ONLY public.sends USING btree (workspace_id, campaign_id, queued_at DESC, id DESC) WHERE (campaign_id IS NOT NULL)
  index CREATE INDEX sends_customer_id_idx ON ONLY public.sends USING btree (workspace_id, customer_id, queued_at DESC, id DESC)
  index CREATE INDEX sends_journey_id_idx ON ONLY public.sends USING btree (workspace_id, journey_id, queued_at DESC, id DESC) WHERE (journey_id IS NOT NULL)
  index CREATE INDEX sends_provider_id_idx ON ONLY public.sends USING btree (workspace_id, provider_id) WHERE (provider_id IS NOT NULL)
  index CREATE INDEX sends_run_id_idx ON ONLY public.sends USING btree (workspace_id, run_id) WHERE (run_id IS NOT NULL)
  index CREATE INDEX sends_state_idx ON ONLY public.sends USING btree (workspace_id, state, queued_at DESC, id DESC)
  index CREATE INDEX sends_template_id_idx ON ONLY public.sends USING btree (workspace_id, template_id, queued_at DESC, id DESC)
  index CREATE UNIQUE INDEX sends_pkey ON ONLY public.sends USING btree (workspace_id, queued_at, id)
  row level security enabled
  policy "Keys can read sends" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['sends:read'::text, 'sends:write'::text, 'customers:read'::text]) AS key_workspace_id))
  policy "Members can read sends" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  policy "Nobody can read sends to erased customers" for select to signalpost_key, signalpost_user using ((customer_id IS NULL) OR (customer_id <> ALL (ARRAY( SELECT private.erased_customer_ids() AS erased_customer_ids))))
  trigger CREATE TRIGGER sends_count_added AFTER INSERT ON public.sends REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_campaign_sends()
  trigger CREATE TRIGGER sends_count_changed AFTER UPDATE ON public.sends REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_campaign_sends()
  trigger CREATE TRIGGER sends_count_removed AFTER DELETE ON public.sends REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_campaign_sends()
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Messages to customers, each with its state and its attempts. The id is a version 7 UUID of queued_at.

table public.suppressions
  column address text
  column address_hash bytea not null
  column channel text not null
  column created_at timestamp with time zone not null default clock_timestamp()
  column id uuid not null default private.uuid_v7()
  column reason text not null
  column source text not null
  column until timestamp with time zone
  column workspace_id uuid not null
  constraint suppressions_address_check CHECK ((char_length(address) <= 254))
  constraint suppressions_address_hash_check CHECK ((octet_length(address_hash) = 32))
  constraint suppressions_address_key UNIQUE (workspace_id, channel, address_hash)
  constraint suppressions_channel_check CHECK ((channel = 'email'::text))
  constraint suppressions_pkey PRIMARY KEY (workspace_id, id)
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['manual'::text, 'import'::text, 'hard_bounce'::text, 'soft_bounces'::text, 'complaint'::text])))
  constraint suppressions_source_check CHECK ((source = ANY (ARRAY['api'::text, 'import'::text, 'event'::text, 'feedback'::text])))
  constraint suppressions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX suppressions_until_idx ON public.suppressions USING btree (until) WHERE (until IS NOT NULL)
  index CREATE UNIQUE INDEX suppressions_address_key ON public.suppressions USING btree (workspace_id, channel, address_hash)
  index CREATE UNIQUE INDEX suppressions_pkey ON public.suppressions USING btree (workspace_id, id)
  row level security enabled
  policy "Admins can lift suppressions" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can lift suppressions" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['suppressions:write'::text]) AS key_workspace_id))
  policy "Keys can read suppressions" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['suppressions:read'::text, 'suppressions:write'::text]) AS key_workspace_id))
  policy "Members can read suppressions" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant delete, select on table to signalpost_key
  grant delete, select on table to signalpost_user
  comment: Addresses that nothing is sent to, until a time or without end.

table public.template_versions
  column created_at timestamp with time zone not null default clock_timestamp()
  column has_unsubscribe boolean not null
  column html text
  column is_text_generated boolean not null
  column mjml text
  column subject text not null
  column template_id uuid not null
  column text text
  column variables text[] not null
  column version integer not null
  column warnings text[] not null
  column workspace_id uuid not null
  constraint template_versions_html_check CHECK ((octet_length(html) <= 524288))
  constraint template_versions_mjml_check CHECK ((octet_length(mjml) <= 262144))
  constraint template_versions_pkey PRIMARY KEY (workspace_id, template_id, version)
  constraint template_versions_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 1000)))
  constraint template_versions_template_id_fkey FOREIGN KEY (workspace_id, template_id) REFERENCES public.templates(workspace_id, id) ON DELETE CASCADE
  constraint template_versions_text_check CHECK ((octet_length(text) <= 262144))
  constraint template_versions_version_check CHECK ((version > 0))
  index CREATE UNIQUE INDEX template_versions_pkey ON public.template_versions USING btree (workspace_id, template_id, version)
  row level security enabled
  policy "Keys can add versions" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:write'::text]) AS key_workspace_id))
  policy "Keys can read versions" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:read'::text, 'templates:write'::text]) AS key_workspace_id))
  policy "Members can add versions" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('member'::text) AS acting_workspace_id))
  policy "Members can read versions" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant insert, select on table to signalpost_key
  grant insert, select on table to signalpost_user
  comment: Contents of each version of a template, checked and compiled when it was saved.

table public.templates
  column channel text not null default 'email'::text
  column created_at timestamp with time zone not null default now()
  column id uuid not null default private.uuid_v7()
  column key text
  column name text not null
  column strict boolean not null default false
  column track_clicks boolean not null default true
  column track_opens boolean not null default true
  column updated_at timestamp with time zone not null default now()
  column version integer not null
  column workspace_id uuid not null
  constraint templates_channel_check CHECK ((channel = 'email'::text))
  constraint templates_key_check CHECK ((key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'::text))
  constraint templates_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint templates_pkey PRIMARY KEY (workspace_id, id)
  constraint templates_version_check CHECK ((version > 0))
  constraint templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  constraint templates_workspace_id_key_key UNIQUE (workspace_id, key)
  index CREATE UNIQUE INDEX templates_pkey ON public.templates USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX templates_workspace_id_key_key ON public.templates USING btree (workspace_id, key)
  row level security enabled
  policy "Keys can change templates" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:write'::text]) AS key_workspace_id))
  policy "Keys can create templates" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:write'::text]) AS key_workspace_id))
  policy "Keys can delete templates" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:write'::text]) AS key_workspace_id))
  policy "Keys can read templates" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['templates:read'::text, 'templates:write'::text]) AS key_workspace_id))
  policy "Members can change templates" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('member'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('member'::text) AS acting_workspace_id))
  policy "Members can create templates" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('member'::text) AS acting_workspace_id))
  policy "Members can delete templates" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('member'::text) AS acting_workspace_id))
  policy "Members can read templates" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER templates_limit AFTER INSERT ON public.templates REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('templates', 'workspace_id')
  trigger CREATE TRIGGER templates_stamp BEFORE UPDATE ON public.templates FOR EACH ROW EXECUTE FUNCTION private.stamp_template()
  grant delete, insert, select on table to signalpost_key
  grant delete, insert, select on table to signalpost_user
  grant update (key) to signalpost_key
  grant update (key) to signalpost_user
  grant update (name) to signalpost_key
  grant update (name) to signalpost_user
  grant update (strict) to signalpost_key
  grant update (strict) to signalpost_user
  grant update (track_clicks) to signalpost_key
  grant update (track_clicks) to signalpost_user
  grant update (track_opens) to signalpost_key
  grant update (track_opens) to signalpost_user
  grant update (version) to signalpost_key
  grant update (version) to signalpost_user
  comment: Templates of messages; version is the one that is sent.

table public.topics
  column created_at timestamp with time zone not null default now()
  column default_state text not null
  column description text
  column id uuid not null default private.uuid_v7()
  column key text not null
  column name text not null
  column updated_at timestamp with time zone not null default now()
  column workspace_id uuid not null
  constraint topics_default_state_check CHECK ((default_state = ANY (ARRAY['subscribed'::text, 'unsubscribed'::text])))
  constraint topics_description_check CHECK ((char_length(description) <= 1000))
  constraint topics_key_check CHECK ((key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'::text))
  constraint topics_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint topics_pkey PRIMARY KEY (workspace_id, id)
  constraint topics_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  constraint topics_workspace_id_key_key UNIQUE (workspace_id, key)
  index CREATE UNIQUE INDEX topics_pkey ON public.topics USING btree (workspace_id, id)
  index CREATE UNIQUE INDEX topics_workspace_id_key_key ON public.topics USING btree (workspace_id, key)
  row level security enabled
  policy "Admins can change topics" for update to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can create topics" for insert to signalpost_user with check (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Admins can delete topics" for delete to signalpost_user using (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id))
  policy "Keys can change topics" for update to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['topics:write'::text]) AS key_workspace_id)) with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['topics:write'::text]) AS key_workspace_id))
  policy "Keys can create topics" for insert to signalpost_key with check (workspace_id = ( SELECT private.key_workspace_id(ARRAY['topics:write'::text]) AS key_workspace_id))
  policy "Keys can delete topics" for delete to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['topics:write'::text]) AS key_workspace_id))
  policy "Keys can read topics" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['topics:read'::text, 'topics:write'::text, 'customers:read'::text, 'customers:write'::text, 'sends:write'::text]) AS key_workspace_id))
  policy "Members can read topics" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER topics_forget AFTER DELETE ON public.topics FOR EACH ROW EXECUTE FUNCTION private.forget_topic()
  trigger CREATE TRIGGER topics_limit AFTER INSERT ON public.topics REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('topics', 'workspace_id')
  trigger CREATE TRIGGER topics_stamp BEFORE UPDATE ON public.topics FOR EACH ROW EXECUTE FUNCTION private.stamp_topic()
  grant delete, insert, select, update on table to signalpost_key
  grant delete, insert, select, update on table to signalpost_user
  comment: Subjects that a customer subscribes to. default_state is the state of an address without a choice.

table public.usage_stats with (fillfactor=50)
  column bytes bigint not null default 0
  column customers bigint not null
  column events bigint not null
  column hour timestamp with time zone not null
  column workspace_id uuid not null
  constraint usage_stats_pkey PRIMARY KEY (workspace_id, hour)
  constraint usage_stats_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE UNIQUE INDEX usage_stats_pkey ON public.usage_stats USING btree (workspace_id, hour)
  row level security enabled
  policy "Keys can read usage" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['events:read'::text, 'destinations:read'::text]) AS key_workspace_id))
  policy "Members can read usage" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: Entries stored, customers created and bytes stored in the hour that starts at hour.

table public.webhook_messages partition by RANGE (created_at)
  column body text
  column created_at timestamp with time zone not null
  column customer_id uuid
  column event_type text not null
  column id uuid not null
  column workspace_id uuid not null
  constraint webhook_messages_pkey PRIMARY KEY (workspace_id, created_at, id)
  index CREATE INDEX webhook_messages_customer_id_idx ON ONLY public.webhook_messages USING btree (workspace_id, customer_id) WHERE (customer_id IS NOT NULL)
  index CREATE UNIQUE INDEX webhook_messages_pkey ON ONLY public.webhook_messages USING btree (workspace_id, created_at, id)
  row level security enabled
  policy "Keys can read messages" for select to signalpost_key using (workspace_id = ( SELECT private.key_workspace_id(ARRAY['deliveries:read'::text, 'deliveries:write'::text]) AS key_workspace_id))
  policy "Members can read messages" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  policy "Nobody can read messages about erased customers" for select to signalpost_key, signalpost_user using ((customer_id IS NULL) OR (customer_id <> ALL (ARRAY( SELECT private.erased_customer_ids() AS erased_customer_ids))))
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  comment: The exact text of each body, signed and sent on every attempt; null after its customer was erased.

table public.workspace_members
  column created_at timestamp with time zone not null default now()
  column role text not null
  column user_id uuid not null
  column workspace_id uuid not null
  constraint workspace_members_pkey PRIMARY KEY (workspace_id, user_id)
  constraint workspace_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
  constraint workspace_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
  constraint workspace_members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE
  index CREATE INDEX workspace_members_user_id_idx ON public.workspace_members USING btree (user_id)
  index CREATE UNIQUE INDEX workspace_members_pkey ON public.workspace_members USING btree (workspace_id, user_id)
  row level security enabled
  policy "Admins can change roles" for update to signalpost_user using ((workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) AND ((role <> 'owner'::text) OR (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id)))) with check ((workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)) AND ((role <> 'owner'::text) OR (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id))))
  policy "Admins can remove members, and everybody can leave" for delete to signalpost_user using ((workspace_id = ( SELECT private.acting_workspace_id('viewer'::text) AS acting_workspace_id)) AND ((user_id = ( SELECT auth.uid() AS uid)) OR (workspace_id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id)) OR ((role <> 'owner'::text) AND (workspace_id = ( SELECT private.acting_workspace_id('admin'::text) AS acting_workspace_id)))))
  policy "Members can read fellow members" for select to signalpost_user using (workspace_id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  trigger CREATE TRIGGER members_limit AFTER INSERT ON public.workspace_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.check_limit('members', 'workspace_id')
  trigger CREATE TRIGGER workspace_members_hand_over AFTER DELETE ON public.workspace_members FOR EACH ROW EXECUTE FUNCTION private.hand_over_workspace()
  trigger CREATE TRIGGER workspace_members_keep_an_owner BEFORE DELETE OR UPDATE ON public.workspace_members FOR EACH ROW EXECUTE FUNCTION private.keep_an_owner()
  trigger CREATE TRIGGER workspace_members_lock BEFORE DELETE OR UPDATE ON public.workspace_members FOR EACH STATEMENT EXECUTE FUNCTION private.lock_acting_workspace()
  grant delete, select on table to signalpost_user
  grant update (role) to signalpost_user
  comment: The members of each workspace and their roles.

table public.workspaces
  column created_at timestamp with time zone not null default now()
  column created_by uuid
  column fill_browser_ip boolean not null default true
  column id uuid not null default private.uuid_v7()
  column name text not null
  column plan_id text not null default 'free'::text
  column timezone text not null default 'UTC'::text
  column updated_at timestamp with time zone not null default now()
  constraint workspaces_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL
  constraint workspaces_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
  constraint workspaces_pkey PRIMARY KEY (id)
  constraint workspaces_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id)
  constraint workspaces_timezone_check CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 100)))
  index CREATE INDEX workspaces_created_by_idx ON public.workspaces USING btree (created_by)
  index CREATE INDEX workspaces_plan_id_idx ON public.workspaces USING btree (plan_id)
  index CREATE UNIQUE INDEX workspaces_pkey ON public.workspaces USING btree (id)
  row level security enabled
  policy "Keys can read their workspace" for select to signalpost_key using (id = ( SELECT private.key_workspace_id() AS key_workspace_id))
  policy "Members can read their workspaces" for select to signalpost_user using (id IN ( SELECT private.member_workspace_ids() AS member_workspace_ids))
  policy "Owners can change their workspace" for update to signalpost_user using (id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id)) with check (id = ( SELECT private.acting_workspace_id('owner'::text) AS acting_workspace_id))
  trigger CREATE TRIGGER workspaces_make_keys AFTER INSERT ON public.workspaces FOR EACH ROW EXECUTE FUNCTION private.make_workspace_keys()
  grant select on table to signalpost_key
  grant select on table to signalpost_user
  grant update (fill_browser_ip) to signalpost_user
  grant update (name) to signalpost_user
  grant update (timezone) to signalpost_user
  grant update (updated_at) to signalpost_user
  comment on fill_browser_ip: True when context.ip of requests by Segment's browser library is filled in from the connection.
  comment on timezone: The IANA zone of customers whose own zone is unknown.
  comment: A tenant: everything else belongs to exactly one.

CREATE OR REPLACE FUNCTION ops.add_owner(p_workspace_id uuid, p_email text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid := private.find_user(p_email);
  v_role text;
begin
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  if not found or private.is_erased(p_workspace_id) then
    raise sqlstate 'SP404' using
      message = format('Cannot add an owner: no workspace has the id "%s"', p_workspace_id);
  elsif v_user_id is null then
    raise sqlstate 'SP404' using
      message = format('Cannot add an owner: no account has the confirmed address "%s"', p_email);
  end if;
  select m.role into v_role
  from public.workspace_members as m
  where m.workspace_id = p_workspace_id and m.user_id = v_user_id;
  if v_role = 'owner' then
    return v_user_id;
  end if;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (p_workspace_id, v_user_id, 'owner')
  on conflict (workspace_id, user_id) do update set role = 'owner';
  delete from public.invitations as i
  where i.workspace_id = p_workspace_id and i.email = lower(p_email);
  perform private.write_system_audit(
    p_workspace_id, case when v_role is null then 'member.invite' else 'member.update' end, v_user_id,
    jsonb_build_object('role', 'owner', 'role_before', v_role, 'reason', 'operator')
  );
  return v_user_id;
end
$function$
  comment: Makes the account with this confirmed address an owner of the workspace, a member or not; returns the id of the user.

CREATE OR REPLACE FUNCTION ops.adopt_workspace(p_workspace_id uuid, p_rows jsonb, p_accounts jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_table record;
begin
  update private.workspace_moves as m
  set state = 'adopted', switched_at = clock_timestamp()
  where m.workspace_id = p_workspace_id and m.direction = 'in' and m.state = 'arriving';
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot adopt workspace "%s": it is not arriving', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'replica', true);
  insert into auth.users (id, email, email_confirmed_at, created_at)
  select a.id, a.email, a.email_confirmed_at, a.created_at
  from jsonb_to_recordset(p_accounts)
    as a (id uuid, email text, email_confirmed_at timestamptz, created_at timestamptz)
  on conflict (id) do nothing;
  for v_table in select t.key::regclass as name, t.value from jsonb_each(p_rows) as t loop
    perform private.import_rows(v_table.name, v_table.value);
  end loop;
  -- Deliveries in flight are sent again, as after a crash.
  update private.webhook_queue as q
  set claim = null, claimed_at = null, lease_until = null
  where q.workspace_id = p_workspace_id and q.claim is not null;
  -- A message in flight may have been taken: private.expire_send_claims judges it, as after a crash.
  update private.send_queue as q
  set lease_until = clock_timestamp()
  where q.workspace_id = p_workspace_id and q.claim is not null;
  perform private.free_lanes(p_workspace_id);
  perform private.advance_sequences(p_workspace_id);
  delete from private.moved_addresses as m where m.workspace_id = p_workspace_id;
  delete from private.directory as d where d.workspace_id = p_workspace_id;
  delete from private.move_marks as m where m.workspace_id = p_workspace_id;
  perform set_config('session_replication_role', 'origin', true);
  perform private.wake_dispatcher();
  perform private.wake_worker('send-dispatch');
end
$function$
  comment: Switches a workspace on in this cell, with the rows that ops.take_out_workspace kept and the accounts of its members. From here on a move cannot be undone, only repeated in the other direction.

CREATE OR REPLACE FUNCTION ops.audit_segments(p_share double precision, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(workspace_id uuid, segment_id uuid, customer_id uuid, is_member boolean, is_true boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_workspace_id uuid;
  v_difference record;
begin
  for v_workspace_id in select l.workspace_id from private.segment_lanes as l order by random() loop
    for v_difference in select a.* from private.audit_workspace(v_workspace_id, p_share, p_now) as a loop
      raise warning 'Segment "%" differs from the model for customer "%": member %, true %',
        v_difference.segment_id, v_difference.customer_id, v_difference.is_member, v_difference.is_true;
      update private.segment_lanes as l set differences = l.differences + 1
      where l.workspace_id = v_workspace_id;
      return query select
        v_difference.workspace_id, v_difference.segment_id, v_difference.customer_id,
        v_difference.is_member, v_difference.is_true;
    end loop;
  end loop;
end
$function$
  comment: Compares a share (0 to 1) of all customers with what all rows say about each live segment; returns, logs and counts the differences.

CREATE OR REPLACE FUNCTION ops.configure_dispatch(p_url text, p_key text)
 RETURNS TABLE(part text, state text, to_do text)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_pg_net_problem text := private.pg_net_problem();
  v_vault_problem text := private.vault_problem();
begin
  if p_url is null or p_url !~ '^https?://' then
    raise sqlstate 'SP400' using
      message = 'Cannot configure dispatch: the first argument must be the http(s) address of webhook-dispatch';
  elsif coalesce(p_key, '') = '' then
    raise sqlstate 'SP400' using
      message = 'Cannot configure dispatch: the second argument must be the secret key named dispatch';
  elsif v_pg_net_problem is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot configure dispatch: enable the extension pg_net first (%s)', v_pg_net_problem
    );
  elsif v_vault_problem is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot configure dispatch: enable the extension supabase_vault first (%s)', v_vault_problem
    );
  end if;
  -- An entry of a restored copy may be encrypted with a key that this server does not have.
  delete from vault.secrets as s
  where s.name in ('signalpost_dispatch_url', 'signalpost_dispatch_key');
  perform vault.create_secret(p_url, 'signalpost_dispatch_url');
  perform vault.create_secret(p_key, 'signalpost_dispatch_key');
  update private.dispatch_state as s set configured_for = private.database_identity();
  return query select * from ops.connect_platform();
end
$function$
  comment: Tells the database where webhook-dispatch is (https://<ref>.supabase.co/functions/v1/webhook-dispatch) and the secret key named dispatch, both kept in Vault. Call it once, again when either changes, and after restoring a dump. Returns what ops.connect_platform() returns.

CREATE OR REPLACE FUNCTION ops.connect_platform()
 RETURNS TABLE(part text, state text, to_do text)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_pg_net_problem text := private.pg_net_problem();
  v_vault_problem text := private.vault_problem();
begin
  perform private.close_default_privileges();
  return query
    select 'pg_cron', c.state, c.to_do from private.connect_cron() as c
    union all
    select * from private.dispatch_report(v_pg_net_problem, v_vault_problem);
end
$function$
  comment: Connects the schema with pg_cron, pg_net and Vault, and revokes what new projects grant by default. Returns a row for each part: its state, and what is left to do. Call it after every db push, restore or change of extensions; repeating it is safe.

CREATE OR REPLACE FUNCTION ops.discard_missed(p_destination_id uuid, p_until timestamp with time zone DEFAULT clock_timestamp(), OUT job_id uuid, OUT matched integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_job public.jobs;
begin
  v_job.workspace_id := (
    select d.workspace_id from public.destinations as d where d.id = p_destination_id
  );
  if v_job.workspace_id is null then
    raise sqlstate 'SP404' using message = format(
      'Cannot discard missed messages: no destination has the id "%s"', p_destination_id
    );
  end if;
  v_job.destination_id := p_destination_id;
  v_job.kind := 'discard';
  v_job.since := '-infinity';
  v_job.until := p_until;
  select count(*) into v_job.total
  from public.missed_messages as m
  where m.workspace_id = v_job.workspace_id and m.destination_id = p_destination_id
    and m.message_created_at < p_until;
  job_id := private.create_job(v_job);
  matched := v_job.total;
end
$function$
  comment: Gives up every message that the destination missed before p_until: it can no longer be recovered, only tried one by one. Returns the job that does it and how many messages it covers.

CREATE OR REPLACE FUNCTION ops.fence_table(p_workspace_id uuid, p_table regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET lock_timeout TO '100ms'
AS $function$
declare
  v_name text := private.fence_name(p_workspace_id);
  v_rule record;
begin
  select m.* into strict v_rule from private.moved_tables() as m where m.name = p_table;
  if exists (
    select from pg_catalog.pg_trigger as t where t.tgrelid = p_table and t.tgname = v_name
  ) then
    return;
  end if;
  execute format(
    'create trigger %I before insert on %s for each row when (new.%I = %L)
     execute function private.refuse_change(%L)',
    v_name, p_table, v_rule.workspace_column, p_workspace_id, array_to_string(v_rule.skips, ' ')
  );
  -- Rows that are taken out may still change until they are.
  if not v_rule.is_taken_out then
    execute format(
      'create trigger %I before update or delete on %s for each row when (old.%I = %L)
       execute function private.refuse_change(%L)',
      v_name || '_', p_table, v_rule.workspace_column, p_workspace_id,
      array_to_string(v_rule.skips, ' ')
    );
  end if;
end
$function$
  comment: Refuses changes of a workspace in a table; doing it again changes nothing.

CREATE OR REPLACE FUNCTION ops.fenced_tables()
 RETURNS TABLE(name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- The mark is written behind the fence.
  select m.name::text from private.moved_tables() as m
  where m.name <> 'private.move_marks'::regclass
  -- Those that every entry writes come last, so that callers wait for a shorter time.
  order by m.name = any (array[
    'private.idempotency_keys', 'private.lane_arrivals', 'private.usage_deltas',
    'private.webhook_queue', 'public.customers', 'public.events', 'public.webhook_messages'
  ]::regclass[])
$function$
  comment: The tables to call ops.fence_table for.

CREATE OR REPLACE FUNCTION ops.finish_move_out(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_cell text;
begin
  perform set_config('session_replication_role', 'replica', true);
  update private.workspace_moves as m
  set state = 'moved', taken_rows = null, switched_at = clock_timestamp()
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state = 'switching'
  returning m.cell into v_cell;
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot finish moving workspace "%s": it is not being switched', p_workspace_id);
  end if;
  insert into private.moved_addresses (address, workspace_id, cell)
  select k.hash, p_workspace_id, v_cell from private.api_keys as k
  where k.workspace_id = p_workspace_id and k.revoked_at is null
  union all
  select uuid_send(s.id), p_workspace_id, v_cell from public.inbound_sources as s
  where s.workspace_id = p_workspace_id
  on conflict (address) do update set cell = excluded.cell;
  delete from private.api_keys as k where k.workspace_id = p_workspace_id;
  delete from public.inbound_sources as s where s.workspace_id = p_workspace_id;
  delete from public.invitations as i where i.workspace_id = p_workspace_id;
  delete from public.workspace_members as m where m.workspace_id = p_workspace_id;
  perform set_config('session_replication_role', 'origin', true);
end
$function$
  comment: Sends callers of a workspace that another cell has adopted there: its keys and sources redirect.

CREATE OR REPLACE FUNCTION ops.hold_deliveries(p_workspace_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- As if a dispatcher had them: no other claims from a lane with requests in flight.
  update private.lanes as l
  set
    in_flight = l.in_flight + case when l.owner = p_workspace_id then 0 else 1 end,
    owner = p_workspace_id,
    refilled_at = clock_timestamp() + interval '1 minute'
  where l.workspace_id = p_workspace_id;
  update private.send_lanes as l
  set
    in_flight = l.in_flight + case when l.owner = p_workspace_id then 0 else 1 end,
    owner = p_workspace_id,
    refilled_at = clock_timestamp() + interval '1 minute'
  where l.workspace_id = p_workspace_id;
  return (
    select count(*) from private.lanes as l
    join private.webhook_queue as q
      on q.destination_id = l.destination_id and q.workspace_id = l.workspace_id
    where l.workspace_id = p_workspace_id and q.lease_until is not null
  ) + (
    select count(*) from private.send_queue as q
    where q.workspace_id = p_workspace_id and q.lease_until is not null
  );
end
$function$
  comment: Keeps dispatchers from claiming deliveries and messages of a workspace, for a minute; returns how many are in flight.

CREATE OR REPLACE FUNCTION ops.name_cell(p_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_name <> private.cell_name() and exists (select from public.workspaces) then
    raise sqlstate 'SP409' using
      message = format('Cannot name cell "%s": it has workspaces as "%s"', p_name, private.cell_name());
  end if;
  update private.this_cell as c set name = p_name where c.name <> p_name;
end
$function$
  comment: Names the cell of this database, before it has workspaces: the two digits of CELL_DATABASE_URLS.

CREATE OR REPLACE FUNCTION ops.open_table(p_workspace_id uuid, p_table regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET lock_timeout TO '100ms'
AS $function$
declare
  v_name text := private.fence_name(p_workspace_id);
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = p_table and t.tgname in (v_name, v_name || '_')
  ) then
    return;
  end if;
  execute format('drop trigger if exists %I on %s', v_name, p_table);
  execute format('drop trigger if exists %I on %s', v_name || '_', p_table);
end
$function$
  comment: Allows changes of a workspace in a table again; doing it again changes nothing.

CREATE OR REPLACE FUNCTION ops.recover_missed(p_destination_id uuid, p_since timestamp with time zone DEFAULT '-infinity'::timestamp with time zone, OUT job_id uuid, OUT matched integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_destination public.destinations :=
    private.replayable_destination('recover missed messages', p_destination_id);
  v_job public.jobs;
begin
  v_job.workspace_id := v_destination.workspace_id;
  v_job.destination_id := p_destination_id;
  v_job.kind := 'recover';
  v_job.since := p_since;
  v_job.until := 'infinity';
  select count(*) into v_job.total
  from public.missed_messages as m
  where m.workspace_id = v_job.workspace_id and m.destination_id = p_destination_id
    and m.message_created_at >= p_since;
  job_id := private.create_job(v_job);
  matched := v_job.total;
end
$function$
  comment: Sends every message that matched the destination while it was disabled, since p_since; returns the job that does it and how many messages it covers.

CREATE OR REPLACE FUNCTION ops.replay_delivery(p_delivery_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select private.send_again((
    -- Every index of the log begins with the workspace, so one lookup per workspace reads least.
    select w.id
    from public.workspaces as w
    cross join lateral (
      select from public.deliveries as d
      where d.workspace_id = w.id and d.id = p_delivery_id
        and d.attempted_at = private.uuid_v7_time(p_delivery_id)
      limit 1
    ) as d
    limit 1
  ), p_delivery_id, p_now)
$function$
  comment: Sends the message of a delivery to its destination again, at once; returns the message's id. May be repeated.

CREATE OR REPLACE FUNCTION ops.replay_failed(p_destination_id uuid, p_since timestamp with time zone, p_until timestamp with time zone DEFAULT clock_timestamp(), OUT job_id uuid, OUT matched integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_destination public.destinations :=
    private.replayable_destination('replay failed deliveries', p_destination_id);
  v_job public.jobs;
begin
  v_job.workspace_id := v_destination.workspace_id;
  v_job.destination_id := p_destination_id;
  v_job.kind := 'replay';
  v_job.since := p_since;
  v_job.until := p_until;
  v_job.total := private.count_failed(v_job);
  job_id := private.create_job(v_job);
  matched := v_job.total;
end
$function$
  comment: Sends every message again that failed at the destination from p_since to before p_until and was not delivered since; returns the job that does it and how many messages it covers, counted in the newest 10,000 failed attempts.

CREATE OR REPLACE FUNCTION ops.resume_sending(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.send_settings as s set stopped_at = null, stopped_reason = null
  where s.workspace_id = p_workspace_id;
  perform private.gate_senders(p_workspace_id);
  perform private.wake_worker('send-dispatch');
end
$function$
  comment: Ends ops.stop_sending: what waited is checked again and sent, unless it is too late for it.

CREATE OR REPLACE FUNCTION ops.rotate_link_key(p_workspace_id uuid, p_valid_for interval DEFAULT '90 days'::interval)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$
  comment: Replaces the key that signs the links of a workspace. Links in messages that were sent before work for p_valid_for: the time for which sends are kept, or 0 if the key has leaked.

CREATE OR REPLACE FUNCTION ops.run_hourly_tasks(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  -- Two at once would wait for each other on the partitions.
  if pg_try_advisory_xact_lock(hashtextextended('signalpost.partitions', 0)) then
    perform private.run_tasks('1 hour', p_now);
  end if;
end
$function$
  comment: Runs the tasks of every hour: partitions, expired rows, lanes. Called by pg_cron, and by the local stack; safe at any time.

CREATE OR REPLACE FUNCTION ops.send_test_ping(p_destination_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_workspace_id uuid := (select d.workspace_id from public.destinations as d where d.id = p_destination_id);
  v_payload jsonb := jsonb_build_object(
    'destination_id', p_destination_id,
    'message', 'This is a test of the destination. If its signature verifies, the receiver is set up.'
  );
begin
  if v_workspace_id is null then
    raise sqlstate 'SP404' using
      message = format('Cannot send a test ping: no destination has the id "%s"', p_destination_id);
  end if;
  return (private.publish_messages(
    array[private.service_message(v_workspace_id, 'ping', v_payload, p_destination_id)], p_now
  ))[1];
end
$function$
  comment: Sends a ping to the destination, once, also when it is disabled; returns the message's id.

CREATE OR REPLACE FUNCTION ops.start_move_in(p_workspace_id uuid, p_cell text, p_plan_id text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_left text := (
    select string_agg(m.name::text, ', ') from private.moved_tables() as m
    where private.has_rows(m.name, m.workspace_column, p_workspace_id)
  );
begin
  if not exists (select from public.plans as p where p.id = p_plan_id) then
    raise sqlstate 'SP409' using message = format(
      'Cannot move workspace "%s": this cell has no plan "%s"', p_workspace_id, p_plan_id
    );
  elsif v_left is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot move workspace "%s": this cell already has rows of it in %s', p_workspace_id, v_left
    );
  end if;
  insert into private.workspace_moves (workspace_id, direction, cell, state)
  values (p_workspace_id, 'in', p_cell, 'arriving');
end
$function$
  comment: Starts a move from another cell; nobody finds the workspace here before it is adopted.

CREATE OR REPLACE FUNCTION ops.start_move_out(p_workspace_id uuid, p_cell text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_tables text;
begin
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  if not found or private.is_erased(p_workspace_id) then
    raise sqlstate 'SP404' using
      message = format('Cannot move workspace "%s": it does not exist in this cell', p_workspace_id);
  end if;
  insert into private.workspace_moves (workspace_id, direction, cell, state)
  values (p_workspace_id, 'out', p_cell, 'copying');
  select string_agg(format('table %s where (workspace_id = %L)', m.name, p_workspace_id), ', ')
  into v_tables
  from private.moved_tables() as m
  where not m.is_copied;
  execute format(
    'create publication %I for %s with (publish_via_partition_root = true)',
    private.fence_name(p_workspace_id), v_tables
  );
end
$function$
  comment: Starts a move to another cell: publishes the rows of the workspace.

CREATE OR REPLACE FUNCTION ops.stop_sending(p_workspace_id uuid, p_reason text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.send_settings (workspace_id, stopped_at, stopped_reason)
  values (p_workspace_id, clock_timestamp(), p_reason)
  on conflict (workspace_id) do update
  set stopped_at = excluded.stopped_at, stopped_reason = excluded.stopped_reason;
  perform private.gate_senders(p_workspace_id);
end
$function$
  comment: Stops all sends of a workspace at once: what is not with its provider yet waits until ops.resume_sending.

CREATE OR REPLACE FUNCTION ops.take_out_workspace(p_workspace_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_rows jsonb := '{}';
  v_table record;
  v_mark uuid;
begin
  perform set_config('session_replication_role', 'replica', true);
  for v_table in
    select m.* from private.moved_tables() as m where m.is_copied order by m.is_taken_out, m.name::text
  loop
    if v_table.is_taken_out then
      -- Waits for those who change a row right now.
      execute format('select from %s where %I = $1 for update', v_table.name, v_table.workspace_column)
      using p_workspace_id;
    end if;
    v_rows := v_rows || jsonb_build_object(
      v_table.name::text,
      private.export_rows(v_table.name, v_table.workspace_column, p_workspace_id)
    );
    if v_table.is_taken_out then
      execute format('delete from %s where %I = $1', v_table.name, v_table.workspace_column)
      using p_workspace_id;
    end if;
  end loop;
  insert into private.move_marks (workspace_id) values (p_workspace_id) returning id into v_mark;
  update private.workspace_moves as m
  set state = 'switching', taken_rows = v_rows
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state = 'copying';
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot switch workspace "%s": it is not being copied', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'origin', true);
  return v_mark;
end
$function$
  comment: Stops the background work of a fenced workspace: keeps its rows of the tables that move as a whole, and returns the mark that ends its replication.

CREATE OR REPLACE FUNCTION ops.undo_move_out(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_move private.workspace_moves;
  v_table record;
begin
  delete from private.workspace_moves as m
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state in ('copying', 'switching')
  returning * into v_move;
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot undo moving workspace "%s": it has moved', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'replica', true);
  if v_move.state = 'switching' then
    for v_table in
      select m.name from private.moved_tables() as m where m.is_taken_out
    loop
      -- The fence skips new lanes, so none can be in the way.
      perform private.import_rows(v_table.name, v_move.taken_rows -> v_table.name::text);
    end loop;
  end if;
  delete from private.move_marks as m where m.workspace_id = p_workspace_id;
  perform private.free_lanes(p_workspace_id);
  perform set_config('session_replication_role', 'origin', true);
  perform private.wake_dispatcher();
end
$function$
  comment: Puts back what ops.take_out_workspace took, and ends the move; the fence is to be opened after it.

CREATE OR REPLACE FUNCTION private.accept_invitation(p_id uuid, p_request_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid := (select auth.uid());
  v_invitation public.invitations := private.lock_own_invitation(p_id);
begin
  if v_invitation.accepted_by is not null then
    return v_invitation.workspace_id;
  elsif v_invitation.declined_at is not null then
    raise sqlstate 'SP409' using
      message = 'Cannot accept the invitation: you declined it, ask for a new one';
  elsif v_invitation.expires_at <= now() then
    raise sqlstate 'SP409' using
      message = 'Cannot accept the invitation: it has ended, ask for a new one';
  elsif (select count(*) from public.workspace_members as m where m.user_id = v_user_id) >= 100 then
    raise sqlstate 'SP409' using
      message = 'Cannot accept the invitation: you belong to 100 workspaces already';
  end if;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_invitation.workspace_id, v_user_id, v_invitation.role)
  -- A user who is already a member keeps their role.
  on conflict (workspace_id, user_id) do nothing;
  if found then
    perform private.audit_answer(v_invitation, 'member.join', v_user_id, p_request_id);
  end if;
  update public.invitations as i set accepted_by = v_user_id
  where i.workspace_id = v_invitation.workspace_id and i.id = p_id;
  return v_invitation.workspace_id;
end
$function$
  grant execute on function to signalpost_user
  comment: Makes the calling user a member of the workspace that invited their confirmed address; returns its id. Repeating it changes nothing. SP409 for an invitation that was declined or has expired.

CREATE OR REPLACE FUNCTION private.acting_workspace_id(p_least_role text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select m.workspace_id
  from private.member_workspace_ids(
    case p_least_role
      when 'owner' then array['owner']
      when 'admin' then array['owner', 'admin']
      when 'member' then array['owner', 'admin', 'member']
      when 'viewer' then array['owner', 'admin', 'member', 'viewer']
      else '{}'
    end
  ) as m (workspace_id)
  -- A session writes only in the workspace that its request names, not in all of its user.
  where m.workspace_id = nullif(current_setting('signalpost.acting_workspace_id', true), '')::uuid
$function$
  grant execute on function to signalpost_user
  comment: The workspace that a session acts in within this transaction, when the user's role there is p_least_role or higher; else null.

CREATE OR REPLACE FUNCTION private.add_features(p_workspace_id uuid, p_condition jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.features (
    workspace_id, hash, event, conditions, since, until, property, keep, state
  )
  select distinct on (private.leaf_hash(l.leaf))
    p_workspace_id, private.leaf_hash(l.leaf), l.leaf ->> 'event', f.feature -> 'conditions',
    private.read_time(f.feature -> 'since'), private.read_time(f.feature -> 'until'),
    string_to_array(f.feature ->> 'property', '.'), private.keep_class(private.leaf_keep(l.leaf)),
    'building'
  from private.condition_leaves(p_condition) as l
  cross join lateral (select private.leaf_feature(l.leaf) as feature) as f
  where l.leaf ? 'event'
  on conflict on constraint features_workspace_id_hash_key do nothing;
  insert into private.event_interests (workspace_id, event)
  select distinct p_workspace_id, l.leaf ->> 'event'
  from private.condition_leaves(p_condition) as l
  where l.leaf ? 'event'
  on conflict do nothing;
end
$function$
  comment: Creates the features of a condition that do not exist yet; ingest notes their events from the end of this transaction.

CREATE OR REPLACE FUNCTION private.add_node(p_compiled private.compiled_condition, p_sql text)
 RETURNS private.compiled_condition
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  p_compiled.root := coalesce(cardinality(p_compiled.joins), 0) + 1;
  -- With "offset 0" each node is computed once: an expression would be copied into all above it.
  p_compiled.joins := p_compiled.joins
    || format('cross join lateral (%s offset 0) as n%s', p_sql, p_compiled.root);
  return p_compiled;
end
$function$
  comment: Adds a node, which becomes the root.

CREATE OR REPLACE FUNCTION private.add_suppressions(p_workspace_id uuid, p_entries jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'suppressions:write');
  return private.suppress(p_workspace_id, p_entries);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Suppresses addresses for an admin or a key: see private.suppress.

CREATE OR REPLACE FUNCTION private.add_to_segment(p_workspace_id uuid, p_segment_id uuid, p_ids jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_added uuid[];
begin
  perform private.require_list(p_workspace_id, p_segment_id, p_ids);
  with added as (
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select distinct p_workspace_id, p_segment_id, 0, f.customer_id, clock_timestamp()
    from private.find_listed(p_workspace_id, p_ids) as f
    where f.customer_id is not null
    on conflict do nothing
    returning customer_id
  )
  select coalesce(array_agg(a.customer_id), '{}') into v_added from added as a;
  perform private.note_list_change(p_workspace_id, p_segment_id, v_added);
  return private.list_result(p_workspace_id, p_ids, cardinality(v_added));
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Adds customers to a static segment by {customer_ids, external_ids, emails}, at most 10,000; returns changed, unchanged, unknown.

CREATE OR REPLACE FUNCTION private.address_hash(p_workspace_id uuid, p_channel text, p_address text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- HMAC-SHA-256 of channel and address under the key of the workspace.
  select sha256(k.outer_pad || sha256(k.inner_pad || convert_to(
    p_channel || ':' || private.normalize_address(p_channel, p_address), 'UTF8'
  )))
  from private.workspace_keys as k
  where k.workspace_id = p_workspace_id and k.purpose = 'address'
$function$
  comment: The keyed hash of an address, 32 bytes; null without an address.

CREATE OR REPLACE FUNCTION private.address_states(p_workspace_id uuid, p_channel text, p_hashes bytea[], p_topic_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(address_hash bytea, topic_id uuid, subscribed boolean, changed_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    a.hash, t.id,
    -- The newer choice counts: the one about the topic, or the one about all topics.
    case
      when not e.subscribed and e.changed_at >= coalesce(c.changed_at, '-infinity') then false
      else coalesce(c.subscribed, t.default_state = 'subscribed')
    end,
    greatest(c.changed_at, case when not e.subscribed then e.changed_at end)
  from unnest(p_hashes) as a (hash)
  join public.topics as t
    on t.workspace_id = p_workspace_id and (p_topic_id is null or t.id = p_topic_id)
  left join private.consents as c
    on c.workspace_id = t.workspace_id and c.channel = p_channel
    and c.address_hash = a.hash and c.topic_id = t.id
  left join private.consents as e
    on e.workspace_id = t.workspace_id and e.channel = p_channel
    and e.address_hash = a.hash and e.topic_id = private.all_topics()
$function$
  comment: States of addresses: one row per address and topic, or about one topic, and when the address last said so; changed_at is null for the default.

CREATE OR REPLACE FUNCTION private.advance_sequences(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_column record;
  v_last bigint;
begin
  for v_column in
    select m.name, a.attname, pg_get_serial_sequence(m.name::text, a.attname)::regclass as sequence
    from private.moved_tables() as m
    join pg_catalog.pg_attribute as a on a.attrelid = m.name and a.attidentity <> ''
    where not m.is_copied
  loop
    execute format('select max(%I) from %s where workspace_id = $1', v_column.attname, v_column.name)
    into v_last using p_workspace_id;
    if v_last >= coalesce(pg_sequence_last_value(v_column.sequence), 0) then
      -- Far ahead: a value that somebody takes right now must not come a second time.
      perform setval(v_column.sequence, v_last + 1000000);
    end if;
  end loop;
end
$function$
  comment: Sets sequences behind the values that a workspace brought along.

CREATE OR REPLACE FUNCTION private.aggregate_sql(p_leaf jsonb, p_feature_id bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_kind text := case when p_leaf ? 'sum' then 'sum' when p_leaf ? 'min' then 'min' else 'max' end;
  v_limits jsonb := p_leaf -> v_kind;
  v_interval interval := private.read_duration(p_leaf ->> 'within') + interval '1 hour';
  v_rows text := case
    when p_feature_id is null then format(
      'select date_trunc(''hour'', t.at, ''UTC'') as hour, v.value as %s from %s and v.value is not null and %s',
      v_kind,
      private.events_sql(p_leaf, format(
        'cross join lateral (
           select case when jsonb_typeof(%1$s) = ''number'' then (%1$s)::numeric end as value
         ) as v',
        private.path_sql('e.properties', v_limits ->> 'property')
      )),
      private.window_sql(p_leaf - 'within', 't.at')
    )
    else format(
      'select f.hour, f.%1$s
       from public.identities as i
       cross join lateral (
         select x.hour, x.%1$s from private.feature_buckets as x
         where x.workspace_id = i.workspace_id and x.feature_id = %2$s and x.identity_id = i.id offset 0
       ) as f
       where i.workspace_id = $1 and i.customer_id = c.id', v_kind, p_feature_id
    )
  end;
begin
  return format(
    'select coalesce(%1$s, false) as holds, coalesce(m.first_hour + %2$L::interval, ''infinity'') as until,
       to_jsonb(m.value) as fact
     from (
       select %3$s as value, min(r.hour) as first_hour from (%4$s) as r where %5$s offset 0
     ) as m',
    (
      select coalesce(string_agg(
        format('m.value %s %L::numeric', case l.key
          when 'gte' then '>=' when 'gt' then '>' when 'lte' then '<=' when 'lt' then '<' when 'eq' then '='
        end, l.value), ' and '
      ), 'true')
      from jsonb_each_text(v_limits - 'property') as l
    ),
    v_interval,
    case v_kind when 'sum' then 'coalesce(sum(r.sum), 0)' else format('%1$s(r.%1$s)', v_kind) end,
    v_rows,
    case when v_interval is null then 'true' else format('r.hour > $2 - %L::interval', v_interval) end
  );
end
$function$
  comment: SQL of a leaf that adds up numbers of events, or looks for the least or greatest: from all events, or from the hours of a feature. An event leaves a window with its hour.

CREATE OR REPLACE FUNCTION private.all_topics()
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '00000000-0000-0000-0000-000000000000'::uuid
$function$
  comment: The topic_id of a consent that is about all topics.

CREATE OR REPLACE FUNCTION private.anniversary(p_born date, p_year integer)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select make_date(
    p_year, extract(month from p_born)::integer,
    case
      when to_char(p_born, 'MMDD') = '0229'
        and not (p_year % 4 = 0 and (p_year % 100 <> 0 or p_year % 400 = 0))
      then 28 else extract(day from p_born)::integer
    end
  )
$function$
  comment: The anniversary of a day in a year; that of 29 February is 28 February in other years.

CREATE OR REPLACE FUNCTION private.announce_campaign(p_campaign public.campaigns, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.publish_messages(array[
    private.service_message(p_campaign.workspace_id, 'campaign.sent', jsonb_build_object(
      'campaign', jsonb_build_object('id', p_campaign.id, 'name', p_campaign.name),
      'recipients', p_campaign.recipients
    ))
  ], p_now);
  update private.campaign_jobs as j set is_announced = true
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$function$
  comment: Publishes campaign.sent.

CREATE OR REPLACE FUNCTION private.announce_destination(p_destination public.destinations, p_event_type text, p_reason text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.publish_messages(
    array[private.service_message(
      p_destination.workspace_id,
      p_event_type,
      jsonb_build_object(
        'destination', jsonb_build_object(
          'id', p_destination.id, 'name', p_destination.name, 'url', p_destination.url
        ),
        'reason', p_reason
      )
    )],
    p_now
  )
$function$
  comment: Publishes a destination's new state to the workspace's other destinations.

CREATE OR REPLACE FUNCTION private.announce_runs(p_workspace_id uuid, p_due jsonb, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_first timestamptz;
begin
  with arrived as (
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    select p_workspace_id, (d ->> 0)::uuid, min((d ->> 1)::timestamptz)
    from jsonb_array_elements(coalesce(p_due, '[]')) as d
    where (d ->> 1)::timestamptz < 'infinity'
    group by 2
    returning due_at
  )
  select min(a.due_at) into v_first from arrived as a;
  if v_first <= p_now then
    perform private.wake_worker('automation');
  end if;
end
$function$
  comment: Notes when runs of journeys are due, a list of [journey, time], and wakes a worker for those that are.

CREATE OR REPLACE FUNCTION private.announce_sender(p_sender public.senders, p_event_type text, p_reason text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.publish_messages(
    array[private.service_message(
      p_sender.workspace_id,
      p_event_type,
      jsonb_build_object(
        'sender', jsonb_build_object('id', p_sender.id, 'name', p_sender.name),
        'reason', p_reason
      )
    )],
    p_now
  )
$function$
  comment: Publishes a sender's new state to the destinations of its workspace.

CREATE OR REPLACE FUNCTION private.answer_branches(p_version public.journey_versions, p_runs public.journey_runs[], p_now timestamp with time zone)
 RETURNS TABLE(run_id uuid, name text, is_true boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_branch record;
  v_runs public.journey_runs[];
begin
  for v_branch in
    select b.step, w.value -> 'when' as condition, w.ordinality - 1 as place
    from (
      select distinct e.value as step
      from unnest(p_runs) as r
      cross join lateral jsonb_array_elements_text(p_version.plan -> 'branches' -> r.step) as e
    ) as b
    cross join lateral jsonb_array_elements(p_version.definition -> 'steps' -> b.step -> 'branch')
      with ordinality as w
  loop
    v_runs := array(
      select r from unnest(p_runs) as r where p_version.plan -> 'branches' -> r.step ? v_branch.step
    );
    return query
    select (v_runs[e.place]).id, format('%s:%s', v_branch.step, v_branch.place), e.is_true
    from private.evaluate_items(
      p_version.workspace_id, v_branch.condition,
      array(select r.customer_id from unnest(v_runs) as r), array(select r.trigger from unnest(v_runs) as r), p_now
    ) as e;
  end loop;
end
$function$
  comment: The answers of the branches that the runs can come to in this turn, named "<step>:<place>".

CREATE OR REPLACE FUNCTION private.answer_leaves(p_workspace_id uuid, p_dirt private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.node_truth[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  return array(
    with leaves as materialized (
      select n.*, d.customer_id, d.cause
      from unnest(p_dirt) as d
      cross join lateral (
        select c.id from public.customers as c
        where c.workspace_id = p_workspace_id and c.id = d.customer_id limit 1
      ) as c
      cross join lateral (
        select x.* from private.segment_nodes as x
        where x.workspace_id = p_workspace_id and x.segment_id = d.segment_id and x.feature_id is not null
        offset 0
      ) as n
    )
    select row(
      l.segment_id, l.customer_id, l.cause, l.parent, l.depth, a.holds, coalesce(a.until, 'infinity')
    )::private.node_truth
    from leaves as l
    cross join lateral (
      select array(
        select t.at
        from public.identities as i
        cross join lateral (
          select f.marks from private.feature_marks as f
          where f.workspace_id = i.workspace_id and f.feature_id = l.feature_id and f.identity_id = i.id
          limit 1
        ) as f
        cross join unnest(f.marks) as t (at)
        where i.workspace_id = p_workspace_id and i.customer_id = l.customer_id
          and (l.span is null or t.at > p_now - l.span)
        order by t.at desc
        limit greatest(l.least_times, l.most_times + 1)
      ) as times
      offset 0
    ) as m
    cross join lateral (
      select
        (l.least_times = 0 or m.times[l.least_times] is not null) as is_enough,
        m.times[l.most_times + 1] is not null as is_too_many
    ) as e
    cross join lateral (
      select
        e.is_enough and not e.is_too_many as holds,
        case when e.is_too_many then m.times[l.most_times + 1] when e.is_enough then m.times[l.least_times] end
          + l.span as until
    ) as a
    where l.kind = 'count'
    union all
    select row(
      l.segment_id, l.customer_id, l.cause, l.parent, l.depth,
      coalesce(case l.kind when 'sum' then coalesce(m.sum, 0) when 'min' then m.min else m.max end <@ l.bounds, false),
      coalesce(m.first_hour + l.span, 'infinity')
    )::private.node_truth
    from leaves as l
    cross join lateral (
      select sum(f.sum), min(f.min), max(f.max), min(f.hour) as first_hour
      from public.identities as i
      cross join lateral (
        select b.* from private.feature_buckets as b
        where b.workspace_id = i.workspace_id and b.feature_id = l.feature_id and b.identity_id = i.id
        offset 0
      ) as f
      where i.workspace_id = p_workspace_id and i.customer_id = l.customer_id
        and (l.span is null or f.hour > p_now - l.span)
    ) as m
    where l.kind in ('sum', 'min', 'max')
  );
end
$function$
  comment: The answers of the leaves of conditions about events alone, for the customers to compare with them that exist.

CREATE OR REPLACE FUNCTION private.answer_nodes(p_workspace_id uuid, p_dirt private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_answers private.node_truth[] := private.answer_leaves(p_workspace_id, p_dirt, p_now);
  v_depth smallint := (select max(a.depth) from unnest(v_answers) as a);
begin
  while v_depth > 0 loop
    v_answers := array(
      select a from unnest(v_answers) as a where a.depth < v_depth
      union all
      select row(
        g.segment_id, g.customer_id, g.cause, n.parent, n.depth,
        case n.kind when 'all' then g.is_all when 'any' then g.is_any else not g.is_all end,
        -- A false "all" can only change when all of its false nodes have: hence the greatest of them.
        case
          when n.kind = 'all' and not g.is_all then g.last_false
          when n.kind = 'any' and g.is_any then g.last_true
          else g.first
        end
      )::private.node_truth
      from (
        select
          a.segment_id, a.customer_id, a.cause, a.parent,
          bool_and(a.holds) as is_all, bool_or(a.holds) as is_any, min(a.until) as first,
          max(a.until) filter (where a.holds) as last_true,
          max(a.until) filter (where not a.holds) as last_false
        from unnest(v_answers) as a
        where a.depth = v_depth
        group by a.segment_id, a.customer_id, a.cause, a.parent
      ) as g
      join private.segment_nodes as n
        on n.workspace_id = p_workspace_id and n.segment_id = g.segment_id and n.node = g.parent
    );
    v_depth := v_depth - 1;
  end loop;
  return array(
    select row(a.segment_id, a.customer_id, a.cause, a.holds, a.until)::private.segment_truth
    from unnest(v_answers) as a
  );
end
$function$
  comment: The answers of conditions about events alone, for the customers to compare with them.

CREATE OR REPLACE FUNCTION private.apply_entries(INOUT p_entries private.ingest_entry[], p_inputs jsonb, p_created private.created_identity[], p_subscriptions private.subscription[], p_at timestamp with time zone, OUT o_messages private.new_message[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_is_wanted boolean := cardinality(p_subscriptions) > 0;
  v_changes private.customer_change[] := private.created_customers(p_created, p_subscriptions);
  v_step private.ingest_step;
  v_change private.customer_change;
  -- Profiles are changed in memory and written once, however many entries are about a customer.
  v_ids uuid[] := '{}';
  v_profiles public.customers[] := '{}';
  v_at integer;
  v_old public.customers;
  v_new public.customers;
  v_other public.customers;
  v_has_moved boolean := false;
begin
  o_messages := '{}';
  for v_step in select s.* from private.read_steps(p_entries, p_inputs, p_created) as s loop
    v_step := private.resolve_step(v_step, p_created, v_has_moved, p_at);
    v_change := row(
      v_step.workspace_id, v_step.customer_id, v_step.i, v_step.is_creator, null, '{}'
    )::private.customer_change;
    if v_step.refused_code is null and (v_step.kind = 'identify' or v_step.is_merge) then
      v_at := array_position(v_ids, v_step.customer_id);
      if v_at is null then
        v_ids := v_ids || v_step.customer_id;
        v_at := cardinality(v_ids);
        v_profiles[v_at] := private.lock_customer(v_step.workspace_id, v_step.customer_id);
      end if;
      v_old := v_profiles[v_at];
      v_new := private.change_fields(v_old, v_step.profile, v_step.attributes);
      if v_step.attributes is not null and private.are_attributes_too_large(v_new.attributes) then
        v_step.refused_code := 'payload_too_large';
        v_step.refused_field := 'attributes';
      else
        if v_step.is_merge then
          v_other := v_profiles[array_position(v_ids, v_step.other_customer_id)];
          if v_other.id is null then
            v_other := private.lock_customer(v_step.workspace_id, v_step.other_customer_id);
          end if;
          select t.p_changes, o_messages || t.o_told into v_changes, o_messages
          from private.take_changes(v_changes, v_other, p_subscriptions) as t;
          v_change.merged := private.move_customer(v_step.customer_id, v_other, v_step.kind, p_at);
          v_new := private.merge_fields(v_old, v_other, v_step.profile, v_step.attributes);
          v_old := private.fill_blanks(v_old, v_other);
          v_has_moved := true;
        end if;
        if v_step.kind = 'identify' then
          v_change.changed := private.changed_fields(v_old, v_new);
        end if;
        if v_step.is_merge or cardinality(v_change.changed) > 0 then
          v_new.updated_at := p_at;
          v_profiles[v_at] := v_new;
        end if;
        if v_is_wanted then
          v_changes := v_changes || v_change;
        end if;
      end if;
    end if;
    if v_step.refused_code is not null and v_step.is_link then
      perform private.unlink_identity(v_step, p_at);
      v_has_moved := true;
    end if;
    if p_entries[v_step.i].kind = 'segment_alias' then
      p_entries[v_step.i].kind := v_step.kind;
      p_entries[v_step.i].anon_id := case v_step.kind when 'identify' then v_step.other_id end;
      v_has_moved := true;
    end if;
    p_entries[v_step.i].unmerged_reason := v_step.unmerged_reason;
    p_entries[v_step.i].refused_code := v_step.refused_code;
    p_entries[v_step.i].refused_field := v_step.refused_field;
  end loop;
  perform private.write_customers(array(
    select p::public.customers from unnest(v_profiles) as p where p.updated_at = p_at
  ));
  if cardinality(v_changes) > 0 then
    o_messages := o_messages || private.customer_messages(v_changes, p_subscriptions);
  end if;
end
$function$
  comment: Applies identifies and aliases one after the other in the order of the batch: merges, profile changes, and the messages about them.

CREATE OR REPLACE FUNCTION private.apply_truths(p_workspace_id uuid, p_truths private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_flips private.segment_truth[] := private.write_members(p_workspace_id, p_truths, p_now);
  v_told private.segment_truth[];
begin
  if cardinality(v_flips) = 0 then
    return v_flips;
  end if;
  v_flips := private.pick_truths(p_truths, v_flips);
  v_told := array(
    select f
    from unnest(v_flips) as f
    where (
      select s.state from public.segments as s where s.workspace_id = p_workspace_id and s.id = f.segment_id
    ) = 'ready'
  );
  with f as materialized (
    select v.segment_id, count(*) filter (where v.holds) as entered, count(*) filter (where not v.holds) as gone
    from unnest(v_flips) as v
    group by v.segment_id
  )
  update public.segments as s
  set
    members = s.members + case when s.state = 'ready' then f.entered - f.gone else 0 end,
    computed_members = s.computed_members + f.entered - f.gone
  from f
  where s.workspace_id = p_workspace_id and s.id = f.segment_id;
  if cardinality(v_told) > 0 then
    insert into public.segment_stats as t (workspace_id, segment_id, hour, entered, "left", members)
    select
      p_workspace_id, f.segment_id, date_trunc('hour', p_now, 'UTC'), count(*) filter (where f.holds),
      count(*) filter (where not f.holds),
      (select s.members from public.segments as s where s.workspace_id = p_workspace_id and s.id = f.segment_id)
    from unnest(v_told) as f
    group by f.segment_id
    on conflict (workspace_id, segment_id, hour) do update
    set entered = t.entered + excluded.entered, "left" = t."left" + excluded."left", members = excluded.members;
    insert into public.segment_changes (workspace_id, at, id, segment_id, customer_id, change, cause)
    select
      p_workspace_id, p_now, private.uuid_v7(p_now, f.position::integer), f.segment_id, f.customer_id,
      case when f.holds then 'entered' else 'left' end, f.cause
    from unnest(v_told) with ordinality as f (segment_id, customer_id, cause, holds, until, position);
    perform private.tell_flips(p_workspace_id, v_told, p_now);
  end if;
  return v_told;
end
$function$
  comment: Writes memberships, figures, changes and messages that follow from answers; returns the changes of segments that are not being computed.

CREATE OR REPLACE FUNCTION private.apply_updates(p_held jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_update record;
  v_changed text[];
  v_changes private.customer_change[] := '{}';
  v_outcomes jsonb := '{}';
  v_outcome jsonb;
  v_subscriptions private.subscription[];
begin
  for v_update in select e.* from private.list_effects(p_held, 'update') as e loop
    v_outcome := '{}';
    begin
      v_changed := private.change_profile(
        v_update.workspace_id, v_update.customer_id, v_update.effect -> 'profile',
        v_update.effect -> 'attributes', p_now
      );
    exception
      when sqlstate 'SP413' then
        v_changed := '{}';
        v_outcome := '{"skipped": "too_large"}';
      when no_data_found then
        v_changed := '{}';
        v_outcome := '{"skipped": "unknown_customer"}';
    end;
    if cardinality(v_changed) > 0 then
      v_outcome := jsonb_build_object('changed', v_changed) || case
        when v_update.depth >= private.depth_limit() then '{"depth_limit": true}' else '{}'
      end::jsonb;
      v_changes := v_changes || row(
        v_update.workspace_id, v_update.customer_id, cardinality(v_changes) + 1, false, null, v_changed
      )::private.customer_change;
      insert into private.signals (workspace_id, kind, customer_id, depth)
      values (v_update.workspace_id, 'profile', v_update.customer_id, v_update.depth + 1);
    end if;
    v_outcomes := v_outcomes || jsonb_build_object(v_update.run_id || ':' || v_update.visit, v_outcome);
  end loop;
  if cardinality(v_changes) > 0 then
    perform private.wake_folder();
    v_subscriptions := private.customer_subscriptions(array(select distinct c.workspace_id from unnest(v_changes) as c));
    perform private.store_messages(private.customer_messages(v_changes, v_subscriptions), v_subscriptions, p_now);
  end if;
  return v_outcomes;
end
$function$
  comment: Changes the profiles of customers as update steps say, and notes it for the fold with the depth of the cause; returns what to add to the outcomes, by "<run>:<visit>".

CREATE OR REPLACE FUNCTION private.are_attributes_too_large(p_attributes jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return octet_length(p_attributes::text) > 65536
    or (select count(*) from jsonb_object_keys(p_attributes)) > 1000;
end
$function$
  comment: True when attributes are over what one customer may have: 64 KiB of JSON and 1,000 keys.

CREATE OR REPLACE FUNCTION private.attach_device_token(p_workspace_id uuid, p_customer_id uuid, p_token text, p_platform text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for no key update;
  if not found then
    return false;
  end if;
  perform private.give_device_token(p_workspace_id, p_customer_id, p_token, p_platform);
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Gives the token to the customer, also if another one had it; false when there is no such customer.

CREATE OR REPLACE FUNCTION private.attempts_start(p_message_created_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Messages have the time of the database, attempts that of a dispatcher, which may be behind.
  select p_message_created_at - interval '1 day'
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The earliest time of an attempt of a message created at p_created_at: earlier attempts need not be read.

CREATE OR REPLACE FUNCTION private.attributes_refusal()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 'Cannot change the customer: its attributes must not be over 65536 bytes of JSON or 1000 keys together'
$function$
  comment: The error text for attributes over the limit of one customer.

CREATE OR REPLACE FUNCTION private.audience_page(p_campaign public.campaigns, p_after uuid, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
begin
  return array(
    select m.customer_id
    from public.segment_members as m
    where m.workspace_id = p_campaign.workspace_id and m.segment_id = p_campaign.segment_id
      and m.version = (
        select s.version from public.segments as s
        where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.segment_id
      )
      and m.customer_id > p_after
    order by m.customer_id
    limit p_limit
  );
end
$function$
  comment: Members of the segment of a campaign after a customer, in the order of their ids.

CREATE OR REPLACE FUNCTION private.audit_answer(p_invitation public.invitations, p_action text, p_entity_id uuid, p_request_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.audit_log (
    workspace_id, actor_kind, actor_id, actor_name, action, entity_id, details, request_id
  )
  values (
    p_invitation.workspace_id, 'user', (select auth.uid()), p_invitation.email, p_action,
    p_entity_id::text, jsonb_build_object('role', p_invitation.role), p_request_id
  )
$function$
  comment: Adds to the audit log of a workspace how its invitation was answered, and by whom.

CREATE OR REPLACE FUNCTION private.audit_segment(p_workspace_id uuid, p_segment_id uuid, p_customer_ids uuid[], p_now timestamp with time zone)
 RETURNS TABLE(customer_id uuid, is_member boolean, is_true boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_segment public.segments;
  v_keep interval := (select p.keep from private.partition_policies as p where p.table_name = 'events');
  v_lasting bigint[] := private.lasting_features(p_workspace_id, p_segment_id, v_keep);
begin
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  return query
  select e.customer_id, m.is_member, e.is_true
  from private.evaluate_condition(p_workspace_id, v_segment.condition, p_customer_ids, p_now) as e
  cross join lateral (
    select exists (
      select from public.segment_members as n
      where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id
        and n.version = v_segment.version and n.customer_id = e.customer_id
    ) as is_member
  ) as m
  where m.is_member <> e.is_true
    -- A signal that waits for a fold in the same snapshot explains a difference.
    and not exists (
      select from private.signals as g
      where g.workspace_id = p_workspace_id and (
        g.customer_id = e.customer_id or g.identity_id in (
          select i.id from public.identities as i
          where i.workspace_id = p_workspace_id and i.customer_id = e.customer_id
        )
      )
    )
    and not exists (
      select from private.segment_checks as k
      where k.workspace_id = p_workspace_id and k.customer_id = e.customer_id and k.check_at <= clock_timestamp()
    )
    -- The state remembers events that may have been deleted since: history cannot contradict it.
    and not exists (
      select
      from public.identities as i
      cross join lateral (
        select f.marks[cardinality(f.marks)] as at from private.feature_marks as f
        where f.workspace_id = i.workspace_id and f.feature_id = any (v_lasting) and f.identity_id = i.id
        union all
        select b.hour from private.feature_buckets as b
        where b.workspace_id = i.workspace_id and b.feature_id = any (v_lasting) and b.identity_id = i.id
      ) as t
      where i.workspace_id = p_workspace_id and i.customer_id = e.customer_id and t.at < p_now - v_keep
    );
end
$function$
  comment: Those of the customers whose membership of a live segment differs from what all rows say, for whom no fold is due, and of whom no event that counts has expired.

CREATE OR REPLACE FUNCTION private.audit_workspace(p_workspace_id uuid, p_share double precision, p_now timestamp with time zone)
 RETURNS TABLE(workspace_id uuid, segment_id uuid, customer_id uuid, is_member boolean, is_true boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[];
begin
  v_ids := array(
    select c.id from public.customers as c where c.workspace_id = p_workspace_id and random() < p_share
    limit 10000
  );
  return query
  select p_workspace_id, s.id, a.customer_id, a.is_member, a.is_true
  from public.segments as s
  cross join lateral private.audit_segment(p_workspace_id, s.id, v_ids, p_now) as a
  where s.workspace_id = p_workspace_id and s.kind = 'live' and s.state = 'ready'
    -- A segment that is computed shows its old members to those that name it.
    and not exists (
      with recursive named as (
        select p.ref from private.segment_parts as p
        where p.workspace_id = p_workspace_id and p.segment_id = s.id and p.kind = 'segment'
        union
        select p.ref
        from named as n
        join private.segment_parts as p
          on p.workspace_id = p_workspace_id and p.segment_id::text = n.ref and p.kind = 'segment'
      )
      select
      from named as n
      join public.segments as d on d.workspace_id = p_workspace_id and d.id::text = n.ref
      where d.state = 'computing'
    );
  update private.segment_lanes as l set audited = l.audited + cardinality(v_ids)
  where l.workspace_id = p_workspace_id;
end
$function$
  comment: Compares a share (0 to 1) of the customers of a workspace with the model, at most 10,000. Takes no lock: each segment is compared within one statement.

CREATE OR REPLACE FUNCTION private.authenticate_keys(p_hashes bytea[])
 RETURNS TABLE(key_hash bytea, api_key_id uuid, workspace_id uuid, scopes text[], expires_at timestamp with time zone, fill_browser_ip boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  -- Once a minute is exact enough for people, and a busy key must not write on every lookup.
  update private.api_keys as k
  set last_used_at = now()
  where k.hash in (
    select u.hash
    from private.api_keys as u
    where u.hash = any (p_hashes)
      and u.revoked_at is null
      and (u.last_used_at is null or u.last_used_at < now() - interval '1 minute')
    for update skip locked
  );
  return query
  select k.hash, k.id, k.workspace_id, k.scopes, k.expires_at, w.fill_browser_ip
  from private.api_keys as k
  join public.workspaces as w on w.id = k.workspace_id
  where k.hash = any (p_hashes)
    and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now());
end
$function$
  grant execute on function to signalpost_ingest
  grant execute on function to signalpost_key
  comment: Active keys with these SHA-256 hashes and the settings of their workspaces; no row for a key that is unknown, expired or revoked.

CREATE OR REPLACE FUNCTION private.batch_progress(p_rows integer, p_limit integer)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_progress private.erasure_progress;
begin
  v_progress.rows := p_rows;
  v_progress.is_finished := p_rows < p_limit;
  return v_progress;
end
$function$
  comment: The progress of a step that is finished when a batch is not full.

CREATE OR REPLACE FUNCTION private.begin_audience(p_campaign public.campaigns)
 RETURNS private.campaign_jobs
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_job private.campaign_jobs;
  v_base timestamptz := p_campaign.send_at;
  v_after interval := private.read_duration(p_campaign.winner ->> 'after');
  -- How long the test takes, from the first recipient to the last.
  v_span interval := coalesce(private.read_duration(p_campaign.spread_over), '0')
    + case p_campaign.zone when 'customer' then interval '1 day' else '0' end;
begin
  update private.campaign_jobs as j
  set
    base_at = v_base, rest_at = coalesce(v_base + v_span + v_after, 'infinity'),
    decide_at = v_base + v_span + v_after
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id
  returning j.* into v_job;
  return v_job;
end
$function$
  comment: Sets the times that those of the recipients follow from.

CREATE OR REPLACE FUNCTION private.begin_sends(p_starts text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(workspace_id uuid, send_id uuid, decision text, reason text, until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  v_all private.send_start[];
  v_starts private.send_start[];
  v_checks private.send_check[];
  v_started uuid[];
begin
  select array_agg(r order by r.sender_id, r.send_id) into v_all
  from jsonb_array_elements(p_starts::jsonb) as e
  cross join lateral jsonb_populate_record(
    null::private.send_start,
    e || jsonb_build_object('queued_at', private.uuid_v7_time((e ->> 'send_id')::uuid))
  ) as r;
  -- A claim that has expired says nothing any more.
  select coalesce(array_agg(r), '{}') into v_starts
  from unnest(v_all) as r
  cross join lateral (
    select from private.send_queue as q
    where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
      and q.claim = r.claim
    for update
  ) as q;
  v_checks := private.check_campaigns(private.check_sends(v_starts, p_now), p_now);
  v_checks := private.reserve_caps(v_checks, p_now);
  v_started := private.start_sends(v_starts, v_checks, p_now);
  return query
  select
    r.workspace_id, r.send_id,
    case
      when c.decision = 'go' and r.send_id <> all (v_started) then 'lost'
      else coalesce(c.decision, 'lost')
    end,
    c.reason, c.until
  from unnest(v_all) as r
  left join unnest(v_checks) as c on c.workspace_id = r.workspace_id and c.send_id = r.send_id;
end
$function$
  grant execute on function to signalpost_send
  comment: Checks rendered messages right before they are handed over (a JSON array of private.send_start). go: hand it over now, its place in the caps is reserved. skip: never. unknown: it may have been sent, and a repeat may be a second message. wait: not before until. release: claim it once more. settled: it was sent before. lost: the claim has expired, or the workspace is being moved. Repeating it changes nothing.

CREATE OR REPLACE FUNCTION private.bucket_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    'select b.x >= %L::numeric and b.x < %L::numeric as holds, ''infinity''::timestamptz as until,
       to_jsonb(round(b.x, 4)) as fact
     from (select private.pick_bucket(%L, c.id) as x offset 0) as b',
    p_leaf ->> 'from', p_leaf ->> 'to', p_leaf ->> 'bucket'
  )
$function$
  comment: SQL of a leaf about the stable bucket of a customer.

CREATE OR REPLACE FUNCTION private.build_feature(p_feature private.features, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_page record;
begin
  if not p_feature.is_fenced then
    -- Waits for the calls of ingest that began before the feature was known, and noted nothing for it.
    perform pg_advisory_xact_lock(private.workspace_lock(p_feature.workspace_id));
    update private.features as f set is_fenced = true
    where f.workspace_id = p_feature.workspace_id and f.id = p_feature.id;
    return false;
  end if;
  select count(*) as rows, max(e.received_at) as last_at,
    (array_agg(e.id order by e.received_at desc, e.id desc))[1] as last_id
  into v_page
  from (
    select e.received_at, e.id
    from public.events as e
    where e.workspace_id = p_feature.workspace_id and e.name = p_feature.event
      and (e.received_at, e.id) > (p_feature.cursor_at, p_feature.cursor_id)
    order by e.received_at, e.id
    limit p_limit
  ) as e;
  if v_page.rows > 0 then
    perform private.store_marks(p_feature.workspace_id, format(
      'select %1$s::bigint as feature_id, e.identity_id, t.at, %2$s as keep, %3$L::boolean as is_total,
         %4$s as value
       from public.events as e
       cross join lateral (select least(e.occurred_at, e.received_at) as at) as t
       where e.workspace_id = $1 and e.name = %5$L and e.kind = ''event''
         and (e.received_at, e.id) > (%6$L, %7$L) and (e.received_at, e.id) <= (%8$L, %9$L)
         and t.at >= coalesce(%10$L::timestamptz, ''-infinity'') and t.at < coalesce(%11$L::timestamptz, ''infinity'')
         and %12$s
         -- The fold counts events whose signal still waits.
         and e.id not in (
           select s.event_id from private.signals as s where s.workspace_id = $1 and s.kind = ''event''
         )',
      p_feature.id, p_feature.keep, p_feature.property is not null,
      private.feature_value_sql(p_feature, 'e.properties'), p_feature.event,
      p_feature.cursor_at, p_feature.cursor_id, v_page.last_at, v_page.last_id,
      p_feature.since, p_feature.until, private.where_sql(p_feature.conditions, 'e.properties')
    ), null);
  end if;
  update private.features as f
  set
    cursor_at = coalesce(v_page.last_at, f.cursor_at), cursor_id = coalesce(v_page.last_id, f.cursor_id),
    state = case when v_page.rows < p_limit then 'ready' else f.state end
  where f.workspace_id = p_feature.workspace_id and f.id = p_feature.id;
  return v_page.rows < p_limit;
end
$function$
  comment: Reads the next p_limit events of a feature from history; true when it is ready. The first step only waits until every running call of ingest knows the feature.

CREATE OR REPLACE FUNCTION private.bytes_free_at(p_workspace_id uuid, p_limit bigint, p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select max(h.hour) + interval '25 hours'
  from (
    select s.hour, sum(s.bytes) over (order by s.hour desc) as bytes
    from public.usage_stats as s
    where s.workspace_id = p_workspace_id and s.hour > p_now - interval '25 hours'
  ) as h
  where h.bytes >= p_limit
$function$
  comment: When a workspace that stored p_limit bytes or more in the last 24 hours is below that again; null when it is below now. Figures are hourly, so the time may be up to an hour late, never early.

CREATE OR REPLACE FUNCTION private.campaign_columns(p_workspace_id uuid, p_fields jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$
  comment: The columns of public.campaigns that follow from the fields of a caller: ids instead of keys, and an instant for send_at. SP400 for a reference to nothing.

CREATE OR REPLACE FUNCTION private.campaign_command(p_seconds numeric)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A function cannot commit: each step is a transaction of its own.
  select format(
    'do $work$
     declare
       v_until timestamptz := clock_timestamp() + make_interval(secs => %s);
     begin
       while private.work_campaigns() > 0 and clock_timestamp() < v_until loop
         commit;
       end loop;
     end
     $work$',
    p_seconds
  )
$function$
  comment: The command that works on campaigns until nothing is due, or for that many seconds. The local stack has a loop of its own.

CREATE OR REPLACE FUNCTION private.campaign_complaints(p_campaign public.campaigns, OUT sent bigint, OUT complained bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.campaign_count(p_campaign, 'sent'), private.campaign_count(p_campaign, 'complained')
$function$
  comment: The number of sends of a campaign that were sent, and of recipients who complained.

CREATE OR REPLACE FUNCTION private.campaign_count(p_campaign public.campaigns, p_kind text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(sum(c.count), 0)
  from private.campaign_counts as c
  where c.workspace_id = p_campaign.workspace_id and c.campaign_id = p_campaign.id and c.kind = p_kind
$function$
  comment: One count of a campaign, over all variants.

CREATE OR REPLACE FUNCTION private.campaign_gates(p_workspace_id uuid, p_campaign_ids uuid[])
 RETURNS TABLE(campaign_id uuid, gate text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    i.id,
    case c.state when 'sending' then 'open' when 'completed' then 'open' when 'paused' then 'held' else 'cancelled' end
  from unnest(p_campaign_ids) as i (id)
  left join public.campaigns as c on c.workspace_id = p_workspace_id and c.id = i.id
$function$
  comment: Says per campaign if its queued sends may be handed over: open, held, or cancelled, also for one that does not exist.

CREATE OR REPLACE FUNCTION private.campaign_obstacle(p_campaign public.campaigns)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    -- Once the audience is fixed, the segment is not needed.
    when p_campaign.recipients is null and not exists (
      select from public.segments as s
      where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.segment_id
    ) then 'segment_deleted'
    when exists (
      select from private.campaign_templates(p_campaign) as t
      where not exists (
        select from public.templates as x
        where x.workspace_id = p_campaign.workspace_id and x.id = t.template_id
      )
    ) then 'template_deleted'
    when not exists (
      select from public.senders as s
      where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.sender_id
    ) then 'sender_deleted'
    when p_campaign.topic_id is not null and not exists (
      select from public.topics as t
      where t.workspace_id = p_campaign.workspace_id and t.id = p_campaign.topic_id
    ) then 'topic_deleted'
  end
$function$
  comment: The reason why a campaign cannot be sent: segment_deleted, template_deleted, sender_deleted or topic_deleted; null when it can.

CREATE OR REPLACE FUNCTION private.campaign_outcome(p_campaign public.campaigns)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'recipients', coalesce(p_campaign.recipients, 0),
    'sent', coalesce(sum(k.count) filter (where k.kind = 'sent'), 0),
    'skipped', coalesce(
      jsonb_object_agg(substr(k.kind, 9), k.count) filter (where k.kind like 'skipped:%' and k.count > 0), '{}'
    ),
    'failed', coalesce(sum(k.count) filter (where k.kind in ('failed', 'unknown')), 0),
    'unknown', coalesce(sum(k.count) filter (where k.kind = 'unknown'), 0)
  )
  from (
    select c.kind, sum(c.count) as count
    from private.campaign_counts as c
    where c.workspace_id = p_campaign.workspace_id and c.campaign_id = p_campaign.id
    group by c.kind
  ) as k
$function$
  comment: The outcome of a campaign: recipients, sent, skipped by reason, failed, and how many of failed are unknown.

CREATE OR REPLACE FUNCTION private.campaign_room(p_campaign public.campaigns)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- Without a rate nobody knows what the sender takes.
  v_ahead integer := least(120 * coalesce((
    select s.rate_per_second from public.senders as s
    where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.sender_id
  ), 100), 60000);
begin
  return v_ahead - (
    select count(*)
    from (
      select from private.send_queue as q
      where q.workspace_id = p_campaign.workspace_id and q.sender_id = p_campaign.sender_id
      limit v_ahead
    ) as q
  );
end
$function$
  comment: The number of sends that may join the queue of the sender, so that those waiting there take two minutes.

CREATE OR REPLACE FUNCTION private.campaign_segments(p_campaign public.campaigns)
 RETURNS TABLE(segment_id uuid, version integer, is_excluded boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.id, s.version, s.id <> p_campaign.segment_id or s.id = any (p_campaign.exclude_ids)
  from public.segments as s
  where s.workspace_id = p_campaign.workspace_id
    and s.id = any (p_campaign.exclude_ids || p_campaign.segment_id)
$function$
  comment: The segments that a campaign names, with the version whose members count.

CREATE OR REPLACE FUNCTION private.campaign_templates(p_campaign public.campaigns)
 RETURNS TABLE(path text, template_id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select 'template', p_campaign.template_id
  where p_campaign.variants = '[]'
  union all
  select format('variants[%s].template', v.ordinality - 1), (v.value ->> 'template')::uuid
  from jsonb_array_elements(p_campaign.variants) with ordinality as v
$function$
  comment: The templates that a campaign sends, each with the field that names it.

CREATE OR REPLACE FUNCTION private.cancel_campaign(p_workspace_id uuid, p_campaign_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state not in ('scheduled', 'sending', 'paused') then
    perform private.refuse_campaign_state(v_campaign, 'cancel');
  end if;
  perform private.halt_campaign(v_campaign, 'cancelled', 'requested', null, p_now);
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Cancels a campaign that is scheduled, sending or paused; SP409 in another state. Returns false if it does not exist.

CREATE OR REPLACE FUNCTION private.cancel_message(p_workspace_id uuid, p_message_id uuid, p_destination_id uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_matched uuid[];
  v_ids uuid[];
begin
  perform private.require_message(p_workspace_id, p_message_id);
  v_matched := array(
    select m.id from unnest(private.matched_destinations(
      p_workspace_id, p_message_id, private.uuid_v7_time(p_message_id)
    )) as m (id)
    where m.id = coalesce(p_destination_id, m.id)
  );
  perform private.lock_lanes(array_fill(p_workspace_id, array[cardinality(v_matched)]), v_matched);
  v_ids := private.forget_missed(p_workspace_id, p_message_id, v_matched);
  with deleted as (
    delete from private.webhook_queue as q
    where q.workspace_id = p_workspace_id and q.destination_id = any (v_matched)
      and q.message_id = p_message_id and q.claim is null
    returning q.destination_id
  )
  select v_ids || coalesce(array_agg(d.destination_id), '{}') into v_ids from deleted as d;
  if cardinality(v_ids) = 0 then
    raise sqlstate 'SP409' using message = format('Cannot cancel message "%s": %s', p_message_id, case
      when exists (
        select from private.webhook_queue as q
        where q.workspace_id = p_workspace_id and q.destination_id = any (v_matched)
          and q.message_id = p_message_id
      ) then 'it is being sent'
      else 'no destination waits for it'
    end);
  end if;
  insert into public.canceled_messages as c (
    workspace_id, destination_id, message_id, message_created_at, canceled_at
  )
  select distinct
    p_workspace_id, i.id, p_message_id, private.uuid_v7_time(p_message_id),
    date_trunc('milliseconds', p_now)
  from unnest(v_ids) as i (id)
  on conflict (workspace_id, destination_id, message_created_at, message_id) do update
  set canceled_at = excluded.canceled_at;
  return array(select distinct i.id from unnest(v_ids) as i (id));
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Takes a message out of the queue of one destination or of all, and from what they missed; returns the destinations it was canceled for. An attempt that is in progress is not canceled: SP409 if there is nothing else.

CREATE OR REPLACE FUNCTION private.cell_name()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.name from private.this_cell as c
$function$
  comment: The name of this cell; 00 is the first.

CREATE OR REPLACE FUNCTION private.change_fields(p_customer public.customers, p_profile jsonb, p_attributes jsonb)
 RETURNS public.customers
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  -- A field left out keeps its value, an explicit null clears it.
  v_new public.customers := jsonb_populate_record(p_customer, coalesce(p_profile, '{}'));
  v_defaults jsonb := p_profile -> 'defaults';
begin
  if v_defaults is not null then
    v_new := jsonb_populate_record(v_new, (
      select coalesce(jsonb_object_agg(d.key, d.value), '{}')
      from jsonb_each(v_defaults) as d
      where not p_profile ? d.key and to_jsonb(v_new) ->> d.key is null
        and d.key = any (private.profile_fields())
    ));
  end if;
  v_new.attributes := coalesce(v_new.attributes, '{}');
  if p_attributes is not null then
    v_new.attributes := (v_new.attributes || p_attributes) - array(
      select a.key from jsonb_each(p_attributes) as a where a.value = 'null'
    );
  end if;
  return v_new;
end
$function$
  comment: The customer with profile fields and attributes merged into it: null clears, left out keeps. p_profile may hold profile columns, attributes where null clears them all, and defaults: values for columns that are null and that it does not name.

CREATE OR REPLACE FUNCTION private.change_journey(p_workspace_id uuid, p_journey_id uuid, p_changes jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.refuse_journey_key(p_workspace_id, p_journey_id, p_changes ->> 'key');
  update public.journeys as j
  set
    key = case when p_changes ? 'key' then p_changes ->> 'key' else j.key end,
    name = coalesce(p_changes ->> 'name', j.name),
    description = case when p_changes ? 'description' then p_changes ->> 'description' else j.description end,
    definition = coalesce(p_changes -> 'definition', j.definition),
    updated_at = clock_timestamp()
  where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  return found;
end
$function$
  comment: Changes a journey, see private.update_journey.

CREATE OR REPLACE FUNCTION private.change_journey_state(p_workspace_id uuid, p_journey_id uuid, p_state text, p_options jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_journey public.journeys;
begin
  v_journey := private.lock_journey(p_workspace_id, p_journey_id);
  if v_journey.id is null then
    return false;
  elsif v_journey.state = p_state then
    return true;
  elsif not (case p_state
    when 'running' then v_journey.state in ('paused', 'draining')
    when 'paused' then v_journey.state in ('running', 'draining')
    when 'draining' then v_journey.state in ('running', 'paused')
    when 'stopped' then v_journey.state in ('running', 'paused', 'draining')
    else false
  end) then
    raise sqlstate 'SP409' using
      message = format('Cannot change the state of the journey from "%s" to "%s"', v_journey.state, p_state);
  end if;
  update public.journeys as j set state = p_state, updated_at = clock_timestamp()
  where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  update private.journey_lanes as l
  -- With late: skip, the job opens it.
  set is_open = p_state in ('running', 'draining') and p_options ->> 'late' is distinct from 'skip'
  where l.workspace_id = p_workspace_id and l.journey_id = p_journey_id;
  if p_state in ('paused', 'stopped') then
    -- A worker that holds one records nothing.
    update public.journey_runs as r set claim = null, lease_until = null
    where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.claim is not null;
    perform private.announce_runs(
      p_workspace_id, jsonb_build_array(jsonb_build_array(p_journey_id, v_journey.created_at)), clock_timestamp()
    );
  end if;
  if p_state = 'stopped' or (v_journey.state = 'paused' and p_options ->> 'late' = 'skip') then
    insert into private.journey_jobs (workspace_id, journey_id, kind, version)
    values (
      p_workspace_id, p_journey_id, case p_state when 'stopped' then 'stop' else 'pass_by' end, v_journey.version
    );
  end if;
  perform private.wake_worker('automation');
  return true;
end
$function$
  comment: Changes the state of a journey, see private.set_journey_state.

CREATE OR REPLACE FUNCTION private.change_profile(p_workspace_id uuid, p_customer_id uuid, p_profile jsonb, p_attributes jsonb, p_at timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_old public.customers;
  v_new public.customers;
  v_changed text[];
begin
  select c.* into strict v_old
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_customer_id
  for update;
  v_new := private.change_fields(v_old, p_profile, p_attributes);
  if private.are_attributes_too_large(v_new.attributes) then
    raise sqlstate 'SP413' using message = private.attributes_refusal(), column = 'attributes';
  end if;
  v_changed := private.changed_fields(v_old, v_new);
  if cardinality(v_changed) > 0 then
    v_new.updated_at := p_at;
    perform private.write_customers(array[v_new]);
  end if;
  return v_changed;
end
$function$
  comment: Changes one profile as private.change_fields says and returns the names of the fields that changed; SP413 when its attributes would be too large.

CREATE OR REPLACE FUNCTION private.change_segment(p_workspace_id uuid, p_segment_id uuid, p_changes jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_segment public.segments;
  v_condition jsonb;
begin
  perform private.lock_segment_lane(p_workspace_id);
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  for no key update;
  if not found then
    return false;
  end if;
  perform private.refuse_used_key(p_workspace_id, p_segment_id, p_changes ->> 'key');
  update public.segments as s
  set
    key = case when p_changes ? 'key' then p_changes ->> 'key' else s.key end,
    name = coalesce(p_changes ->> 'name', s.name),
    description = case when p_changes ? 'description' then p_changes ->> 'description' else s.description end,
    updated_at = clock_timestamp()
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  if coalesce(p_changes -> 'condition', 'null') <> 'null' then
    if v_segment.kind = 'static' then
      raise sqlstate 'SP409' using
        message = 'A static segment has no condition', column = 'condition';
    end if;
    v_condition := private.resolve_condition(p_workspace_id, p_changes -> 'condition');
    if v_condition <> v_segment.condition then
      perform private.start_computing(p_workspace_id, p_segment_id, v_condition);
    end if;
  end if;
  return true;
end
$function$
  comment: Changes a segment, see private.update_segment.

CREATE OR REPLACE FUNCTION private.changed_fields(p_old public.customers, p_new public.customers)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_old jsonb;
  v_new jsonb;
  v_changed text[];
  v_is_changed boolean := p_new.attributes is distinct from p_old.attributes;
begin
  -- The largest part of a profile need not be written out to be compared.
  p_old.attributes := null;
  p_new.attributes := null;
  if p_old is distinct from p_new then
    v_old := to_jsonb(p_old);
    v_new := to_jsonb(p_new);
    v_changed := array(
      select f.name
      from unnest(private.profile_fields()) with ordinality as f (name, position)
      where v_new -> f.name is distinct from v_old -> f.name
      order by f.position
    );
  end if;
  return case when v_is_changed then array_append(v_changed, 'attributes') else coalesce(v_changed, '{}') end;
end
$function$
  comment: The names of the profile fields that differ.

CREATE OR REPLACE FUNCTION private.changes_of(p_workspace_id uuid, p_signals private.signals[], p_flips private.segment_truth[])
 RETURNS TABLE(kind text, ref text, customer_id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select 'event', s.name, i.customer_id
  from (select distinct s.name, s.identity_id from unnest(p_signals) as s where s.kind = 'event') as s
  cross join lateral (
    select n.customer_id from public.identities as n
    where n.workspace_id = p_workspace_id and n.id = s.identity_id limit 1
  ) as i
  union
  select
    case s.kind when 'consent' then 'consent' when 'segment' then 'segment' else 'profile' end,
    case s.kind when 'seen' then 'last_seen_at' when 'segment' then s.name else '' end,
    s.customer_id
  from unnest(p_signals) as s
  where s.kind in ('profile', 'created', 'seen', 'merge', 'consent', 'segment')
  union
  select 'segment', f.segment_id::text, f.customer_id from unnest(p_flips) as f
$function$
  comment: Changes and their customers: the kinds and references of private.journey_interests.

CREATE OR REPLACE FUNCTION private.charge_lanes(p_lanes private.lane_credit[], p_taken private.taken_row[], p_worker uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.lanes as l
  set
    owner = p_worker,
    in_flight = l.in_flight + c.manual + c.others,
    tokens = coalesce(c.tokens - c.others, 0),
    refilled_at = p_now,
    limited_until = case
      when c.tokens - c.others < 1
      then p_now + (1 - (c.tokens - c.others)) / l.rate_limit_per_second * interval '1 second'
    end,
    due_at = case
      -- Fewer than allowed: all due rows were taken, and the next one is due later.
      when c.others < c.credit then (
        select min(q.due_at) from private.webhook_queue as q
        where q.destination_id = l.destination_id and not q.is_manual and q.claim is null
          and q.due_at > p_now
      )
      else coalesce(c.last_due_at, l.due_at)
    end,
    manual_due_at = case
      when l.manual_due_at is not null and c.manual < c.manual_credit then (
        select min(q.due_at) from private.webhook_queue as q
        where q.destination_id = l.destination_id and q.is_manual and q.claim is null
          and q.due_at > p_now
      )
      else l.manual_due_at
    end
  from (
    select
      k.row_id, k.credit, k.manual_credit, k.tokens,
      count(t.message_id) filter (where t.is_manual)::integer as manual,
      count(t.message_id) filter (where not t.is_manual)::integer as others,
      max(t.due_at) filter (where not t.is_manual) as last_due_at
    from unnest(p_lanes) as k
    left join unnest(p_taken) as t
      on t.workspace_id = k.workspace_id and t.destination_id = k.destination_id
    group by k.row_id, k.credit, k.manual_credit, k.tokens
  ) as c
  where l.ctid = c.row_id;
end
$function$
  comment: Records how many rows were taken from each lane, and when the lane is due again.

CREATE OR REPLACE FUNCTION private.charge_send_lanes(p_lanes private.send_credit[], p_taken private.taken_send[], p_worker uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.send_lanes as l
  set
    owner = p_worker,
    in_flight = l.in_flight + c.taken,
    tokens = coalesce(c.tokens - c.taken, 0),
    refilled_at = p_now,
    limited_until = case
      when c.tokens - c.taken < 1
      then p_now + (1 - (c.tokens - c.taken)) / l.rate_per_second * interval '1 second'
    end,
    due_at = case
      -- Fewer than allowed: all due rows were taken, and the next one is due later.
      when c.taken < c.credit then (
        select min(q.due_at)
        from (values (false), (true)) as k (is_marketing)
        cross join lateral (
          select w.due_at from private.send_queue as w
          where w.workspace_id = l.workspace_id and w.sender_id = l.sender_id
            and w.is_marketing = k.is_marketing and w.claim is null and w.due_at > p_now
          order by w.due_at
          limit 1
        ) as q
      )
      -- Marketing is only taken when no other row was left.
      else coalesce(c.last_due_at, l.due_at)
    end
  from (
    select
      k.row_id, k.credit, k.tokens, count(t.send_id)::integer as taken,
      max(t.due_at) filter (where t.is_marketing) as last_due_at
    from unnest(p_lanes) as k
    left join unnest(p_taken) as t
      on t.workspace_id = k.workspace_id and t.sender_id = k.sender_id
    group by k.row_id, k.credit, k.tokens
  ) as c
  where l.ctid = c.row_id;
end
$function$
  comment: Records how many rows were taken from each lane, and when the lane is due again.

CREATE OR REPLACE FUNCTION private.check_addresses(p_starts private.send_start[], p_now timestamp with time zone)
 RETURNS TABLE(workspace_id uuid, send_id uuid, hash bytea, is_suppressed boolean, is_subscribed boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query
  with started as materialized (
    select
      k.workspace_id, k.send_id, s.topic_id,
      private.address_hash(k.workspace_id, 'email', k.email) as hash
    from unnest(p_starts) as k
    join public.sends as s
      on s.workspace_id = k.workspace_id and s.queued_at = k.queued_at
      and s.id = k.send_id
  ),
  states as materialized (
    select n.workspace_id, n.topic_id, a.address_hash, a.subscribed
    from (
      select m.workspace_id, m.topic_id, array_agg(distinct m.hash) as hashes
      from started as m
      where m.topic_id is not null
      group by m.workspace_id, m.topic_id
    ) as n
    cross join lateral private.address_states(n.workspace_id, 'email', n.hashes, n.topic_id) as a
  )
  select
    m.workspace_id, m.send_id, m.hash,
    exists (
      select from public.suppressions as x
      where x.workspace_id = m.workspace_id and x.channel = 'email' and x.address_hash = m.hash
        and coalesce(x.until, 'infinity') > p_now
    ),
    coalesce(a.subscribed, false)
  from started as m
  left join states as a
    on a.workspace_id = m.workspace_id and a.topic_id = m.topic_id and a.address_hash = m.hash;
end
$function$
  comment: The hash of each address now, and whether it is suppressed and subscribed to the topic of the message.

CREATE OR REPLACE FUNCTION private.check_campaign(p_campaign public.campaigns)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$
  comment: Raises SP400 for fields that do not fit each other, and SP409 for a key in use.

CREATE OR REPLACE FUNCTION private.check_campaigns(p_checks private.send_check[], p_now timestamp with time zone)
 RETURNS private.send_check[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_campaigns jsonb := (
    select jsonb_agg(jsonb_build_object(
      'workspace_id', k.workspace_id, 'send_id', k.send_id, 'campaign_id', s.campaign_id
    ))
    from unnest(p_checks) as k
    join public.sends as s
      on s.workspace_id = k.workspace_id and s.queued_at = private.uuid_v7_time(k.send_id)
      and s.id = k.send_id
    where k.decision = 'go' and s.campaign_id is not null and not s.is_test
  );
begin
  if v_campaigns is null then
    return p_checks;
  end if;
  return array(
    with asked as materialized (
      select * from jsonb_to_recordset(v_campaigns) as a (
        workspace_id uuid, send_id uuid, campaign_id uuid
      )
    ),
    gates as materialized (
      select w.workspace_id, g.campaign_id, g.gate
      from (
        select a.workspace_id, array_agg(distinct a.campaign_id) as campaign_ids
        from asked as a
        group by a.workspace_id
      ) as w
      cross join lateral private.campaign_gates(w.workspace_id, w.campaign_ids) as g
    )
    select row(
      k.workspace_id, k.send_id,
      case g.gate when 'held' then 'wait' when 'cancelled' then 'skip' else k.decision end,
      case g.gate when 'held' then 'paused' when 'cancelled' then 'cancelled' else k.reason end,
      case g.gate when 'held' then p_now + interval '10 seconds' else k.until end,
      k.address_hash, k.is_capped, k.on_cap, k.not_after
    )::private.send_check
    from unnest(p_checks) as k
    left join asked as a on a.workspace_id = k.workspace_id and a.send_id = k.send_id
    left join gates as g on g.workspace_id = a.workspace_id and g.campaign_id = a.campaign_id
  );
end
$function$
  comment: The same decisions, but messages of a paused campaign wait, and those of a cancelled one are skipped.

CREATE OR REPLACE FUNCTION private.check_entries(p_workspace_id uuid, p_entries private.journey_entry[], p_now timestamp with time zone)
 RETURNS boolean[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_version public.journey_versions;
  v_places bigint[];
  v_is_in boolean[] := array_fill(true, array[cardinality(p_entries)]);
  v_answer record;
begin
  for v_version in
    select v.*
    from public.journey_versions as v
    where v.workspace_id = p_workspace_id and v.definition #> '{entry,when}' is not null
      and (v.journey_id, v.version) in (select e.journey_id, e.version from unnest(p_entries) as e)
  loop
    v_places := array(
      select g from generate_subscripts(p_entries, 1) as g
      where (p_entries[g]).journey_id = v_version.journey_id and (p_entries[g]).version = v_version.version
      order by g
    );
    for v_answer in
      select v_places[a.place] as place
      from private.evaluate_items(
        p_workspace_id, v_version.definition #> '{entry,when}',
        array(select (p_entries[g]).customer_id from unnest(v_places) with ordinality as n (g, i) order by i),
        array(select (p_entries[g]).trigger from unnest(v_places) with ordinality as n (g, i) order by i),
        p_now
      ) as a
      where not a.is_true
    loop
      v_is_in[v_answer.place] := false;
    end loop;
  end loop;
  return v_is_in;
end
$function$
  comment: Per entry whether the customer fulfils the condition of entry.

CREATE OR REPLACE FUNCTION private.check_limit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_added record;
begin
  -- Without the lock, two callers who each create the last one would both be within the limit.
  perform from public.workspaces as w
  where w.id in (select a.workspace_id from added as a)
  order by w.id
  for no key update;
  for v_added in execute format(
    'select distinct a.workspace_id, a.%I as owner_id from added as a', tg_argv[1]
  ) loop
    perform private.require_room(tg_argv[0], v_added.workspace_id, v_added.owner_id);
  end loop;
  return null;
end
$function$
  comment: Refuses rows over the limit of the plan; its arguments are the kind and the owner column.

CREATE OR REPLACE FUNCTION private.check_sends(p_starts private.send_start[], p_now timestamp with time zone)
 RETURNS private.send_check[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return array(
    with tenants as materialized (
      select w.id, w.timezone, p.stopped_at, p.quiet_hours, p.caps
      from (select distinct k.workspace_id as id from unnest(p_starts) as k) as n
      join public.workspaces as w on w.id = n.id
      cross join lateral private.send_settings_of(w.id) as p
    )
    select row(
      k.workspace_id, k.send_id, d.decision, d.reason,
      case when d.decision = 'wait' then m.quiet_until end, h.hash,
      m.is_marketing and jsonb_array_length(g.caps) > 0, s.on_cap, s.not_after
    )::private.send_check
    from unnest(p_starts) as k
    left join lateral (
      select r.* from public.sends as r
      where r.workspace_id = k.workspace_id and r.queued_at = k.queued_at
        and r.id = k.send_id
      limit 1
    ) as s on true
    left join tenants as g on g.id = k.workspace_id
    left join public.senders as o on o.workspace_id = k.workspace_id and o.id = k.sender_id
    left join public.customers as c on c.workspace_id = k.workspace_id and c.id = s.customer_id
    left join public.templates as t on t.workspace_id = k.workspace_id and t.id = s.template_id
    left join public.template_versions as v
      on v.workspace_id = k.workspace_id and v.template_id = s.template_id
      and v.version = k.template_version
    left join public.topics as p on p.workspace_id = k.workspace_id and p.id = s.topic_id
    left join private.check_addresses(p_starts, p_now) as h
      on h.workspace_id = k.workspace_id and h.send_id = k.send_id
    cross join lateral (
      select
        q.is_marketing,
        case
          when q.is_marketing
          then private.quiet_until(g.quiet_hours, private.known_zone(c.timezone, g.timezone), p_now)
        end as quiet_until
      from (select s.topic_id is not null and not s.is_test as is_marketing) as q
    ) as m
    cross join lateral (
      select * from (
        values
          ('release', null, g.stopped_at is not null or not o.enabled),
          ('skip', 'erased', s.id is null),
          ('settled', null, s.state in ('sent', 'failed')),
          (
            'unknown', 'key_expired',
            o.on_unknown = 'stop' and private.is_key_expired(o.provider, s.attempts, p_now)
          ),
          ('skip', 'sender_deleted', o.id is null),
          ('skip', 'too_late', s.not_after < p_now),
          ('skip', 'customer_deleted', c.id is null and not s.is_test),
          ('skip', 'template_deleted', t.id is null and (s.template_id is not null or not s.is_test)),
          -- It was rendered for another address: once more.
          ('release', null, btrim(c.email) is distinct from k.email and not s.is_test),
          ('skip', 'suppressed', h.is_suppressed),
          ('skip', 'topic_deleted', m.is_marketing and p.id is null),
          ('skip', 'no_unsubscribe_link', m.is_marketing and not coalesce(v.has_unsubscribe, false)),
          ('skip', 'unsubscribed', m.is_marketing and not h.is_subscribed),
          ('wait', 'quiet_hours', m.quiet_until is not null),
          ('go', null, true)
      ) as r (decision, reason, applies)
      where r.applies
      limit 1
    ) as d
  );
end
$function$
  comment: The decision about each message now; caps and campaigns come after it.

CREATE OR REPLACE FUNCTION private.choose_winner(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS public.campaigns
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := p_campaign;
  v_by text := p_campaign.winner ->> 'by';
begin
  if v_by is null or v_campaign.winner_variant is not null or p_now < p_job.decide_at or exists (
    -- A part of the test still waits.
    select from private.campaign_recipients as r
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
      and r.state = 'pending' and r.due_at < p_job.rest_at
  ) then
    return v_campaign;
  end if;
  if v_by = 'goal' then
    perform private.count_goals(p_campaign, p_job, p_now);
  end if;
  update public.campaigns as c
  set
    winner_variant = (
      select (v.ordinality - 1)::smallint
      from jsonb_array_elements(c.variants) with ordinality as v
      left join lateral (
        select
          sum(k.count) filter (where k.kind = v_by) as reached,
          sum(k.count) filter (where k.kind = 'sent') as sent
        from private.campaign_counts as k
        where k.workspace_id = c.workspace_id and k.campaign_id = c.id
          and k.variant = v.ordinality - 1
      ) as k on true
      order by
        coalesce(k.reached, 0)::numeric / greatest(k.sent, 1) desc,
        (v.value ->> 'weight')::numeric desc, v.ordinality
      limit 1
    ),
    updated_at = p_now
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id
  returning c.* into v_campaign;
  -- Those who waited get it now.
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select k.workspace_id, k.campaign_id, n.variant, k.kind, n.sign * sum(k.count)
  from private.campaign_counts as k
  cross join (values (-1, -1), (v_campaign.winner_variant, 1)) as n (variant, sign)
  where k.workspace_id = p_campaign.workspace_id and k.campaign_id = p_campaign.id and k.variant = -1
  group by k.workspace_id, k.campaign_id, k.kind, n.variant, n.sign;
  return v_campaign;
end
$function$
  comment: Chooses the variant with the highest share of its sends once its time has come; returns the campaign.

CREATE OR REPLACE FUNCTION private.claim_deliveries(p_worker uuid, p_limit integer, p_lease interval DEFAULT '00:01:00'::interval, p_only_proven boolean DEFAULT false, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(claim uuid, workspace_id uuid, destination_id uuid, message_id uuid, message_created_at timestamp with time zone, event_type text, body text, url text, secrets jsonb, max_concurrency integer, attempt_number integer, try_number integer, trigger text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_claim uuid := gen_random_uuid();
  v_lanes private.lane_credit[];
  v_taken private.taken_row[];
begin
  perform private.fold_arrivals();
  v_lanes := private.lock_ready_lanes(p_worker, p_limit, p_only_proven, p_now);
  if v_lanes is null then
    return;
  end if;
  v_taken := private.take_rows(v_lanes, v_claim, p_lease, p_now);
  perform private.charge_lanes(v_lanes, v_taken, p_worker, p_now);
  return query
  select
    v_claim, t.workspace_id, t.destination_id, t.message_id, t.message_created_at, m.event_type,
    m.body, d.url, d.secrets, d.max_concurrency, t.attempts + 1, t.tries + 1, t.trigger
  from unnest(v_taken) as t
  left join lateral (
    select n.event_type, n.body
    from public.webhook_messages as n
    where n.workspace_id = t.workspace_id and n.created_at = t.message_created_at
      and n.id = t.message_id
    limit 1
  ) as m on true
  left join (
    select
      o.workspace_id, o.id, o.url, o.max_concurrency,
      (
        select jsonb_agg(s.ciphertext order by s.expires_at desc nulls first, s.created_at desc)
        from private.destination_secrets as s
        where s.workspace_id = o.workspace_id and s.destination_id = o.id
          and coalesce(s.expires_at, 'infinity') > p_now
      ) as secrets
    from unnest(v_lanes) as l
    join public.destinations as o on o.workspace_id = l.workspace_id and o.id = l.destination_id
  ) as d on d.workspace_id = t.workspace_id and d.id = t.destination_id;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Up to about p_limit deliveries to attempt now, with everything needed to send them, leased to p_worker; p_only_proven leaves out destinations whose last attempt failed. A null body or url: erased, nothing to send. Secrets are ciphertexts, the current one first.

CREATE OR REPLACE FUNCTION private.claim_inbound_token(p_workspace_id uuid, p_source_id uuid, p_token_hash text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with claimed as (
    insert into private.inbound_tokens (workspace_id, source_id, token_hash)
    values (p_workspace_id, p_source_id, p_token_hash)
    on conflict do nothing
    returning 1
  )
  select exists (select from claimed)
$function$
  grant execute on function to signalpost_ingest
  comment: Claims a token for the message that this transaction stores; false when another message has it. Waits for a transaction that is claiming it.

CREATE OR REPLACE FUNCTION private.claim_request(p_key text, p_fingerprint text, p_customer_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_row private.idempotent_requests;
begin
  insert into private.idempotent_requests as r (
    workspace_id, caller_id, key, fingerprint, customer_id, created_at
  )
  values (
    private.request_workspace_id(), private.request_caller_id(), p_key, p_fingerprint,
    p_customer_id, p_now
  )
  -- Waits for a call with the same key that is under way.
  on conflict (workspace_id, caller_id, key) do update
  set fingerprint = excluded.fingerprint, customer_id = excluded.customer_id, response = null,
    created_at = excluded.created_at
  where r.created_at <= p_now - interval '24 hours';
  if found then
    return null;
  end if;

  select r.* into v_row
  from private.idempotent_requests as r
  where r.workspace_id = private.request_workspace_id()
    and r.caller_id = private.request_caller_id() and r.key = p_key;
  if v_row.fingerprint is distinct from p_fingerprint then
    raise sqlstate 'SP409' using message = format(
      'Idempotency-Key "%s" was used for a different request: send a new key', p_key
    );
  end if;
  return v_row.response;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Claims an Idempotency-Key for the current call and returns null, or returns the encrypted response of the first call (null if none is kept). SP409 when that was a different request.

CREATE OR REPLACE FUNCTION private.claim_runs(p_limit integer, p_lease interval DEFAULT '00:01:00'::interval, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(claim uuid, workspace_id uuid, run_id uuid, journey_id uuid, journey_name text, version integer, customer_id uuid, step text, visit integer, stepped_at timestamp with time zone, stepped_id uuid, entered_at timestamp with time zone, goal_at timestamp with time zone, is_passed_by boolean, trigger jsonb, depth integer, wakes integer, facts jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_claim uuid := gen_random_uuid();
  v_runs public.journey_runs[];
begin
  perform private.fold_run_arrivals();
  v_runs := private.take_runs(v_claim, p_limit, p_lease, p_now);
  if cardinality(v_runs) = 0 then
    return;
  end if;
  return query
  select
    v_claim, r.workspace_id, r.id, r.journey_id, f.journey_name, r.version, r.customer_id, r.step, r.visit,
    r.stepped_at, r.stepped_id, r.entered_at, r.goal_at, r.is_passed_by, r.trigger, r.depth::integer, r.wakes,
    f.facts
  from unnest(v_runs) as r
  join private.run_facts(v_runs, p_now) as f on f.run_id = r.id
  order by r.due_at, r.id;
end
$function$
  grant execute on function to signalpost_automation
  comment: Up to about p_limit runs to look at now, with everything needed to move them, leased to the caller.

CREATE OR REPLACE FUNCTION private.claim_sends(p_worker uuid, p_limit integer, p_lease interval DEFAULT '00:01:00'::interval, p_only_proven boolean DEFAULT false, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(claim uuid, workspace_id uuid, sender_id uuid, send_id uuid, attempt_number integer, is_test boolean, is_marketing boolean, skip_reason text, email text, template_id uuid, template_version integer, is_strict boolean, tracks_opens boolean, tracks_clicks boolean, data jsonb, customer jsonb, workspace jsonb, sender jsonb, ciphertext text, link_key text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  v_claim uuid := gen_random_uuid();
  v_lanes private.send_credit[];
  v_taken private.taken_send[];
begin
  perform private.fold_send_arrivals();
  v_lanes := private.lock_ready_send_lanes(p_worker, p_limit, p_only_proven, p_now);
  if v_lanes is null then
    return;
  end if;
  v_taken := private.take_sends(v_lanes, v_claim, p_lease, p_now);
  perform private.charge_send_lanes(v_lanes, v_taken, p_worker, p_now);
  return query select d.* from private.describe_sends(v_taken, v_claim) as d;
end
$function$
  grant execute on function to signalpost_send
  comment: Up to about p_limit messages to send now, leased to p_worker, as private.describe_sends returns them; p_only_proven leaves out senders whose last attempt failed.

CREATE OR REPLACE FUNCTION private.claim_simulated(p_run jsonb, p_now timestamp with time zone)
 RETURNS TABLE(claim uuid, workspace_id uuid, run_id uuid, journey_id uuid, journey_name text, version integer, customer_id uuid, step text, visit integer, stepped_at timestamp with time zone, stepped_id uuid, entered_at timestamp with time zone, goal_at timestamp with time zone, is_passed_by boolean, trigger jsonb, depth integer, wakes integer, facts jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_runs public.journey_runs[];
begin
  with taken as (
    update public.journey_runs as r set claim = gen_random_uuid()
    where r.workspace_id = (p_run ->> 'workspace_id')::uuid and r.journey_id = (p_run ->> 'journey_id')::uuid
      and r.customer_id = (p_run ->> 'customer_id')::uuid and r.state = 'active' and r.due_at <= p_now
    returning r as run
  )
  select coalesce(array_agg(t.run), '{}') into v_runs from taken as t;
  return query
  select
    r.claim, r.workspace_id, r.id, r.journey_id, f.journey_name, r.version, r.customer_id, r.step, r.visit,
    r.stepped_at, r.stepped_id, r.entered_at, r.goal_at, r.is_passed_by, r.trigger, r.depth::integer, r.wakes,
    f.facts
  from unnest(v_runs) as r
  join private.run_facts(v_runs, p_now) as f on f.run_id = r.id;
end
$function$
  grant execute on function to signalpost_automation
  comment: The run of a simulation if it is due, as private.claim_runs returns it.

CREATE OR REPLACE FUNCTION private.clean_up(p_job private.segment_jobs, p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_rows integer;
begin
  delete from public.segment_members as m
  -- By ctid alone: any other condition would let the planner scan an index instead.
  where m.ctid = any (array(
    select n.ctid from public.segment_members as n
    where n.workspace_id = p_job.workspace_id and n.segment_id = p_job.segment_id
      and n.version < coalesce((
        select s.version from public.segments as s
        where s.workspace_id = p_job.workspace_id and s.id = p_job.segment_id
      ), 2147483647)
    limit p_limit
  ));
  get diagnostics v_rows = row_count;
  if v_rows < p_limit then
    delete from private.segment_jobs as j
    where j.workspace_id = p_job.workspace_id and j.segment_id = p_job.segment_id;
  end if;
end
$function$
  comment: Deletes up to p_limit members of old versions of a segment, or of a deleted one; ends the job after the last.

CREATE OR REPLACE FUNCTION private.close_default_privileges()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A function is executable by nobody until a grant says otherwise.
  alter default privileges in schema private revoke execute on functions from public;
  alter default privileges in schema ops revoke execute on functions from public;
  alter default privileges revoke execute on functions from public;
  -- Older projects grant the Data API everything by default.
  alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
  alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
  alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
end
$function$
  comment: Revokes default privileges on objects that the owner creates. A dump does not contain this, and a new project has its own defaults.

CREATE OR REPLACE FUNCTION private.combine_sql(p_kind text, p_nodes integer[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A false "all" can only change when all of its false nodes have: hence the greatest of them.
  select format(
    'select %1$s as holds, case when %2$s (%1$s) then least(%3$s) else greatest(%4$s) end as until,
       null::jsonb as fact',
    coalesce(
      string_agg(format('n%s.holds', n), case p_kind when 'all' then ' and ' else ' or ' end),
      case p_kind when 'all' then 'true' else 'false' end
    ),
    case p_kind when 'all' then '' else 'not' end,
    coalesce(string_agg(format('n%s.until', n), ', '), '''infinity''::timestamptz'),
    coalesce(string_agg(
      format('case when %s n%s.holds then n%s.until end', case p_kind when 'all' then 'not' else '' end, n, n),
      ', '
    ), '''infinity''::timestamptz')
  )
  from unnest(p_nodes) as n
$function$
  comment: SQL of a node "all" or "any" over the nodes with these numbers.

CREATE OR REPLACE FUNCTION private.compare_page(p_job private.segment_jobs, p_now timestamp with time zone, p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_segment public.segments;
  v_ids uuid[] := array(
    select c.id from public.customers as c
    where c.workspace_id = p_job.workspace_id and c.id > p_job.cursor order by c.id limit p_limit
  );
begin
  select s.* into v_segment from public.segments as s
  where s.workspace_id = p_job.workspace_id and s.id = p_job.segment_id;
  perform private.apply_truths(p_job.workspace_id, private.evaluate_segment(v_segment, array(
    select row(v_segment.id, i.id, 'segment', null, null)::private.segment_truth from unnest(v_ids) as i (id)
  ), p_now), p_now);
  update private.segment_jobs as j
  set cursor = coalesce(v_ids[cardinality(v_ids)], j.cursor), done = j.done + cardinality(v_ids)
  where j.workspace_id = p_job.workspace_id and j.segment_id = p_job.segment_id;
  update public.segments as s
  set progress = least(0.99, 0.5 + 0.5 * (p_job.done + cardinality(v_ids)) / greatest(p_job.total, 1))
  where s.workspace_id = p_job.workspace_id and s.id = p_job.segment_id;
  if cardinality(v_ids) < p_limit then
    perform private.serve_version(v_segment, p_now);
  end if;
end
$function$
  comment: Compares the next p_limit customers with the newest version of a segment; after the last, that version counts.

CREATE OR REPLACE FUNCTION private.compile_condition(p_scope private.condition_scope, p_condition jsonb)
 RETURNS private.compiled_condition
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return private.compile_node(p_scope, p_condition, null);
end
$function$
  comment: A condition as SQL: joins to put after a from clause that has c and w, and the number of the node that is the answer.

CREATE OR REPLACE FUNCTION private.compile_node(p_scope private.condition_scope, p_condition jsonb, p_compiled private.compiled_condition)
 RETURNS private.compiled_condition
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_kind text := case when p_condition ? 'all' then 'all' when p_condition ? 'any' then 'any' end;
  v_child jsonb;
  v_nodes integer[] := '{}';
begin
  if v_kind is not null then
    for v_child in select e from jsonb_array_elements(p_condition -> v_kind) as e loop
      p_compiled := private.compile_node(p_scope, v_child, p_compiled);
      v_nodes := v_nodes || p_compiled.root;
    end loop;
    return private.add_node(p_compiled, private.combine_sql(v_kind, v_nodes));
  elsif p_condition ? 'not' then
    p_compiled := private.compile_node(p_scope, p_condition -> 'not', p_compiled);
    return private.add_node(p_compiled, format(
      'select not n%1$s.holds as holds, n%1$s.until, null::jsonb as fact', p_compiled.root
    ));
  elsif p_scope.is_deep and p_condition ? 'segment' then
    select s.condition into v_child
    from public.segments as s
    where s.workspace_id = p_scope.workspace_id and s.id = (p_condition ->> 'segment')::uuid;
    if v_child is not null then
      return private.compile_node(p_scope, v_child, p_compiled);
    end if;
  end if;
  return private.add_node(p_compiled, private.leaf_sql(p_scope, p_condition));
end
$function$
  comment: Adds the nodes of a condition to those compiled so far, children before parents.

CREATE OR REPLACE FUNCTION private.complete_campaign(p_campaign public.campaigns, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.campaigns as c
  set state = 'completed', ended_at = p_now, updated_at = p_now
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id;
  perform private.publish_messages(array[
    private.service_message(p_campaign.workspace_id, 'campaign.completed', jsonb_build_object(
      'campaign', jsonb_build_object('id', p_campaign.id, 'name', p_campaign.name)
    ) || private.campaign_outcome(p_campaign))
  ], p_now);
  update private.campaign_jobs as j set phase = 'expire', due_at = p_now + interval '90 days'
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$function$
  comment: Completes a campaign and publishes campaign.completed; its recipients are deleted 90 days later.

CREATE OR REPLACE FUNCTION private.complete_dates(p_dates jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_workspace_id uuid;
  v_count integer := 0;
begin
  for v_workspace_id in
    select distinct (d ->> 'workspace_id')::uuid from jsonb_array_elements(p_dates) as d order by 1
  loop
    -- Only who was due before: another worker computes the same.
    with dates as materialized (
      select k.*
      from jsonb_to_recordset(p_dates) as k (
        workspace_id uuid, journey_id uuid, customer_id uuid, due_at timestamptz, enter_at timestamptz
      )
      where k.workspace_id = v_workspace_id
    ),
    done as (
      update private.journey_dates as d
      set due_at = coalesce(k.due_at, 'infinity'), entered_for = coalesce(k.enter_at, d.entered_for)
      from dates as k
      where d.workspace_id = k.workspace_id and d.journey_id = k.journey_id and d.customer_id = k.customer_id
        and d.due_at <= p_now
      returning d.journey_id, d.customer_id, k.enter_at
    )
    select v_count + count(*) into v_count
    from private.enter_runs(v_workspace_id, array(
      select row(
        d.journey_id, j.version, d.customer_id, d.enter_at, null,
        jsonb_build_object('date', private.rfc3339(d.enter_at)),
        jsonb_build_object('date', v.definition #>> '{trigger,date}', 'at', private.rfc3339(d.enter_at)), 0
      )::private.journey_entry
      from done as d
      join public.journeys as j on j.workspace_id = v_workspace_id and j.id = d.journey_id and j.state = 'running'
      join public.journey_versions as v
        on v.workspace_id = j.workspace_id and v.journey_id = j.id and v.version = j.version
      where d.enter_at is not null
      order by d.enter_at, d.customer_id
    ), p_now) as e;
  end loop;
  return v_count;
end
$function$
  grant execute on function to signalpost_automation
  comment: Sets the timers of dates [{workspace_id, journey_id, customer_id, due_at, enter_at}] and has customers enter whose date has come. Returns how many tried to enter.

CREATE OR REPLACE FUNCTION private.complete_deliveries(p_results text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_results private.attempt_result[];
  v_finished private.finished_row[];
  v_tallies private.lane_tally[];
begin
  select array_agg(r order by r.position) into v_results
  from jsonb_populate_recordset(null::private.attempt_result, p_results::jsonb) as r;
  perform private.lock_lanes(array_agg(r.workspace_id), array_agg(r.destination_id))
  from unnest(v_results) as r;
  v_finished := private.finish_rows(v_results, p_now);
  v_tallies := private.tally_results(v_results, v_finished, private.log_results(v_results));
  perform private.update_lanes(v_tallies, p_now);
  perform private.update_lane_health(v_tallies, p_now);
  return cardinality(v_finished);
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Records a JSON array of private.attempt_result, position counted from 1 in the order they ended: logs every attempt, ends the claims that are still valid, and updates the lanes. Recording a result again changes nothing. Returns how many claims ended.

CREATE OR REPLACE FUNCTION private.complete_runs(p_results text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_held jsonb := private.hold_runs(p_results::jsonb);
  v_runs public.journey_runs[];
  v_workspace_id uuid;
begin
  if v_held = '[]' then
    return 0;
  end if;
  perform private.log_steps(
    v_held,
    private.apply_updates(v_held, v_now) || private.publish_webhooks(v_held, v_now)
      || private.create_run_sends(v_held, v_now),
    v_now
  );
  v_runs := private.move_runs(v_held, v_now);
  for v_workspace_id in select distinct r.workspace_id from unnest(v_runs) as r order by 1 loop
    perform private.tell_ends(v_workspace_id, array(
      select r from unnest(v_runs) as r where r.workspace_id = v_workspace_id and r.state = 'ended'
    ), v_now);
    perform private.announce_runs(v_workspace_id, (
      select jsonb_agg(jsonb_build_array(r.journey_id, r.due_at))
      from unnest(v_runs) as r
      where r.workspace_id = v_workspace_id and r.state = 'active'
    ), p_now);
  end loop;
  return cardinality(v_runs);
end
$function$
  grant execute on function to signalpost_automation
  comment: Records what a worker decided about claimed runs (a JSON list) and does it: steps, sends, updates, webhooks, and where each run stands. Results whose claims are gone do nothing. Returns how many claims ended.

CREATE OR REPLACE FUNCTION private.complete_sends(p_results text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  v_results private.send_result[];
  v_tallies private.send_tally[];
begin
  perform private.lock_send_lanes(array_agg(r.workspace_id), array_agg(r.sender_id))
  from jsonb_to_recordset(p_results::jsonb) as r (workspace_id uuid, sender_id uuid);
  v_results := private.read_send_results(p_results);
  if cardinality(v_results) < jsonb_array_length(p_results::jsonb) then
    perform private.record_late_results(p_results, p_now);
  end if;
  if cardinality(v_results) = 0 then
    return 0;
  end if;
  v_results := private.finish_sends(v_results, p_now);
  perform private.give_back_caps(v_results, p_now);
  v_tallies := private.tally_sends(v_results, p_now);
  perform private.count_outcomes(v_results, p_now);
  perform private.update_send_lanes(v_tallies, p_now);
  perform private.update_sender_health(v_tallies, p_now);
  perform private.record_outcomes(v_results, p_now);
  perform private.record_hard_bounces(v_results, p_now);
  return cardinality(v_results);
end
$function$
  grant execute on function to signalpost_send
  comment: Records a JSON array of private.send_result, position counted from 1 in the order they ended: the messages, the queue, the lanes and the engagement, in one transaction. Recording a result again changes nothing. A result whose lease has expired still settles a message of unknown outcome: see private.record_late_results. Returns how many claims ended.

CREATE OR REPLACE FUNCTION private.condition_interests(p_condition jsonb)
 RETURNS TABLE(kind text, ref text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select distinct i.kind, i.ref
  from private.condition_leaves(p_condition) as l
  cross join lateral (
    values
      ('event', l.leaf ->> 'event'),
      ('profile', case when l.leaf ->> 'field' <> 'last_seen_at' and l.leaf ->> 'field' not like 'trigger.%' then '' end),
      ('profile', case when l.leaf ->> 'field' = 'last_seen_at' then 'last_seen_at' end),
      ('profile', case when l.leaf ? 'journey' then '' end),
      ('segment', l.leaf ->> 'segment'),
      ('consent', case when l.leaf ? 'topic' then '' end)
  ) as i (kind, ref)
  where i.ref is not null
$function$
  comment: The kinds of changes that can change the answer of a condition.

CREATE OR REPLACE FUNCTION private.condition_leaves(p_condition jsonb)
 RETURNS TABLE(leaf jsonb, level integer)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  with recursive nodes as (
    select p_condition as node, 1 as level
    union all
    select c.node, n.level + 1
    from nodes as n
    cross join lateral (
      select e as node from jsonb_array_elements(n.node -> 'all') as e
      union all
      select e from jsonb_array_elements(n.node -> 'any') as e
      union all
      select n.node -> 'not' where n.node ? 'not'
    ) as c
  )
  select n.node, n.level from nodes as n where not n.node ?| array['all', 'any', 'not']
$function$
  comment: The leaves of a condition, each with its level; that of the whole is 1.

CREATE OR REPLACE FUNCTION private.condition_select(p_compiled private.compiled_condition, p_columns text, p_customers text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    'select %s from %s as c
     cross join (select z.timezone from public.workspaces as z where z.id = $1) as w %s',
    replace(p_columns, 'root', 'n' || p_compiled.root), p_customers, array_to_string(p_compiled.joins, ' ')
  )
$function$
  comment: SQL that evaluates a condition for customers (SQL of rows of public.customers); in the columns, root is the answer.

CREATE OR REPLACE FUNCTION private.confirm_above(p_workspace_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce((
    select s.campaign_confirm_above from public.send_settings as s where s.workspace_id = p_workspace_id
  ), 10000)
$function$
  comment: The number of recipients above which a caller has to name it.

CREATE OR REPLACE FUNCTION private.connect_cron(OUT state text, OUT to_do text)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_problem text;
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    v_problem := private.create_extension('pg_cron');
  end if;
  state := 'missing';
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    to_do := format('Enable the extension pg_cron, then call ops.connect_platform(): %s', v_problem);
    return;
  end if;
  begin
    perform private.schedule_work('10 seconds');
    state := 'every 10 seconds';
  exception when invalid_parameter_value then
    -- pg_cron supports seconds since version 1.5.
    perform private.schedule_work('* * * * *');
    state := 'every minute';
    to_do := 'Update pg_cron to 1.5 or later, then call ops.connect_platform(): retries leave up to a minute late';
  end;
exception when others then
  state := 'broken';
  to_do := format('Repair the extension pg_cron, then call ops.connect_platform(): %s', sqlerrm);
end
$function$
  comment: Schedules the periodic tasks if pg_cron is there; returns how often they run and what the operator has to do.

CREATE OR REPLACE FUNCTION private.consent_events(p_send public.sends, p_changes jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with states as materialized (
    select a.topic_id, a.subscribed
    from private.address_states(
      p_send.workspace_id, p_send.channel,
      array[private.address_hash(p_send.workspace_id, p_send.channel, p_send.email)]
    ) as a
  ),
  changed as (
    select c.subscribed, t.key
    from jsonb_to_recordset(p_changes) as c (topic_id uuid, subscribed boolean)
    left join states as s on s.topic_id = c.topic_id
    left join public.topics as t on t.workspace_id = p_send.workspace_id and t.id = c.topic_id
    where s.subscribed <> c.subscribed
      or c.topic_id is null and (
        exists (select from states as x where x.subscribed)
        or not exists (
          select from private.consents as k
          where k.workspace_id = p_send.workspace_id and k.channel = p_send.channel
            and k.address_hash = private.address_hash(p_send.workspace_id, p_send.channel, p_send.email)
            and k.topic_id = private.all_topics()
        )
      )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'workspace_id', p_send.workspace_id,
    'send_id', p_send.id,
    'name', case when c.subscribed then 'subscribed' else 'unsubscribed' end,
    'at', p_now,
    -- Everything was withdrawn if there is no topic.
    'properties', jsonb_build_object('topic', c.key),
    'suffix', concat_ws(':', c.key, floor(extract(epoch from p_now) * 1000))
  )), '[]')
  from changed as c
$function$
  comment: The events about those of the changes that change the state of the address of a send, for private.record_engagements.

CREATE OR REPLACE FUNCTION private.copy_opt_outs(p_workspace_id uuid, p_from text[], p_to text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_to bytea := private.address_hash(p_workspace_id, 'email', p_to);
begin
  if v_to is null then
    return;
  end if;
  insert into private.consents as k (
    workspace_id, channel, address_hash, topic_id, subscribed, source, changed_at
  )
  select c.workspace_id, c.channel, v_to, c.topic_id, false, 'address_change', max(c.changed_at)
  from unnest(p_from) as f (address)
  join private.consents as c
    on c.workspace_id = p_workspace_id and c.channel = 'email' and not c.subscribed
    and c.address_hash = private.address_hash(p_workspace_id, 'email', f.address)
  where c.address_hash <> v_to
  group by c.workspace_id, c.channel, c.topic_id
  order by c.topic_id
  on conflict (workspace_id, channel, address_hash, topic_id) do update
  set subscribed = false, source = excluded.source, changed_at = excluded.changed_at
  -- A later word of the new address stays.
  where k.subscribed and k.changed_at < excluded.changed_at;
  if found then
    perform private.note_consent_changes(
      p_workspace_id, 'email', array[private.normalize_address('email', p_to)], p_now
    );
  end if;
end
$function$
  comment: Copies the opt-outs of former addresses to the one that replaces them; opt-ins are not copied.

CREATE OR REPLACE FUNCTION private.count_audience(p_campaign public.campaigns)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select count(distinct lower(normalize(btrim(c.email, e' \t\n\r'))))
    from private.campaign_segments(p_campaign) as s
    join public.segment_members as m
      on m.workspace_id = p_campaign.workspace_id and m.segment_id = s.segment_id
      and m.version = s.version
    join public.customers as c on c.workspace_id = m.workspace_id and c.id = m.customer_id
    where s.segment_id = p_campaign.segment_id and btrim(c.email, e' \t\n\r') <> ''
      and not exists (
        select from private.campaign_segments(p_campaign) as e
        join public.segment_members as x
          on x.workspace_id = p_campaign.workspace_id and x.segment_id = e.segment_id
          and x.version = e.version and x.customer_id = m.customer_id
        where e.is_excluded
      )
  );
end
$function$
  comment: The number of addresses that a campaign would be sent to now. Reads the whole segment.

CREATE OR REPLACE FUNCTION private.count_campaign_sends()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    -- What had an outcome keeps it; the others will have none.
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select r.workspace_id, r.campaign_id, coalesce(r.variant, 0), 'skipped:customer_deleted', count(*)
    from removed as r
    where r.campaign_id is not null and not r.is_test and r.state in ('queued', 'sending')
    group by 1, 2, 3;
  elsif tg_op = 'INSERT' then
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select a.workspace_id, a.campaign_id, coalesce(a.variant, 0), k.kind, count(*)
    from added as a
    cross join lateral private.send_kinds(a.state, a.reason, a.feedback) as k (kind)
    where a.campaign_id is not null and not a.is_test
    group by 1, 2, 3, 4;
  elsif exists (select from added as a where a.campaign_id is not null) then
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select s.workspace_id, s.campaign_id, s.variant, s.kind, sum(s.sign)
    from (
      select a.workspace_id, a.campaign_id, coalesce(a.variant, 0) as variant, k.kind, 1 as sign
      from added as a
      cross join lateral (
        select s.kind from private.send_kinds(a.state, a.reason, a.feedback) as s (kind)
        union all
        select e.kind
        from (
          values ('opened', a.opened_at), ('clicked', a.clicked_at), ('unsubscribed', a.unsubscribed_at)
        ) as e (kind, at)
        where e.at is not null
      ) as k
      where a.campaign_id is not null and not a.is_test
      union all
      select r.workspace_id, r.campaign_id, coalesce(r.variant, 0), k.kind, -1
      from removed as r
      cross join lateral (
        select s.kind from private.send_kinds(r.state, r.reason, r.feedback) as s (kind)
        union all
        select e.kind
        from (
          values ('opened', r.opened_at), ('clicked', r.clicked_at), ('unsubscribed', r.unsubscribed_at)
        ) as e (kind, at)
        where e.at is not null
      ) as k
      where r.campaign_id is not null and not r.is_test
    ) as s
    group by 1, 2, 3, 4
    having sum(s.sign) <> 0;
  end if;
  return null;
end
$function$
  comment: Appends what a statement changed in the counts of campaigns.

CREATE OR REPLACE FUNCTION private.count_consents()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
    select
      a.workspace_id, a.topic_id, count(*) filter (where a.subscribed),
      count(*) filter (where not a.subscribed)
    from added as a
    group by a.workspace_id, a.topic_id;
    return null;
  end if;
  insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
  select c.workspace_id, c.topic_id, sum(c.subscribed), sum(c.unsubscribed)
  from (
    select a.workspace_id, a.topic_id, a.subscribed::integer, (not a.subscribed)::integer
    from added as a
    union all
    select r.workspace_id, r.topic_id, -r.subscribed::integer, -(not r.subscribed)::integer
    from removed as r
  ) as c (workspace_id, topic_id, subscribed, unsubscribed)
  group by c.workspace_id, c.topic_id
  having sum(c.subscribed) <> 0 or sum(c.unsubscribed) <> 0;
  return null;
end
$function$
  comment: Appends what a statement changed in the counts of each topic.

CREATE OR REPLACE FUNCTION private.count_customers(p_workspace_id uuid, p_condition jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return null;
  end if;
  return private.measure_condition(
    p_workspace_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  ) - 'examples';
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Counts the customers that fulfil a condition: count, is_exact.

CREATE OR REPLACE FUNCTION private.count_entered(p_workspace_id uuid, p_runs public.journey_runs[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select p_workspace_id, r.journey_id, r.version, k.step, k.kind, count(*)
  from unnest(p_runs) as r
  cross join lateral (
    select '' as step, 'entered' as kind
    union all select r.step, 'came' where not r.is_holdout
    union all select '', 'holdout' where r.is_holdout
    union all select '', 'exited:holdout' where r.is_holdout
  ) as k
  group by r.journey_id, r.version, k.step, k.kind
$function$
  comment: Adds runs that began to the figures.

CREATE OR REPLACE FUNCTION private.count_events(p_workspace_id uuid, p_condition jsonb, p_page jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count bigint;
  v_is_exact boolean;
begin
  if not private.is_readable(p_workspace_id, array['events:read', 'customers:read']) then
    return null;
  end if;
  select count(f.id), coalesce(bool_or(f.is_last), false) into v_count, v_is_exact
  from private.find_events(
    p_workspace_id, p_condition, p_page - array['before_received_at', 'before_id', 'limit'],
    clock_timestamp() + interval '1500 milliseconds', p_now
  ) as f;
  return jsonb_build_object('count', v_count, 'is_exact', v_is_exact);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Counts the events that fulfil a condition: count and is_exact. Not exact: those found among the newest in a second and a half, hence at least that many.

CREATE OR REPLACE FUNCTION private.count_exactly(p_compiled private.compiled_condition, p_workspace_id uuid, p_now timestamp with time zone)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return array(
    select e.customer_id
    from private.evaluate_compiled(
      p_compiled, p_workspace_id,
      array(select c.id from public.customers as c where c.workspace_id = p_workspace_id), p_now
    ) as e
    where e.is_true
  );
end
$function$
  comment: All customers of a workspace that fulfil a condition.

CREATE OR REPLACE FUNCTION private.count_failed(p_job public.jobs, p_limit integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  v_start record;
begin
  -- From the newest back: most older attempts were followed by another one.
  select d.attempted_at, d.id into v_start
  from public.deliveries as d
  where d.workspace_id = p_job.workspace_id and d.destination_id = p_job.destination_id
    and d.attempted_at >= p_job.since and d.attempted_at < p_job.until
    and not d.ok
  order by d.attempted_at desc, d.id desc
  offset p_limit
  limit 1;
  p_job.cursor_at := coalesce(v_start.attempted_at, '-infinity');
  p_job.cursor_id := coalesce(v_start.id, '00000000-0000-0000-0000-000000000000');
  return (
    select cardinality(f.message_ids) from private.failed_messages(p_job, p_limit) as f
  );
end
$function$
  comment: Counts the messages that a replay job covers, in its newest p_limit failed attempts: a request cannot wait for all of a long log.

CREATE OR REPLACE FUNCTION private.count_goals(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select p_campaign.workspace_id, p_campaign.id, r.variant, 'goal', count(*)
  from (
    select s.variant, s.customer_id
    from (
      -- By hash: a sample is as good, and takes a bounded time.
      select
        r.variant, r.customer_id,
        row_number() over (partition by r.variant order by r.address_hash) as position
      from private.campaign_recipients as r
      where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
        and r.variant is not null and r.state = 'queued'
    ) as s
    where s.position <= 10000
  ) as r
  join private.evaluate_condition(
    p_campaign.workspace_id,
    p_campaign.goal || jsonb_build_object('since', private.rfc3339(p_job.base_at)),
    array(
      select q.customer_id from private.campaign_recipients as q
      where q.workspace_id = p_campaign.workspace_id and q.campaign_id = p_campaign.id
        and q.variant is not null and q.state = 'queued'
    ), p_now
  ) as e on e.customer_id = r.customer_id and e.is_true
  group by r.variant;
end
$function$
  comment: Counts per variant of the test how many recipients have had the event of the goal.

CREATE OR REPLACE FUNCTION private.count_handled(p_campaign public.campaigns)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(sum(c.count), 0)
  from private.campaign_counts as c
  where c.workspace_id = p_campaign.workspace_id and c.campaign_id = p_campaign.id
    and (c.kind in ('sent', 'failed', 'unknown') or c.kind like 'skipped:%')
$function$
  comment: The number of recipients of a campaign that have an outcome.

CREATE OR REPLACE FUNCTION private.count_ids(p_workspace_id uuid, p_customer_id uuid, p_kind text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*)::integer
    from public.identities as d
    where d.workspace_id = p_workspace_id and d.customer_id = p_customer_id and d.kind = p_kind
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Counts the ids of one kind that lead to a customer.

CREATE OR REPLACE FUNCTION private.count_names(p_deltas private.usage_delta[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.event_names as n (workspace_id, name, events, first_seen_at, last_seen_at)
  select s.workspace_id, s.name, s.events, s.first_at, s.last_at
  from (
    select
      t.*,
      k.name is not null as is_known,
      row_number() over (
        partition by t.workspace_id, k.name is null order by t.first_at, t.name
      ) + max(
        -- Once per workspace instead of per name: a faulty client may send thousands of names.
        case when t.is_first then (
          select count(*) from public.event_names as c where c.workspace_id = t.workspace_id
        ) end
      ) over (partition by t.workspace_id) as position
    from (
      select
        d.workspace_id, d.name, sum(d.events) as events, min(d.at) as first_at, max(d.at) as last_at,
        row_number() over (partition by d.workspace_id) = 1 as is_first
      from unnest(p_deltas) as d
      where d.name is not null
      group by d.workspace_id, d.name
    ) as t
    -- By key: a join may be planned as a scan of all names of the workspace for each.
    left join lateral (
      select c.name from public.event_names as c
      where c.workspace_id = t.workspace_id and c.name = t.name
      limit 1
    ) as k on true
    where exists (select from public.workspaces as w where w.id = t.workspace_id)
  ) as s
  where s.is_known or s.position <= 1000
  on conflict (workspace_id, name) do update
  set
    events = n.events + excluded.events,
    first_seen_at = least(n.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(n.last_seen_at, excluded.last_seen_at)
$function$
  comment: Adds to the totals of known names, and adds new names while a workspace has fewer than 1,000.

CREATE OR REPLACE FUNCTION private.count_outcomes(p_results private.send_result[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.sender_stats as s (
    workspace_id, sender_id, hour, sent, failed, skipped, unknown, retried
  )
  select
    r.workspace_id, r.sender_id, date_trunc('hour', p_now, 'UTC'),
    count(*) filter (where r.action = 'sent'), count(*) filter (where r.action = 'failed'),
    count(*) filter (where r.action = 'skipped'), count(*) filter (where r.action = 'unknown'),
    count(*) filter (where r.action = 'retry')
  from unnest(p_results) as r
  where r.action in ('sent', 'failed', 'skipped', 'unknown', 'retry')
  group by r.workspace_id, r.sender_id
  order by r.workspace_id, r.sender_id
  on conflict (workspace_id, sender_id, hour) do update
  set
    sent = s.sent + excluded.sent, failed = s.failed + excluded.failed,
    skipped = s.skipped + excluded.skipped, unknown = s.unknown + excluded.unknown,
    retried = s.retried + excluded.retried
$function$
  comment: Adds outcomes to the figures of their senders, whose lanes the caller has locked.

CREATE OR REPLACE FUNCTION private.count_rejections(p_workspace_ids uuid[], p_day timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.rejected_entry_stats as s (workspace_id, day)
  select w.id, p_day
  from public.workspaces as w
  where w.id = any (p_workspace_ids)
  order by w.id
  -- Locks the row: otherwise two callers would both keep the last entry that the plan allows.
  on conflict (workspace_id, day) do update set kept = s.kept
$function$
  comment: Creates and locks the counters of a day, in the order of the workspaces.

CREATE OR REPLACE FUNCTION private.count_secrets(p_key_ids text[])
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_count integer;
begin
  execute format('select sum(c.n)::integer from (%s) as c', private.secrets_query(
    'select count(*) as n from <table> as s where s.key_id = any ($1)'
  )) into v_count using p_key_ids;
  return v_count;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Counts the secrets under these keys.

CREATE OR REPLACE FUNCTION private.count_soft_bounces(p_workspace_id uuid, p_address_hash bytea, p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer
  from public.sends as s
  where s.workspace_id = p_workspace_id and s.address_hash = p_address_hash
    -- A provider tries for some days before it reports.
    and s.queued_at > p_at - interval '14 days'
    and s.feedback = 'soft_bounced' and s.feedback_at > p_at - interval '7 days'
    -- These say something about the message, not about the address.
    and coalesce(s.feedback_reason, '') not in (
      'message_too_large', 'content_refused', 'attachment_refused'
    )
    and not exists (
      select
      from public.sends as d
      where d.workspace_id = p_workspace_id and d.address_hash = p_address_hash
        and d.queued_at > p_at - interval '14 days'
        and d.feedback = 'delivered' and d.feedback_at >= s.feedback_at
    )
$function$
  comment: The number of sends to an address that bounced softly in the 7 days before p_at and since the last delivery.

CREATE OR REPLACE FUNCTION private.count_sql(p_leaf jsonb, p_feature_id bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_count jsonb := coalesce(p_leaf -> 'count', '{"gte": 1}');
  v_least integer := greatest((v_count ->> 'gte')::integer, (v_count ->> 'eq')::integer, 0);
  v_most integer := least((v_count ->> 'lte')::integer, (v_count ->> 'eq')::integer);
  v_times text := case
    when p_feature_id is null then private.events_sql(p_leaf)
    else format(
      -- "limit" makes the planner look up each row by its whole key, even with wrong statistics.
      'public.identities as i
       cross join lateral (
         select x.marks from private.feature_marks as x
         where x.workspace_id = i.workspace_id and x.feature_id = %s and x.identity_id = i.id limit 1
       ) as f
       cross join lateral unnest(f.marks) as t (at)
       where i.workspace_id = $1 and i.customer_id = c.id', p_feature_id
    )
  end || ' and ' || private.window_sql(p_leaf, 't.at');
  v_enough text := case when v_least = 0 then 'true' else format('m.times[%s] is not null', v_least) end;
  v_too_many text := case
    when v_most is null then 'false' else format('m.times[%s] is not null', v_most + 1)
  end;
begin
  return format(
    'select %1$s and not %2$s as holds,
       coalesce(case when %2$s then m.times[%3$s] when %1$s then m.times[%4$s] end + %5$L::interval, ''infinity'') as until,
       to_jsonb(cardinality(m.times)) as fact
     from (select array(select t.at from %6$s order by t.at desc limit %7$s) as times offset 0) as m',
    v_enough, v_too_many, coalesce(v_most, 0) + 1, v_least,
    private.read_duration(p_leaf ->> 'within'), v_times, private.leaf_keep(p_leaf)
  );
end
$function$
  comment: SQL of a leaf that counts events: from all events, or from the marks of a feature.

CREATE OR REPLACE FUNCTION private.create_campaign(p_workspace_id uuid, p_campaign jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Creates a draft of the fields of the api and returns its id; SP400 for a reference to nothing, SP409 for a key in use, SPLIM over the limit of the plan.

CREATE OR REPLACE FUNCTION private.create_extension(p_name text)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from pg_catalog.pg_extension where extname = p_name) then
    return null;
  elsif not exists (select from pg_catalog.pg_available_extensions where name = p_name) then
    return 'the server does not have it';
  end if;
  -- Until the end of the transaction: an extension without a schema of its own needs a path.
  perform set_config('search_path', 'public', true);
  if p_name = 'pg_net' then
    create schema if not exists extensions;
    create extension pg_net with schema extensions;
  elsif p_name = 'pg_cron' then
    create extension pg_cron with schema pg_catalog;
  else
    execute format('create extension %I', p_name);
  end if;
  return null;
exception when others then
  -- Packages can be installed without being loaded; the service works without them.
  return sqlerrm;
end
$function$
  comment: Creates an extension if the server has it; returns why that is not possible, or null if the extension exists.

CREATE OR REPLACE FUNCTION private.create_identities(p_entries private.ingest_entry[], p_at timestamp with time zone)
 RETURNS private.created_identity[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_milliseconds bytea := substring(int8send((extract(epoch from p_at) * 1000)::bigint) from 3);
  v_created private.created_identity[];
  v_lost integer;
begin
  with uses as (
    -- The id that an entry is about gets a customer of its own.
    select
      c.ordinality::integer as i, c.workspace_id, c.kind as entry_kind, null::text as owner,
      c.customer_id,
      case when c.external_id is null then 'anon' else 'external' end as kind,
      coalesce(c.external_id, c.anon_id) as value
    from unnest(p_entries) with ordinality as c
    where c.kind in ('event', 'identify') and not c.is_duplicate and c.repeats is null
      and c.identity_id is null and c.refused_code is null
    union all
    -- The anonymous id of an identify joins the customer of its external id.
    select
      c.ordinality::integer, c.workspace_id, c.kind, c.external_id, c.customer_id, 'anon', c.anon_id
    from unnest(p_entries) with ordinality as c
    where c.kind = 'identify' and not c.is_duplicate and c.repeats is null
      and c.refused_code is null and c.external_id is not null and c.anon_id is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = c.workspace_id and d.kind = 'anon' and d.value = c.anon_id
      )
  ),
  firsts as materialized (
    select distinct on (u.workspace_id, u.kind, u.value)
      u.*, encode(v_milliseconds || int2send((28672 + (random() * 4095)::integer)::smallint)
        || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid as new_customer_id,
      max(u.i) over (partition by u.workspace_id, u.kind, u.value) as last_i from uses as u
    order by u.workspace_id, u.kind, u.value, u.i
  ),
  joined as (
    select
      f.workspace_id, f.kind, f.value, f.i,
      -- A window: joining the batch with itself is planned as a product of all its rows.
      case when f.owner is null then f.new_customer_id
        else coalesce(f.customer_id, first_value(f.new_customer_id) over (
          partition by f.workspace_id, coalesce(f.owner, case f.kind when 'external' then f.value end)
          order by f.kind desc
        )) end as customer_id
    from firsts as f
  ),
  made as (
    insert into public.identities (workspace_id, kind, value, customer_id, created_at)
    select
      j.workspace_id, j.kind, j.value, j.customer_id,
      p_at + j.i * interval '1 microsecond' -- the oldest id is the first of the batch
    from joined as j
    order by j.workspace_id, j.kind, j.value
    on conflict on constraint identities_workspace_id_kind_value_key do nothing
    returning id, workspace_id, kind, value, customer_id
  ),
  people as (
    insert into public.customers (workspace_id, id, created_at, updated_at, last_seen_at)
    select distinct m.workspace_id, m.customer_id, p_at, p_at, p_at
    from made as m join firsts as f on f.workspace_id = m.workspace_id and f.new_customer_id = m.customer_id
    returning workspace_id
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, customers)
    select p.workspace_id, p_at, count(*) from people as p group by p.workspace_id
  )
  select
    array_agg(
      row(m.id, m.workspace_id, m.customer_id, m.kind, f.entry_kind, f.i, f.last_i)::private.created_identity
      order by f.i
    ) filter (where m.id is not null),
    count(*) filter (where m.id is null)
  into v_created, v_lost
  from firsts as f
  left join made as m using (workspace_id, kind, value);

  if v_lost > 0 and exists (select from unnest(p_entries) as c where c.kind <> 'event') then
    raise exception 'Cannot create identities: another call was first' using errcode = '40001';
  end if;
  return coalesce(v_created, '{}');
end
$function$
  comment: Creates unknown identities and their customers; returns which. 40001 when another transaction was first and the batch merges.

CREATE OR REPLACE FUNCTION private.create_job(p_job public.jobs)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
begin
  insert into public.jobs (workspace_id, kind, destination_id, since, until, total)
  values (p_job.workspace_id, p_job.kind, p_job.destination_id, p_job.since, p_job.until, p_job.total)
  returning id into v_id;
  perform private.wake_dispatcher();
  return v_id;
end
$function$
  comment: Stores a job and wakes a dispatcher for it; returns its id.

CREATE OR REPLACE FUNCTION private.create_journey(p_workspace_id uuid, p_journey jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.insert_journey(p_workspace_id, p_journey);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Creates a draft of {key?, name, description?, definition} and returns its id; SP409 for a key in use, SPLIM over the limit of the plan.

CREATE OR REPLACE FUNCTION private.create_partition(p_table text, p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_name text := format('%s_%s', p_table, to_char(p_from at time zone 'UTC', 'YYYYMMDD'));
  v_default text := p_table || '_default';
  v_column text := private.partition_column(p_table);
  v_hint record;
begin
  if to_regclass(format('private.%I', v_name)) is not null then
    return;
  end if;
  -- Attaching takes this lock anyway. Taken now, no row can arrive between move and attachment.
  execute format('lock table private.%I in access exclusive mode', v_default);
  execute format('create table private.%I (like public.%I including all)', v_name, p_table);
  execute format('alter table private.%I enable row level security', v_name);
  -- Planner options of a column are the only thing that is not copied.
  for v_hint in
    select a.attname as name, array_to_string(a.attoptions, ', ') as options
    from pg_catalog.pg_attribute as a
    where a.attrelid = format('public.%I', p_table)::regclass and a.attoptions is not null
  loop
    execute format(
      'alter table private.%I alter column %I set (%s)', v_name, v_hint.name, v_hint.options
    );
  end loop;
  execute format(
    'with moved as (delete from private.%I where %I >= %L and %I < %L returning *)
     insert into private.%I select * from moved',
    v_default, v_column, p_from, v_column, p_to, v_name
  );
  execute format(
    'alter table public.%I attach partition private.%I for values from (%L) to (%L)',
    p_table, v_name, p_from, p_to
  );
end
$function$
  comment: Creates the partition of public.<p_table> for [p_from, p_to) unless it exists, and moves rows of the default partition into it.

CREATE OR REPLACE FUNCTION private.create_run_sends(p_held jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_sends jsonb;
  v_outcomes jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', e.workspace_id, 'key', format('run:%s:%s', e.run_id, e.visit),
    'template_id', e.effect -> 'template', 'sender_id', e.effect -> 'sender', 'topic_id', e.effect -> 'topic',
    'customer_id', e.customer_id, 'data', e.trigger, 'journey_id', e.journey_id, 'run_id', e.run_id,
    'visit', e.visit, 'step', e.step, 'not_after', e.effect -> 'not_after', 'on_cap', e.effect -> 'on_cap',
    'depth', e.depth + 1
  )) into v_sends
  from private.list_effects(p_held, 'send') as e;
  if v_sends is null then
    return '{}';
  end if;
  select jsonb_object_agg(v_sends -> (s."position" - 1) ->> 'key', s.send_id) into v_outcomes
  from private.create_sends(v_sends, p_now) as s;
  return (
    select jsonb_object_agg(
      e.run_id || ':' || e.visit,
      jsonb_build_object('send_id', v_outcomes -> format('run:%s:%s', e.run_id, e.visit)) || case when e.depth >= private.depth_limit() then '{"depth_limit": true}' else '{}' end::jsonb
    )
    from private.list_effects(p_held, 'send') as e
  );
end
$function$
  comment: Creates the sends of send steps, one per run and visit; returns what to add to the outcomes, by "<run>:<visit>".

CREATE OR REPLACE FUNCTION private.create_segment(p_workspace_id uuid, p_segment jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  return private.insert_segment(p_workspace_id, p_segment);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Creates a segment of {id?, key?, name, description?, kind?, condition?} and returns its id; SP400 for a condition that cannot be used, SP409 for a key in use, SPLIM over the limit of the plan.

CREATE OR REPLACE FUNCTION private.create_sends(p_sends jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE("position" integer, send_id uuid, is_new boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_sends private.new_send[] := private.read_new_sends(p_sends, p_now);
  v_new private.new_send[];
begin
  insert into private.send_keys (workspace_id, key, send_id, created_at)
  select n.workspace_id, n.key, n.id, p_now
  from unnest(v_sends) as n
  where n.key is not null
  order by n.workspace_id, n.key, n.position
  on conflict do nothing;

  v_new := array(
    select n
    from unnest(v_sends) as n
    left join private.send_keys as k on k.workspace_id = n.workspace_id and k.key = n.key
    where n.key is null or k.send_id = n.id
  );
  if cardinality(v_new) > 0 then
    perform private.store_sends(v_new, p_now);
    perform private.wake_worker('send-dispatch');
  end if;
  return query
  select n.position, coalesce(k.send_id, n.id), coalesce(k.send_id, n.id) = n.id
  from unnest(v_sends) as n
  left join private.send_keys as k on k.workspace_id = n.workspace_id and k.key = n.key
  order by n.position;
end
$function$
  comment: Creates messages: a JSON array of private.new_send without position and id. One row for each, in order: its id, and false for is_new if its key had one already. Nothing is checked here: what cannot be sent is skipped, with its reason, when its turn comes.

CREATE OR REPLACE FUNCTION private.create_workspace(p_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid := (select auth.uid());
  v_id uuid;
begin
  if v_user_id is null then
    raise sqlstate 'SP403' using message = 'Only a user can create a workspace';
  end if;
  -- Without the lock, two calls at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended(v_user_id::text, 12));
  insert into public.workspaces (name, created_by) values (p_name, v_user_id) returning id into v_id;
  perform private.require_room_of_user(v_user_id, v_id);
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_id, v_user_id, 'owner');
  return v_id;
end
$function$
  grant execute on function to signalpost_user
  comment: Creates a workspace that the calling user owns; returns its id. SPLIM over the limit of the plan.

CREATE OR REPLACE FUNCTION private.created_customers(p_created private.created_identity[], p_subscriptions private.subscription[])
 RETURNS private.customer_change[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not exists (select from unnest(p_subscriptions) as s where s.event_type like 'customer.%') then
    return '{}';
  end if;
  return array(
    select row(c.workspace_id, c.customer_id, c.i, true, null, '{}')::private.customer_change
    from unnest(p_created) as c
    where c.kind = 'external' and c.entry_kind = 'event'
  );
end
$function$
  comment: The customers that events of the batch created, if a destination subscribes to customer events.

CREATE OR REPLACE FUNCTION private.customer_documents(p_workspace_id uuid, p_customer_ids uuid[])
 RETURNS TABLE(customer_id uuid, document jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
  select c.id, jsonb_build_object(
    'id', c.id,
    'external_id', case
      when n.external_ids <= 100 then e.ids ->> 0
      else (
        select d.value
        from public.identities as d
        where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
        order by d.created_at, d.id
        limit 1
      )
    end,
    'external_ids', e.ids,
    'external_ids_count', n.external_ids,
    'anon_ids', a.ids,
    'anon_ids_count', n.anon_ids,
    'email', c.email,
    'phone', c.phone,
    'first_name', c.first_name,
    'last_name', c.last_name,
    'country', c.country,
    'timezone', c.timezone,
    'locale', c.locale,
    'attributes', c.attributes,
    'created_at', private.rfc3339(c.created_at),
    'updated_at', private.rfc3339(c.updated_at),
    'last_seen_at', private.rfc3339(c.last_seen_at)
  )
  from public.customers as c
  -- Not with newest_ids and count_ids: policies would run again for each customer and list.
  cross join lateral (
    select
      count(*) filter (where d.kind = 'external')::integer as external_ids,
      count(*) filter (where d.kind = 'anon')::integer as anon_ids
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.customer_id = c.id
  ) as n
  cross join lateral (
    select coalesce(jsonb_agg(i.value order by i.created_at, i.id), '[]') as ids
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
      order by d.created_at desc, d.id desc
      limit 100
    ) as i
  ) as e
  cross join lateral (
    select coalesce(jsonb_agg(i.value order by i.created_at, i.id), '[]') as ids
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'anon'
      order by d.created_at desc, d.id desc
      limit 100
    ) as i
  ) as a
  where c.workspace_id = p_workspace_id and c.id = any (p_customer_ids);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The customers as the api and the webhooks show them, each with its newest 100 ids of a kind and their number; the caller's own rights decide which rows are seen.

CREATE OR REPLACE FUNCTION private.customer_memberships(p_workspace_id uuid, p_customer_id uuid)
 RETURNS TABLE(segment_id uuid, key text, name text, kind text, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select s.id, s.key, s.name, s.kind, m.since
  from private.customer_segments(p_workspace_id, p_customer_id) as m
  join public.segments as s on s.workspace_id = p_workspace_id and s.id = m.segment_id
  order by lower(s.name), s.id;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The segments that a customer is in, with their names; none without the right to read customers.

CREATE OR REPLACE FUNCTION private.customer_messages(p_changes private.customer_change[], p_subscriptions private.subscription[])
 RETURNS private.new_message[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
declare
  v_fields constant text[] := array_append(private.profile_fields(), 'attributes');
begin
  return array(
    with wanted as materialized (
      select distinct s.workspace_id, s.event_type from unnest(p_subscriptions) as s
    ),
    due as materialized (
      select c.workspace_id, c.customer_id, c.i, m.position, m.event_type, m.merged, c.changed,
        row_number() over (partition by c.workspace_id, c.customer_id, m.event_type order by c.i) as nth
      from unnest(p_changes) as c
      cross join lateral (
        values
          (1, 'customer.created', c.is_created, null::jsonb),
          (2, 'customer.merged', c.merged is not null, c.merged),
          (3, 'customer.updated', cardinality(c.changed) > 0 and not c.is_created, null)
      ) as m (position, event_type, is_due, merged)
      join wanted as w on w.workspace_id = c.workspace_id and w.event_type = m.event_type
      where m.is_due
    ),
    told as materialized (
      select
        d.workspace_id, d.customer_id, d.event_type, d.position, max(d.i) as i, d.merged,
        string_to_array(string_agg(array_to_string(d.changed, ','), ','), ',') as changed
      from due as d
      group by d.workspace_id, d.customer_id, d.event_type, d.position, d.merged,
        case when d.event_type = 'customer.updated' then least(d.nth, 11) else d.nth end
    ),
    documents as materialized (
      select w.workspace_id, d.customer_id, d.document
      from (
        select t.workspace_id, array_agg(distinct t.customer_id) as customer_ids
        from told as t
        group by t.workspace_id
      ) as w
      cross join lateral private.customer_documents(w.workspace_id, w.customer_ids) as d
    )
    select row(
      t.workspace_id, t.event_type,
      jsonb_build_object('customer', d.document)
        || case t.event_type
             when 'customer.merged' then jsonb_build_object('merged', t.merged)
             when 'customer.updated' then jsonb_build_object('changed', array(
               select f.name from unnest(v_fields) as f (name) where f.name = any (t.changed)
             ))
             else '{}'
           end,
      t.customer_id, null
    )::private.new_message
    from told as t
    join documents as d on d.workspace_id = t.workspace_id and d.customer_id = t.customer_id
    order by t.i, t.position
  );
end
$function$
  comment: The messages about changes of customers that a destination wants: created, merged, updated, each with the customer as it is now. The eleventh update of a customer and all later ones are one message.

CREATE OR REPLACE FUNCTION private.customer_runs(p_workspace_id uuid, p_customer_id uuid, p_before uuid, p_limit integer)
 RETURNS TABLE(id uuid, journey_id uuid, journey_key text, journey_name text, version integer, customer_id uuid, key text, state text, step text, wake_at timestamp with time zone, entered_at timestamp with time zone, exited_at timestamp with time zone, reason text, goal_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'journeys:read']) then
    return query
    select
      r.id, r.journey_id, j.key, j.name, r.version, r.customer_id, r.key, r.state, r.step, r.wake_at,
      r.entered_at, r.exited_at, r.reason, r.goal_at
    from public.journey_runs as r
    left join public.journeys as j on j.workspace_id = r.workspace_id and j.id = r.journey_id
    where r.workspace_id = p_workspace_id and r.customer_id = p_customer_id
      and r.id < coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by r.id desc
    limit p_limit;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Runs of a customer with an id below p_before (null: all), newest first, with the names of their journeys.

CREATE OR REPLACE FUNCTION private.customer_search_terms(p_workspace_id uuid, p_customer_id uuid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array(
    select i.value
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id
    union
    select t.value
    from (
      select to_jsonb(c) as profile
      from public.customers as c
      where c.workspace_id = p_workspace_id and c.id = p_customer_id
      union all
      select m.profile
      from public.customer_merges as m
      where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id
    ) as p
    cross join lateral (values (p.profile ->> 'email'), (p.profile ->> 'phone')) as t (value)
    where t.value is not null
  )
$function$
  comment: Terms that an entry about the customer may contain: every id, e-mail address and phone number, now and before merges.

CREATE OR REPLACE FUNCTION private.customer_segments(p_workspace_id uuid, p_customer_id uuid)
 RETURNS TABLE(segment_id uuid, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'segments:read', 'segments:write']) then
    return query
    select s.id, m.since
    from public.segment_members as m
    join public.segments as s
      on s.workspace_id = m.workspace_id and s.id = m.segment_id and s.version = m.version
    where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id
    order by s.id desc;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The segments that a customer is in.

CREATE OR REPLACE FUNCTION private.customer_subscriptions(p_workspace_ids uuid[])
 RETURNS private.subscription[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select private.match_subscriptions(array_agg(w.id), array_agg(t.event_type))
    from unnest(p_workspace_ids) as w (id)
    cross join (
      values ('customer.created'), ('customer.updated'), ('customer.merged')
    ) as t (event_type)
  );
end
$function$
  comment: The destinations of the workspaces that subscribe to changes of customers.

CREATE OR REPLACE FUNCTION private.customer_topics(p_workspace_id uuid, p_customer_id uuid)
 RETURNS TABLE(topic_id uuid, subscribed boolean, changed_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.id, coalesce(s.subscribed, false), s.changed_at
  from public.customers as c
  join public.topics as t on t.workspace_id = c.workspace_id
  left join private.address_states(
    p_workspace_id, 'email', array[private.address_hash(p_workspace_id, 'email', c.email)]
  ) as s on s.topic_id = t.id and s.address_hash is not null
  where c.workspace_id = p_workspace_id and c.id = p_customer_id
    and (
      p_workspace_id in (select private.member_workspace_ids())
      or p_workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write']))
    )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The topics of the caller's workspace, and whether a customer is subscribed to each; false for all without an address.

CREATE OR REPLACE FUNCTION private.customers_beginning_with(p_workspace_id uuid, p_prefix text, p_most integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_from text := replace(lower(p_prefix), 'ς', 'σ');
  v_to text := v_from || chr(1114111);
  v_some uuid[];
  v_all uuid[];
begin
  v_some := array(
    select c.id from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and replace(lower(c.email), 'ς', 'σ') ~>=~ v_from
      and replace(lower(c.email), 'ς', 'σ') ~<~ v_to
    limit p_most + 1
  );
  v_all := v_some;
  if cardinality(v_some) <= p_most then
    v_some := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.last_name is not null
        and replace(lower(c.last_name), 'ς', 'σ') ~>=~ v_from
        and replace(lower(c.last_name), 'ς', 'σ') ~<~ v_to
      limit p_most + 1
    );
    v_all := v_all || v_some;
  end if;
  if cardinality(v_some) <= p_most then
    v_some := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.first_name is not null
        and replace(lower(c.first_name || coalesce(' ' || c.last_name, '')), 'ς', 'σ') ~>=~ v_from
        and replace(lower(c.first_name || coalesce(' ' || c.last_name, '')), 'ς', 'σ') ~<~ v_to
      limit p_most + 1
    );
    v_all := v_all || v_some;
  end if;
  return case when cardinality(v_some) <= p_most then v_all end;
end
$function$
  comment: All customers whose e-mail address, name or last name begins with the prefix, in no order and some twice; null when one of the three begins with it for over p_most of them.

CREATE OR REPLACE FUNCTION private.customers_by_email(p_workspace_id uuid, p_emails text[])
 RETURNS TABLE(email text, external_id text, anon_id text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_readable(p_workspace_id, array['track:write', 'sources:read', 'sources:write']) then
    return query select f.* from private.find_customers_by_email(p_workspace_id, p_emails) as f;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: private.find_customers_by_email for a caller of the workspace.

CREATE OR REPLACE FUNCTION private.customers_with_email(p_workspace_id uuid, p_email text, p_before uuid, p_limit integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return query
    select c.id
    from public.customers as c
    where c.workspace_id = p_workspace_id
      and replace(lower(c.email), 'ς', 'σ') = replace(lower(p_email), 'ς', 'σ')
      and c.id < p_before
    order by c.id desc
    limit p_limit;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Customers older than p_before with this e-mail address in upper or lower case, newest first.

CREATE OR REPLACE FUNCTION private.database_identity()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- pg_restore gives tables new object ids. An upgrade and a backup of the files keep them.
  select concat_ws(
    '.',
    (select d.oid from pg_catalog.pg_database as d where d.datname = current_database()),
    'private.lanes'::regclass::oid,
    'private.dispatch_wakes'::regclass::oid,
    'private.dispatch_state'::regclass::oid
  )
$function$
  comment: An id that differs between this database and a copy restored from a dump.

CREATE OR REPLACE FUNCTION private.decline_invitation(p_id uuid, p_request_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_invitation public.invitations := private.lock_own_invitation(p_id);
begin
  if v_invitation.accepted_by is not null then
    raise sqlstate 'SP409' using
      message = 'Cannot decline the invitation: you accepted it, leave the workspace instead';
  elsif v_invitation.declined_at is not null then
    return;
  end if;
  update public.invitations as i set declined_at = now()
  where i.workspace_id = v_invitation.workspace_id and i.id = p_id;
  perform private.audit_answer(v_invitation, 'member.decline', p_id, p_request_id);
end
$function$
  grant execute on function to signalpost_user
  comment: Notes that the calling user does not want to join. Repeating it changes nothing. SP409 for an invitation that was accepted.

CREATE OR REPLACE FUNCTION private.delete_campaign(p_workspace_id uuid, p_campaign_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Deletes a campaign and leaves its recipients to a job; SP409 while it is sending or paused. Returns false if it does not exist.

CREATE OR REPLACE FUNCTION private.delete_dropped_state(p_workspace_id uuid, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_id bigint := (
    select f.id from private.features as f
    where f.workspace_id = p_workspace_id and f.state = 'dropped' limit 1
  );
  v_rows integer;
  v_more integer;
begin
  if v_id is null then
    return 0;
  end if;
  delete from private.feature_marks as m
  where m.ctid = any (array(
    select n.ctid from private.feature_marks as n
    where n.workspace_id = p_workspace_id and n.feature_id = v_id limit p_limit
  ));
  get diagnostics v_rows = row_count;
  delete from private.feature_buckets as b
  where b.ctid = any (array(
    select n.ctid from private.feature_buckets as n
    where n.workspace_id = p_workspace_id and n.feature_id = v_id limit p_limit
  ));
  get diagnostics v_more = row_count;
  if greatest(v_rows, v_more) < p_limit then
    delete from private.features as f where f.workspace_id = p_workspace_id and f.id = v_id;
  end if;
  return 1;
end
$function$
  comment: Deletes up to p_limit rows of the state of a feature that no segment needs, and at the end the feature; returns 0 when there is none.

CREATE OR REPLACE FUNCTION private.delete_expired_idempotency_keys(p_limit integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with expired as (
    select k.workspace_id, k.key
    from private.idempotency_keys as k
    where k.created_at < now() - interval '24 hours'
    order by k.created_at
    limit p_limit
    for update skip locked
  ),
  forgotten as (
    delete from private.idempotency_keys as k
    using expired as e
    where k.workspace_id = e.workspace_id and k.key = e.key
    returning 1
  )
  select count(*)::integer from forgotten
$function$
  comment: Deletes up to p_limit keys older than 24 h; returns how many. A task of every 10 s.

CREATE OR REPLACE FUNCTION private.delete_expired_idempotent_requests(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with expired as (
    select r.workspace_id, r.caller_id, r.key
    from private.idempotent_requests as r
    where r.created_at <= p_now - interval '24 hours'
    order by r.created_at
    limit p_limit
    for update skip locked
  ),
  forgotten as (
    delete from private.idempotent_requests as r
    using expired as e
    where r.workspace_id = e.workspace_id and r.caller_id = e.caller_id and r.key = e.key
    returning 1
  )
  select count(*)::integer from forgotten
$function$
  comment: Deletes up to p_limit responses older than 24 h; returns how many. A task of every 10 s.

CREATE OR REPLACE FUNCTION private.delete_expired_inbound_tokens(p_limit integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with expired as (
    select t.workspace_id, t.source_id, t.token_hash
    from private.inbound_tokens as t
    -- A signed time may be 24 hours old and five minutes ahead.
    where t.created_at < now() - interval '25 hours'
    order by t.created_at
    limit p_limit
    for update skip locked
  ),
  forgotten as (
    delete from private.inbound_tokens as t
    using expired as e
    where t.workspace_id = e.workspace_id and t.source_id = e.source_id
      and t.token_hash = e.token_hash
    returning 1
  )
  select count(*)::integer from forgotten
$function$
  comment: Deletes up to p_limit tokens whose signatures are too old to be taken; returns how many. A task of every 10 s.

CREATE OR REPLACE FUNCTION private.delete_expired_link_keys(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
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
$function$
  comment: Deletes up to p_limit replaced link keys that have expired; returns how many. An hourly task.

CREATE OR REPLACE FUNCTION private.delete_expired_rows(p_limit integer DEFAULT 10000, p_at timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_policy private.partition_policies;
  v_count integer;
  v_forgotten integer := 0;
begin
  for v_policy in select p.* from private.partition_policies as p where p.keep is not null loop
    continue when v_policy.table_name = 'webhook_messages'
      and private.is_any_queued_before(p_at - v_policy.keep);
    execute format(
      'delete from private.%1$I where ctid = any (array(
         select ctid from private.%1$I where %2$I < $1 limit $2
       ))',
      v_policy.table_name || '_default', private.partition_column(v_policy.table_name)
    ) using p_at - v_policy.keep, p_limit;
    get diagnostics v_count = row_count;
    v_forgotten := v_forgotten + v_count;
  end loop;
  return v_forgotten;
end
$function$
  comment: Deletes up to p_limit rows of each default partition that are older than their policy keeps: rows of a time when no partitions were created; returns how many.

CREATE OR REPLACE FUNCTION private.delete_expired_secrets(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_owner private.secret_owners;
  v_count integer;
  v_deleted integer := 0;
begin
  for v_owner in select o.* from private.secret_owners as o order by o.kind loop
    execute format('delete from %s as s where s.expires_at <= $1', v_owner.table_name) using p_now;
    get diagnostics v_count = row_count;
    v_deleted := v_deleted + v_count;
  end loop;
  return v_deleted;
end
$function$
  comment: Deletes secrets that have expired: they no longer sign or verify anything. Returns how many.

CREATE OR REPLACE FUNCTION private.delete_expired_suppressions(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with gone as (
    delete from public.suppressions as s
    using (
      select e.workspace_id, e.id
      from public.suppressions as e
      where e.until <= p_now
      limit p_limit
      for update skip locked
    ) as e
    where s.workspace_id = e.workspace_id and s.id = e.id
    returning 1
  )
  select count(*)::integer from gone
$function$
  comment: Deletes up to p_limit suppressions that have ended; returns how many.

CREATE OR REPLACE FUNCTION private.delete_journey(p_workspace_id uuid, p_journey_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_journey public.journeys;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  v_journey := private.lock_journey(p_workspace_id, p_journey_id);
  if v_journey.id is null then
    return false;
  elsif exists (
    select from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.state = 'active'
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete journey: customers are inside, stop it first';
  elsif exists (
    select from public.segments as s
    where s.workspace_id = p_workspace_id
      and jsonb_path_exists(s.condition, '$.**.journey ? (@ == $id)', jsonb_build_object('id', p_journey_id))
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete journey: a segment depends on it';
  end if;
  delete from public.journeys as j where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  delete from private.journey_interests as i where i.workspace_id = p_workspace_id and i.journey_id = p_journey_id;
  delete from private.journey_lanes as l where l.workspace_id = p_workspace_id and l.journey_id = p_journey_id;
  delete from private.journey_jobs as b where b.workspace_id = p_workspace_id and b.journey_id = p_journey_id;
  delete from private.journey_dates as d where d.workspace_id = p_workspace_id and d.journey_id = p_journey_id;
  delete from private.journey_entries as e where e.workspace_id = p_workspace_id and e.journey_id = p_journey_id;
  delete from public.journey_stats as s where s.workspace_id = p_workspace_id and s.journey_id = p_journey_id;
  perform private.drop_unused_features(p_workspace_id);
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Deletes a journey; its runs stay until they expire. SP409 while customers are inside, or a segment depends on it. Returns false if the journey does not exist.

CREATE OR REPLACE FUNCTION private.delete_moved_rows(p_workspace_id uuid, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_table record;
  v_left integer := p_limit;
  v_deleted integer;
begin
  -- Without triggers: nothing is announced, and no fence is in the way.
  perform set_config('session_replication_role', 'replica', true);
  for v_table in select m.name, m.workspace_column from private.moved_tables() as m loop
    -- A ctid may match rows of another partition: the workspace excludes those of others.
    execute format(
      'delete from %1$s where %2$I = $1
         and ctid = any (array(select ctid from %1$s where %2$I = $1 limit $2))',
      v_table.name, v_table.workspace_column
    ) using p_workspace_id, v_left;
    get diagnostics v_deleted = row_count;
    v_left := v_left - v_deleted;
    exit when v_left <= 0;
  end loop;
  perform set_config('session_replication_role', 'origin', true);
  return p_limit - v_left;
end
$function$
  comment: Deletes up to about p_limit rows of a workspace that left this cell or has not arrived yet; returns how many.

CREATE OR REPLACE FUNCTION private.delete_old_cap_uses(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with old as (
    select u.workspace_id, u.channel, u.address_hash
    from private.cap_uses as u
    where u.last_used_at < p_now - interval '90 days'
    order by u.last_used_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from private.cap_uses as u
    using old as o
    where u.workspace_id = o.workspace_id and u.channel = o.channel
      and u.address_hash = o.address_hash
    returning 1
  )
  select count(*)::integer from gone
$function$
  comment: Deletes up to p_limit addresses that no cap counts any more; returns how many. An hourly task.

CREATE OR REPLACE FUNCTION private.delete_old_cron_runs(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_since timestamptz := p_now - interval '2 days';
begin
  -- A run that crashed has no end time, and one that crashed early has no start time either.
  delete from cron.job_run_details as r
  where coalesce(r.end_time, r.start_time) < v_since
    or (
      r.start_time is null
      and r.runid < (select min(k.runid) from cron.job_run_details as k where k.start_time >= v_since)
    );
end
$function$
  comment: Deletes the log of pg_cron about runs over two days old.

CREATE OR REPLACE FUNCTION private.delete_old_delivery_totals(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  with old as materialized (
    select o.workspace_id, o.destination_id, o.hour
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.destination_id, s.hour
      from public.delivery_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  durations as (
    delete from public.delivery_durations as d
    using old as o
    where d.workspace_id = o.workspace_id and d.destination_id = o.destination_id and d.hour = o.hour
  ),
  stats as (
    delete from public.delivery_stats as s
    using old as o
    where s.workspace_id = o.workspace_id and s.destination_id = o.destination_id and s.hour = o.hour
    returning 1
  )
  select count(*)::integer from stats
$function$
  comment: Deletes expired totals of up to p_limit hours of destinations; returns how many. An hourly task.

CREATE OR REPLACE FUNCTION private.delete_old_runs(p_limit integer, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_rows integer;
begin
  delete from public.journey_runs as r
  where (r.workspace_id, r.id) in (
    select o.workspace_id, o.id from public.journey_runs as o
    -- As long as their steps.
    where o.exited_at < p_now - (
      select p.keep from private.partition_policies as p where p.table_name = 'run_steps'
    )
    order by o.exited_at
    limit p_limit
    for update skip locked
  );
  get diagnostics v_rows = row_count;
  return v_rows;
end
$function$
  comment: Deletes up to p_limit runs that ended longer ago than steps are kept; returns how many.

CREATE OR REPLACE FUNCTION private.delete_old_send_keys(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with old as (
    select k.workspace_id, k.key
    from private.send_keys as k
    where k.created_at < p_now - interval '90 days'
    order by k.created_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from private.send_keys as k
    using old as o
    where k.workspace_id = o.workspace_id and k.key = o.key
    returning 1
  )
  select count(*)::integer from gone
$function$
  comment: Deletes up to p_limit keys of messages that are no longer kept; returns how many. An hourly task.

CREATE OR REPLACE FUNCTION private.delete_old_sender_stats(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with old as materialized (
    select o.workspace_id, o.sender_id, o.hour
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.sender_id, s.hour
      from public.sender_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  gone as (
    delete from public.sender_stats as s
    using old as o
    where s.workspace_id = o.workspace_id and s.sender_id = o.sender_id and s.hour = o.hour
    returning 1
  )
  select count(*)::integer from gone
$function$
  comment: Deletes up to p_limit expired figures of senders; returns how many. An hourly task.

CREATE OR REPLACE FUNCTION private.delete_old_usage(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  with old_hours as materialized (
    select o.workspace_id, o.hour
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.hour
      from public.usage_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  old_days as materialized (
    select o.workspace_id, o.day, o.name
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.day, s.name
      from public.event_name_stats as s
      where s.workspace_id = w.id and s.day < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  old_rejections as materialized (
    select o.workspace_id, o.day
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.day
      from public.rejected_entry_stats as s
      where s.workspace_id = w.id and s.day < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  rejections as (
    delete from public.rejected_entry_stats as s
    using old_rejections as o
    where s.workspace_id = o.workspace_id and s.day = o.day
    returning 1
  ),
  hours as (
    delete from public.usage_stats as s
    using old_hours as o
    where s.workspace_id = o.workspace_id and s.hour = o.hour
    returning 1
  ),
  days as (
    delete from public.event_name_stats as s
    using old_days as o
    where s.workspace_id = o.workspace_id and s.day = o.day and s.name = o.name
    returning 1
  )
  select (
    (select count(*) from hours) + (select count(*) from days) + (select count(*) from rejections)
  )::integer
$function$
  comment: Deletes expired figures, up to p_limit of each table; returns how many. An hourly task.

CREATE OR REPLACE FUNCTION private.delete_segment(p_workspace_id uuid, p_segment_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  perform private.lock_segment_lane(p_workspace_id);
  if exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = p_segment_id::text
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete segment: another segment depends on it';
  end if;
  delete from public.segments as s where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  if not found then
    return false;
  end if;
  delete from private.segment_parts as p
  where p.workspace_id = p_workspace_id and p.segment_id = p_segment_id;
  delete from private.segment_nodes as n
  where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id;
  perform private.drop_unused_features(p_workspace_id);
  insert into private.segment_jobs (workspace_id, segment_id, version, phase)
  values (p_workspace_id, p_segment_id, 0, 'cleanup')
  on conflict (workspace_id, segment_id) do update set phase = 'cleanup';
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Deletes a segment and leaves its members to a job; SP409 while another segment depends on it. Returns false if the segment does not exist.

CREATE OR REPLACE FUNCTION private.delete_unsendable_rows(p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_keep interval := (
    select p.keep from private.partition_policies as p where p.table_name = 'webhook_messages'
  );
  v_purged integer;
begin
  with dead as (
    select q.workspace_id, q.destination_id, q.message_id
    from private.lanes as l
    join private.webhook_queue as q on q.destination_id = l.destination_id
    left join public.destinations as d
      on d.workspace_id = l.workspace_id and d.id = l.destination_id
    -- Rows of enabled lanes are deleted when they are claimed.
    where not l.is_enabled and q.claim is null
      and (d.id is null or q.message_created_at < p_now - v_keep)
    limit p_limit
    for update of q skip locked
  )
  delete from private.webhook_queue as q
  using dead as d
  where q.workspace_id = d.workspace_id and q.destination_id = d.destination_id
    and q.message_id = d.message_id;
  get diagnostics v_purged = row_count;

  delete from private.lanes as l
  where not l.is_enabled and l.in_flight = 0
    and not exists (select from public.destinations as d where d.workspace_id = l.workspace_id and d.id = l.destination_id)
    and not exists (select from private.webhook_queue as q where q.destination_id = l.destination_id);
  return v_purged;
end
$function$
  comment: Deletes up to p_limit rows that will never be sent: those of deleted destinations, and those of disabled ones whose message is no longer kept; returns how many.

CREATE OR REPLACE FUNCTION private.delete_unused_interests(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_unused record;
  v_count integer := 0;
begin
  for v_unused in
    select distinct i.workspace_id, i.journey_id, i.version
    from private.journey_interests as i
    left join public.journeys as j on j.workspace_id = i.workspace_id and j.id = i.journey_id
    where (j.id is null or j.version <> i.version or j.state in ('draining', 'stopped'))
      and not exists (
        select from public.journey_runs as r
        where r.workspace_id = i.workspace_id and r.journey_id = i.journey_id
          and r.version = i.version and r.state = 'active'
      )
    limit p_limit
  loop
    -- A fold, or a member who edits segments, would write the names again.
    perform from private.segment_lanes as l where l.workspace_id = v_unused.workspace_id for update skip locked;
    continue when not found;
    delete from private.journey_interests as i
    where i.workspace_id = v_unused.workspace_id and i.journey_id = v_unused.journey_id
      and i.version = v_unused.version;
    perform private.drop_unused_features(v_unused.workspace_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$
  comment: Forgets what versions without runs depend on; returns how many versions.

CREATE OR REPLACE FUNCTION private.delete_workspace(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'owner', null);
  -- Otherwise a user who accepts an invitation meanwhile would stay a member.
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  -- Function instances cache keys for 5 s: what they still store must be erased too.
  insert into private.erasures (workspace_id, step, due_at)
  values (p_workspace_id, 'workspace', clock_timestamp() + interval '1 minute');
  delete from private.api_keys as k where k.workspace_id = p_workspace_id;
  delete from public.inbound_sources as s where s.workspace_id = p_workspace_id;
  delete from public.destinations as d where d.workspace_id = p_workspace_id;
  delete from public.invitations as i where i.workspace_id = p_workspace_id;
  delete from public.workspace_members as m where m.workspace_id = p_workspace_id;
end
$function$
  grant execute on function to signalpost_user
  comment: Deletes the keys, sources, destinations and members of a workspace, so that nobody reaches it, and leaves the rest to private.work_erasures.

CREATE OR REPLACE FUNCTION private.deletion_message_due_at(p_created_at timestamp with time zone, p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- Those of a disabled destination may wait for a month.
  select p_now + least(interval '1 hour', greatest(interval '1 minute', (p_now - p_created_at) / 4))
$function$
  comment: When to check again whether the message about a deletion was delivered: in a minute, or in up to an hour when it has waited for long.

CREATE OR REPLACE FUNCTION private.depth_limit()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 10
$function$
  comment: The longest chain of automatic causes that still begins runs.

CREATE OR REPLACE FUNCTION private.describe_runs(p_version public.journey_versions, p_runs public.journey_runs[], p_now timestamp with time zone)
 RETURNS TABLE(run_id uuid, facts jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_zone text := (select w.timezone from public.workspaces as w where w.id = p_version.workspace_id);
  v_exit_when jsonb := p_version.definition -> 'exit_when';
begin
  return query
  with answers as (
    select a.run_id, jsonb_object_agg(a.name, a.is_true) as answers
    from private.answer_branches(p_version, p_runs, p_now) as a
    group by a.run_id
  ),
  events as (
    select e.run_id, jsonb_object_agg(e.name, e.event) as events
    from private.run_events(p_version, p_runs) as e
    group by e.run_id
  ),
  exits as (
    select (p_runs[e.place]).id as run_id, e.is_true, e.changes_at
    from private.evaluate_items(
      p_version.workspace_id, coalesce(v_exit_when, '{"any": []}'),
      case when v_exit_when is null then '{}' else array(select r.customer_id from unnest(p_runs) as r) end,
      case when v_exit_when is null then '{}' else array(select r.trigger from unnest(p_runs) as r) end,
      p_now
    ) as e
  )
  select
    r.id,
    jsonb_build_object(
      'customer', d.document, 'workspace_zone', v_zone, 'answers', coalesce(a.answers, '{}'),
      'exit_when', coalesce(x.is_true, false),
      'exit_changes_at', case when x.changes_at < 'infinity' then private.rfc3339(x.changes_at) end
    ) || coalesce(e.events, '{}')
  from unnest(p_runs) as r
  left join private.customer_documents(
    p_version.workspace_id, array(select distinct n.customer_id from unnest(p_runs) as n)
  ) as d on d.customer_id = r.customer_id
  left join answers as a on a.run_id = r.id
  left join events as e on e.run_id = r.id
  left join exits as x on x.run_id = r.id;
end
$function$
  comment: Facts that a worker needs to move runs of a version: customer, workspace_zone, answers, exit_when, exit_changes_at, goal, exit_on, awaited.

CREATE OR REPLACE FUNCTION private.describe_sends(p_taken private.taken_send[], p_claim uuid)
 RETURNS TABLE(claim uuid, workspace_id uuid, sender_id uuid, send_id uuid, attempt_number integer, is_test boolean, is_marketing boolean, skip_reason text, email text, template_id uuid, template_version integer, is_strict boolean, tracks_opens boolean, tracks_clicks boolean, data jsonb, customer jsonb, workspace jsonb, sender jsonb, ciphertext text, link_key text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query
  with found as materialized (
    select t.attempts as tried, t.sender_id as lane_id, t.workspace_id as tenant_id, t.send_id as row_id, s.*
    from unnest(p_taken) as t
    left join lateral (
      select r.* from public.sends as r
      where r.workspace_id = t.workspace_id and r.queued_at = private.uuid_v7_time(t.send_id)
        and r.id = t.send_id
      limit 1
    ) as s on true
  ),
  tenants as materialized (
    select
      f.tenant_id, array_agg(distinct f.customer_id) filter (where f.customer_id is not null) as customer_ids
    from found as f
    group by f.tenant_id
  ),
  settings as materialized (
    select n.tenant_id, p.*, w.name as workspace_name, encode(k.key, 'hex') as link_key
    from tenants as n
    join public.workspaces as w on w.id = n.tenant_id
    cross join lateral private.send_settings_of(n.tenant_id) as p
    left join private.workspace_keys as k
      on k.workspace_id = n.tenant_id and k.purpose = 'link' and k.expires_at is null
  ),
  documents as materialized (
    select n.tenant_id, d.customer_id, d.document
    from tenants as n
    cross join lateral private.customer_documents(n.tenant_id, n.customer_ids) as d
  )
  select
    p_claim, f.tenant_id, f.lane_id, f.row_id, f.tried + 1, f.is_test,
    f.topic_id is not null and not f.is_test,
    case
      when f.id is null then 'erased'
      when o.id is null then 'sender_deleted'
      when d.document is null and not f.is_test then 'customer_deleted'
      when a.email is null then 'no_address'
      when t.id is null and (f.template_id is not null or not f.is_test) then 'template_deleted'
    end,
    a.email, t.id, t.version, t.strict, g.track_opens and t.track_opens,
    g.track_clicks and t.track_clicks, f.data, d.document,
    jsonb_build_object('id', f.tenant_id, 'name', g.workspace_name),
    jsonb_build_object(
      'name', o.name, 'provider', o.provider, 'from', o.from_address, 'reply_to', o.reply_to,
      'config', o.config, 'on_unknown', o.on_unknown, 'max_concurrency', o.max_concurrency
    ),
    c.ciphertext, g.link_key
  from found as f
  left join settings as g on g.tenant_id = f.tenant_id
  left join documents as d on d.tenant_id = f.tenant_id and d.customer_id = f.customer_id
  left join public.senders as o on o.workspace_id = f.tenant_id and o.id = f.lane_id
  left join private.sender_secrets as c on c.workspace_id = o.workspace_id and c.sender_id = o.id
  left join public.templates as t on t.workspace_id = f.tenant_id and t.id = f.template_id
  cross join lateral (
    select nullif(btrim(case when f.is_test then f.email else d.document ->> 'email' end), '') as email
  ) as a;
end
$function$
  comment: Claimed messages with everything needed to render and hand them over; skip_reason says why one cannot be.

CREATE OR REPLACE FUNCTION private.destination_health(p_workspace_id uuid, p_destination_ids uuid[])
 RETURNS TABLE(destination_id uuid, state text, pending bigint, missed bigint, missed_since timestamp with time zone, next_attempt_at timestamp with time zone, next_probe_at timestamp with time zone, last_error text, ok_24h bigint, failed_24h bigint, last_success_at timestamp with time zone, last_failure_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select
    h.destination_id, h.state, q.pending, m.missed, m.missed_since, q.next_attempt_at,
    case when h.enabled then h.open_until end,
    case when h.last_failure_at > coalesce(h.last_success_at, '-infinity') then h.last_error end,
    h.ok_24h, h.failed_24h, h.last_success_at, h.last_failure_at
  from ops.destination_health as h
  -- Index-only scans: a dead destination has hundreds of thousands of rows.
  cross join lateral (
    select
      (
        select count(*) from private.webhook_queue as r
        where r.destination_id = h.destination_id and r.claim is null
      ) + (
        select count(*) from private.webhook_queue as r
        where r.destination_id = h.destination_id and r.lease_until is not null
      ) as pending,
      least(
        (
          -- Nothing is sent before the circuit breaker lets a probe through.
          select greatest(r.due_at, h.open_until) from private.webhook_queue as r
          where h.enabled
            and r.destination_id = h.destination_id and not r.is_manual and r.claim is null
          order by r.due_at
          limit 1
        ),
        (
          select min(r.due_at) from private.webhook_queue as r
          where r.destination_id = h.destination_id and r.is_manual and r.claim is null
        )
      ) as next_attempt_at
  ) as q
  cross join lateral (
    select count(*) as missed, min(r.message_created_at) as missed_since
    from public.missed_messages as r
    where r.workspace_id = h.workspace_id and r.destination_id = h.destination_id
  ) as m
  where h.workspace_id = p_workspace_id and h.destination_id = any (p_destination_ids)
    and (
      h.workspace_id = private.key_workspace_id(array['destinations:read', 'destinations:write'])
      or h.workspace_id in (select private.member_workspace_ids())
    )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The health of destinations as the api shows it, for workspaces of the caller.

CREATE OR REPLACE FUNCTION private.destination_names(p_workspace_id uuid, p_destination_ids uuid[])
 RETURNS TABLE(destination_id uuid, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.id, d.name
  from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = any (p_destination_ids)
    and (
      d.workspace_id = private.key_workspace_id(array['deliveries:read', 'deliveries:write'])
      or d.workspace_id in (select private.member_workspace_ids())
    )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The names of destinations, for a caller who may read the deliveries of their workspace.

CREATE OR REPLACE FUNCTION private.destination_states(p_workspace_id uuid)
 RETURNS TABLE(destination_id uuid, state text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select h.destination_id, h.state
  from ops.destination_health as h
  where h.workspace_id = p_workspace_id
    and (
      h.workspace_id = private.key_workspace_id(array['destinations:read', 'destinations:write'])
      or h.workspace_id in (select private.member_workspace_ids())
    )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The state of every destination of a workspace that is the caller's.

CREATE OR REPLACE FUNCTION private.disable_destination(p_workspace_id uuid, p_destination_id uuid, p_reason text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A member who is changing it has locked its row and waits for our lane: the next failure will
  -- disable it.
  perform from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = p_destination_id and d.enabled
  for no key update skip locked;
  if found then
    update public.destinations as d
    set enabled = false, disabled_by = 'service', disabled_reason = p_reason, disabled_at = p_now
    where d.workspace_id = p_workspace_id and d.id = p_destination_id;
  end if;
end
$function$
  comment: Disables a destination for a reason that the service found, unless a member is changing it.

CREATE OR REPLACE FUNCTION private.discard_missed(p_workspace_id uuid, p_destination_id uuid, OUT job_id uuid, OUT matched integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  select r.job_id, r.matched into job_id, matched from ops.discard_missed(p_destination_id) as r;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: ops.discard_missed for a caller of the workspace: everything that was missed until now.

CREATE OR REPLACE FUNCTION private.dispatch_report(p_pg_net_problem text, p_vault_problem text)
 RETURNS TABLE(part text, state text, to_do text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    'pg_net',
    case when p_pg_net_problem is null then 'ready' else 'missing' end,
    'Enable the extension pg_net, then call ops.connect_platform(): ' || p_pg_net_problem
  union all
  select
    'supabase_vault',
    case when p_vault_problem is null then 'ready' else 'missing' end,
    'Enable the extension supabase_vault, then call ops.connect_platform(): ' || p_vault_problem
  union all
  select
    'dispatch',
    case
      when s.configured_for is null then 'not configured'
      when s.configured_for <> private.database_identity() then 'restored copy'
      else 'configured'
    end,
    case
      when s.configured_for is distinct from private.database_identity()
      then 'Call ops.configure_dispatch(url, key): until then the dispatcher is not called when webhooks are due'
    end
  from private.dispatch_state as s
$function$
  comment: The part of ops.connect_platform() that is about calling the dispatcher.

CREATE OR REPLACE FUNCTION private.draw_recipients(p_campaign public.campaigns, p_customer_ids uuid[])
 RETURNS TABLE(customer_id uuid, timezone text, address_hash bytea, share double precision, spread double precision)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_excluded uuid[];
  v_versions integer[];
begin
  select coalesce(array_agg(s.segment_id), '{}'), coalesce(array_agg(s.version), '{}')
  into v_excluded, v_versions
  from private.campaign_segments(p_campaign) as s
  where s.is_excluded;
  return query
  with found as materialized (
    select
      c.id, c.timezone,
      -- As private.address_hash does: a call per customer would take most of the time.
      sha256(k.outer_pad || sha256(k.inner_pad || convert_to(
        'email:' || nullif(lower(normalize(btrim(c.email, e' \t\n\r'))), ''), 'UTF8'
      ))) as hash,
      sha256(convert_to(p_campaign.id || ':' || c.id, 'UTF8')) as digest
    from unnest(p_customer_ids) as i (id)
    cross join lateral (
      select x.* from public.customers as x
      where x.workspace_id = p_campaign.workspace_id and x.id = i.id
      limit 1
    ) as c
    join private.workspace_keys as k
      on k.workspace_id = p_campaign.workspace_id and k.purpose = 'address'
    where not exists (
      select from unnest(v_excluded, v_versions) as e (segment_id, version)
      join public.segment_members as x
        on x.workspace_id = p_campaign.workspace_id and x.segment_id = e.segment_id
        and x.version = e.version and x.customer_id = i.id
    )
  )
  select
    f.id, f.timezone, f.hash,
    -- By rank, so that a small audience has exact shares too.
    (row_number() over (partition by f.hash is null order by f.digest) - 0.5)::double precision
      / count(*) over (partition by f.hash is null),
    ('x' || encode(substring(f.digest from 1 for 4), 'hex'))::bit(32)::bigint / 4294967296.0::double precision
  from found as f;
end
$function$
  comment: The customers of a page who are not excluded: their zone, the hash of their address (null: none), and two numbers from 0 to below 1, one evenly spaced for shares and one for a time.

CREATE OR REPLACE FUNCTION private.drop_customers(p_workspace_id uuid, p_signals private.signals[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_signal private.signals;
begin
  for v_signal in
    select s.* from unnest(p_signals) as s where s.kind in ('merge', 'removed') order by s.id
  loop
    if v_signal.kind = 'merge' then
      with moved as (
        insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
        select m.workspace_id, m.segment_id, m.version, v_signal.customer_id, m.since
        from public.segment_members as m
        join public.segments as s on s.workspace_id = m.workspace_id and s.id = m.segment_id
        where m.workspace_id = p_workspace_id and m.customer_id = v_signal.event_id and s.kind = 'static'
        on conflict do nothing
        returning segment_id
      )
      update public.segments as s set members = s.members + 1
      from moved as m
      where s.workspace_id = p_workspace_id and s.id = m.segment_id;
    end if;
    with gone as (
      delete from public.segment_members as m
      where m.workspace_id = p_workspace_id
        and m.customer_id = case v_signal.kind when 'merge' then v_signal.event_id else v_signal.customer_id end
      returning m.segment_id, m.version
    )
    update public.segments as s
    set
      members = s.members - (select count(*) from gone as g where g.segment_id = s.id and g.version = s.version),
      computed_members = s.computed_members
        - (select count(*) from gone as g where g.segment_id = s.id and g.version = s.computed_version)
    where s.workspace_id = p_workspace_id and s.id in (select g.segment_id from gone as g);
    delete from private.segment_checks as k
    where k.workspace_id = p_workspace_id
      and k.customer_id = case v_signal.kind when 'merge' then v_signal.event_id else v_signal.customer_id end;
  end loop;
end
$function$
  comment: Removes merged and erased customers from all segments; a survivor takes over the lists of the merged.

CREATE OR REPLACE FUNCTION private.drop_expired_partitions(p_at timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '50ms'
AS $function$
declare
  v_patience interval := current_setting('lock_timeout')::interval;
  v_ends_at timestamptz;
  v_expired record;
  v_dropped integer := 0;
begin
  for v_expired in
    select p.table_name, c.relname as name, p.table_name = 'webhook_messages' as is_queued, e.ends_at
    from private.partition_policies as p
    join pg_catalog.pg_inherits as i on i.inhparent = format('public.%I', p.table_name)::regclass
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    cross join lateral (
      select case when c.relname ~ ('^' || p.table_name || '_[0-9]{8}$') then
        to_date(right(c.relname, 8), 'YYYYMMDD') + ('1 ' || p.step)::interval
      end as ends_at
    ) as e
    where e.ends_at <= p_at - p.keep
    order by c.relname
  loop
    -- A message stays as long as it is still to be sent, even if it has expired.
    continue when v_expired.is_queued and private.is_any_queued_before(v_expired.ends_at);
    exit when clock_timestamp() >= v_ends_at;
    perform set_config('lock_timeout', (
      ceil(extract(epoch from coalesce(v_ends_at - clock_timestamp(), v_patience)) * 1000) || 'ms'
    ), true);
    begin
      execute format('lock table only public.%I in access exclusive mode', v_expired.table_name);
      v_ends_at := coalesce(v_ends_at, clock_timestamp() + v_patience);
      -- One may have been replayed before this lock was taken.
      continue when v_expired.is_queued and private.is_any_queued_before(v_expired.ends_at);
      execute format('drop table if exists private.%I', v_expired.name);
      v_dropped := v_dropped + 1;
    exception when lock_not_available or deadlock_detected then
      raise warning 'Cannot drop partition "%": it is in use, the next hour tries again',
        v_expired.name;
    end;
  end loop;
  return v_dropped;
end
$function$
  comment: Drops partitions whose whole time is older than their policy keeps, but keeps messages that are still to be sent; returns how many.

CREATE OR REPLACE FUNCTION private.drop_unused_features(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.features as f
  set state = 'dropped', hash = sha256(int8send(f.id))
  where f.workspace_id = p_workspace_id and f.state <> 'dropped' and not exists (
    select from private.segment_parts as p
    where p.workspace_id = f.workspace_id and p.kind = 'feature' and p.ref = f.id::text
  );
  delete from private.event_interests as i
  where i.workspace_id = p_workspace_id and not exists (
    select from private.features as f
    where f.workspace_id = i.workspace_id and f.event = i.event and f.state <> 'dropped'
  ) and not exists (
    select from private.journey_interests as j
    where j.workspace_id = i.workspace_id and j.kind = 'event' and j.ref = i.event
  );
end
$function$
  comment: Gives up the features that no segment needs any more; their state is deleted in steps.

CREATE OR REPLACE FUNCTION private.due_dates(p_limit integer, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(workspace_id uuid, journey_id uuid, customer_id uuid, rule jsonb, value jsonb, zone text, workspace_zone text, entered_for timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  select
    d.workspace_id, d.journey_id, d.customer_id, v.definition -> 'trigger',
    case v.definition #>> '{trigger,date}'
      when 'created_at' then to_jsonb(private.rfc3339(c.created_at))
      else c.attributes #> (string_to_array(v.definition #>> '{trigger,date}', '.'))[2:]
    end,
    c.timezone, w.timezone, d.entered_for
  from (
    select n.* from private.journey_dates as n where n.due_at <= p_now order by n.due_at limit p_limit
  ) as d
  left join public.journeys as j on j.workspace_id = d.workspace_id and j.id = d.journey_id
  left join public.journey_versions as v
    on v.workspace_id = d.workspace_id and v.journey_id = d.journey_id and v.version = j.version
  left join lateral (
    select x.* from public.customers as x where x.workspace_id = d.workspace_id and x.id = d.customer_id limit 1
  ) as c on true
  left join public.workspaces as w on w.id = d.workspace_id
$function$
  grant execute on function to signalpost_automation
  comment: Up to p_limit customers whose date of a journey is to be computed, with the rule and the value.

CREATE OR REPLACE FUNCTION private.duration_steps()
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- Twice as long at most, but for the first: that is how far a percentile may be off. No attempt
  -- takes much longer than 15 s.
  select '{0, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10000, 15000}'::integer[]
$function$
  comment: Lower bounds of the buckets of public.delivery_durations, in milliseconds.

CREATE OR REPLACE FUNCTION private.edit_customer(p_workspace_id uuid, p_customer_id uuid, p_profile jsonb, p_attributes jsonb)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_changed text[];
  v_change private.customer_change;
  v_subscriptions private.subscription[];
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for update;
  if not found then
    return null;
  end if;
  v_changed := private.change_profile(
    p_workspace_id, p_customer_id, p_profile, p_attributes,
    date_trunc('milliseconds', clock_timestamp())
  );
  if cardinality(v_changed) > 0 then
    v_change.workspace_id := p_workspace_id;
    v_change.customer_id := p_customer_id;
    v_change.i := 1;
    v_change.is_created := false;
    v_change.changed := v_changed;
    perform private.note_customers(p_workspace_id, 'profile', array[p_customer_id]);
    v_subscriptions := private.customer_subscriptions(array[p_workspace_id]);
    perform private.store_messages(
      private.customer_messages(
        array[v_change],
        v_subscriptions
      ),
      v_subscriptions
    );
  end if;
  return v_changed;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Changes a profile as an identify does and tells the destinations; returns the fields that changed, or null when there is no such customer. SP413 when its attributes would be too large.

CREATE OR REPLACE FUNCTION private.effect_address(p_workspace_id uuid, p_customer_id uuid, p_properties jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    case
      when jsonb_typeof(p_properties -> 'email') = 'string'
        and p_properties ->> 'email' ~ '^[^@\s]+@[^@\s]+$'
        and char_length(p_properties ->> 'email') <= 254
      then p_properties ->> 'email'
    end,
    (
      select c.email from public.customers as c
      where c.workspace_id = p_workspace_id and c.id = p_customer_id
    )
  )
$function$
  comment: The address that an event is about: its property email, else the customer's; null without either.

CREATE OR REPLACE FUNCTION private.elements(p_list jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array(select e from jsonb_array_elements(p_list) as e)::text
$function$
  comment: The elements of a JSON list as the text of an array.

CREATE OR REPLACE FUNCTION private.end_customer_runs(p_workspace_id uuid, p_customer_id uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.end_runs(p_workspace_id, array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.customer_id = p_customer_id and r.state = 'active'
  ), 'deleted', p_now);
end
$function$
  comment: Ends the runs of a customer who is erased.

CREATE OR REPLACE FUNCTION private.end_runs(p_workspace_id uuid, p_run_ids uuid[], p_reason text, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_ended public.journey_runs[];
begin
  with locked as materialized (
    select r.id
    from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.id = any (p_run_ids) and r.state = 'active'
    order by r.id
    for update
  ),
  ended as (
    update public.journey_runs as r
    set
      state = 'ended', reason = p_reason, exited_at = v_now, visit = r.visit + 1,
      wake_at = null, due_at = 'infinity', claim = null, lease_until = null
    from locked as l
    where r.workspace_id = p_workspace_id and r.id = l.id
    returning r as run
  ),
  logged as (
    insert into public.run_steps (
      workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome
    )
    select
      p_workspace_id, (e.run).id, (e.run).visit, v_now, v_now, (e.run).journey_id, (e.run).version, (e.run).step,
      coalesce(private.step_kind(v.definition -> 'steps' -> (e.run).step), 'exit'),
      jsonb_build_object('way', 'exit', 'reason', p_reason)
    from ended as e
    left join public.journey_versions as v
      on v.workspace_id = p_workspace_id and v.journey_id = (e.run).journey_id and v.version = (e.run).version
  )
  select coalesce(array_agg(e.run), '{}') into v_ended from ended as e;
  if cardinality(v_ended) > 0 then
    insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
    select p_workspace_id, r.journey_id, r.version, r.step, 'left:exit', count(*)
    from unnest(v_ended) as r
    group by r.journey_id, r.version, r.step;
    perform private.tell_ends(p_workspace_id, v_ended, v_now);
  end if;
  return cardinality(v_ended);
end
$function$
  comment: Ends the active ones of these runs where they stand, for a reason; returns how many.

CREATE OR REPLACE FUNCTION private.ensure_partitions(p_at timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '50ms'
AS $function$
declare
  v_policy private.partition_policies;
  v_step interval;
  v_from timestamptz;
begin
  -- Two runs at once would create the same partition twice.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.partitions', 0)) then
    return;
  end if;
  for v_policy in select * from private.partition_policies order by table_name loop
    v_step := ('1 ' || v_policy.step)::interval;
    v_from := date_trunc(v_policy.step, p_at);
    for v_index in 0 .. v_policy.ahead loop
      begin
        perform private.create_partition(
          v_policy.table_name, v_from + v_index * v_step, v_from + (v_index + 1) * v_step
        );
      exception when lock_not_available or deadlock_detected then
        raise warning 'Cannot make a partition of "%": it is in use, the next hour tries again',
          v_policy.table_name;
      end;
    end loop;
  end loop;
end
$function$
  comment: Creates the partitions around p_at and ahead of it for every table of private.partition_policies.

CREATE OR REPLACE FUNCTION private.enter_customer(p_workspace_id uuid, p_journey_id uuid, p_entry jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_journey public.journeys;
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_result record;
begin
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  select j.* into v_journey
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.id = p_journey_id
  for share;
  if not found then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  elsif not exists (
    select from public.customers as c
    where c.workspace_id = p_workspace_id and c.id = (p_entry ->> 'customer_id')::uuid
  ) then
    raise sqlstate 'SP404' using message = 'Customer does not exist', column = 'customer_id';
  elsif v_journey.state <> 'running' then
    return '{"entered": false, "reason": "not_running"}';
  end if;
  select e.run_id, e.reason into v_result
  from private.enter_runs(p_workspace_id, array[row(
    p_journey_id, v_journey.version, (p_entry ->> 'customer_id')::uuid, v_now, null,
    coalesce(p_entry -> 'data', '{}'), '{"api": true}', 0
  )::private.journey_entry], v_now) as e;
  if v_result.reason is null then
    return jsonb_build_object('run_id', v_result.run_id);
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'entered', false, 'reason', v_result.reason, 'run_id', v_result.run_id
  ));
end
$function$
  comment: Has a customer enter a journey, see private.enter_journey.

CREATE OR REPLACE FUNCTION private.enter_journey(p_workspace_id uuid, p_journey_id uuid, p_entry jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'journeys:write');
  return private.enter_customer(p_workspace_id, p_journey_id, p_entry, clock_timestamp());
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Has a customer {customer_id, data?} enter a running journey: {run_id}, or {entered: false, reason}. SP404 for an unknown journey or customer.

CREATE OR REPLACE FUNCTION private.enter_runs(p_workspace_id uuid, p_entries private.journey_entry[], p_now timestamp with time zone)
 RETURNS TABLE(place bigint, run_id uuid, reason text)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_entries private.journey_entry[];
  v_judged jsonb;
  v_runs public.journey_runs[];
begin
  if coalesce(cardinality(p_entries), 0) = 0 then
    return;
  end if;
  v_entries := private.lock_entrants(p_workspace_id, p_entries);
  select jsonb_agg(to_jsonb(j) || jsonb_build_object('id', private.uuid_v7(p_now, j.place::integer)))
  into v_judged
  from private.judge_entries(p_workspace_id, v_entries, p_now) as j;
  v_runs := private.insert_runs(p_workspace_id, v_entries, v_judged);
  if cardinality(v_runs) > 0 then
    perform private.publish_runs(p_workspace_id, 'journey.entered', v_runs, p_now);
    perform private.publish_runs(
      p_workspace_id, 'journey.exited', array(select r from unnest(v_runs) as r where r.is_holdout), p_now
    );
    perform private.count_entered(p_workspace_id, v_runs);
    perform private.note_runs(p_workspace_id, v_runs);
    perform private.announce_runs(p_workspace_id, (
      select jsonb_agg(jsonb_build_array(r.journey_id, r.due_at)) from unnest(v_runs) as r where not r.is_holdout
    ), p_now);
  end if;
  return query
  select j.place, case when j.refusal is null then j.id end,
    case when j.refusal is null and j.is_holdout then 'holdout' else j.refusal end
  from jsonb_to_recordset(v_judged) as j (place bigint, id uuid, is_holdout boolean, refusal text);
end
$function$
  comment: Has customers enter journeys, in this order, where they may; returns the run, or the reason why there is none. Those of the holdout have a run that has ended, and the reason holdout.

CREATE OR REPLACE FUNCTION private.entries_by_event(p_workspace_id uuid, p_signals private.signals[])
 RETURNS private.journey_entry[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_version record;
  v_found private.journey_entry[];
  v_entries private.journey_entry[] := '{}';
begin
  for v_version in
    select v.journey_id, v.version, v.definition -> 'trigger' as trigger
    from private.journey_interests as i
    join public.journeys as j
      on j.workspace_id = i.workspace_id and j.id = i.journey_id and j.version = i.version and j.state = 'running'
    join public.journey_versions as v
      on v.workspace_id = i.workspace_id and v.journey_id = i.journey_id and v.version = i.version
    where i.workspace_id = p_workspace_id and i.role = 'trigger' and i.kind = 'event'
      and i.ref in (select s.name from unnest(p_signals) as s where s.kind = 'event')
    order by v.journey_id
  loop
    execute format(
      'select array_agg(row(
         $3, $4, i.customer_id, s.received_at, s.event_id, x.properties,
         jsonb_build_object(
           ''event'', s.name, ''event_id'', s.event_id, ''received_at'', private.rfc3339(s.received_at)
         ), s.depth
       )::private.journey_entry order by s.id)
       from unnest($2) as s
       cross join lateral (
         select n.customer_id from public.identities as n
         where n.workspace_id = $1 and n.id = s.identity_id limit 1
       ) as i
       cross join lateral (
         select e.properties from public.events as e
         where e.workspace_id = $1 and e.received_at = s.received_at and e.id = s.event_id limit 1
       ) as x
       where s.kind = ''event'' and s.name = %L and %s',
      v_version.trigger ->> 'event',
      private.where_sql(
        private.leaf_feature(jsonb_build_object(
          'event', v_version.trigger -> 'event', 'where', coalesce(v_version.trigger -> 'where', '[]')
        )) -> 'conditions', 'x.properties'
      )
    ) into v_found using p_workspace_id, p_signals, v_version.journey_id, v_version.version;
    v_entries := v_entries || coalesce(v_found, '{}');
  end loop;
  return v_entries;
end
$function$
  comment: The customers whose events trigger running journeys, per journey in the order of the signals.

CREATE OR REPLACE FUNCTION private.entries_by_segment(p_workspace_id uuid, p_signals private.signals[], p_flips private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.journey_entry[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    with flips as (
      select f.segment_id, f.customer_id, f.holds, f.place from unnest(p_flips) with ordinality
        as f (segment_id, customer_id, cause, holds, until, place)
      union all
      -- A list was changed by hand: the membership now is what counts.
      select g.id, s.customer_id, exists (
        select from public.segment_members as m
        where m.workspace_id = p_workspace_id and m.segment_id = g.id and m.version = g.version
          and m.customer_id = s.customer_id
      ), s.id
      from unnest(p_signals) as s
      join public.segments as g on g.workspace_id = p_workspace_id and g.id::text = s.name and g.kind = 'static'
      where s.kind = 'segment'
    )
    select row(
      v.journey_id, v.version, f.customer_id, p_now, null, '{}',
      jsonb_build_object('segment', f.segment_id, 'on', v.definition #>> '{trigger,on}'),
      coalesce((select max(s.depth) from unnest(p_signals) as s where s.customer_id = f.customer_id), 0)
    )::private.journey_entry
    from flips as f
    join private.journey_interests as i
      on i.workspace_id = p_workspace_id and i.role = 'trigger' and i.kind = 'segment' and i.ref = f.segment_id::text
    join public.journeys as j
      on j.workspace_id = i.workspace_id and j.id = i.journey_id and j.version = i.version and j.state = 'running'
    join public.journey_versions as v
      on v.workspace_id = i.workspace_id and v.journey_id = i.journey_id and v.version = i.version
    where (v.definition #>> '{trigger,on}' = 'enter') = f.holds
    order by f.place
  );
end
$function$
  comment: The customers whose entering or leaving of a segment triggers running journeys.

CREATE OR REPLACE FUNCTION private.erase_bodies(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_message_ids uuid[];
begin
  with doomed as materialized (
    select m.created_at, m.id
    from public.webhook_messages as m
    where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids)
      and m.body is not null
    limit p_limit
  ),
  erased as (
    update public.webhook_messages as m
    set body = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning m.id
  )
  select array_agg(e.id) into v_message_ids from erased as e;
  -- Claimed messages are already on their way; the rest is no longer sent.
  delete from private.webhook_queue as q
  using public.destinations as d
  where d.workspace_id = p_erasure.workspace_id
    and q.workspace_id = d.workspace_id and q.destination_id = d.id
    and q.message_id = any (v_message_ids)
    and q.claim is null;
  delete from private.fan_outs as f
  where f.workspace_id = p_erasure.workspace_id and f.message_id = any (v_message_ids);
  return private.batch_progress(coalesce(cardinality(v_message_ids), 0), p_limit);
end
$function$
  comment: Erases up to p_limit bodies of messages about an erased customer, and takes those that were not sent yet off the queue.

CREATE OR REPLACE FUNCTION private.erase_customer(p_workspace_id uuid, p_customer_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_customer_ids uuid[];
  v_identity_ids bigint[];
  v_payload jsonb;
  v_message_ids uuid[];
  v_search_terms text[];
  v_erasure private.erasures;
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for update;
  if not found then
    return false;
  end if;

  v_search_terms := private.customer_search_terms(p_workspace_id, p_customer_id);
  delete from public.device_tokens as t
  where t.workspace_id = p_workspace_id and t.customer_id = p_customer_id;
  select array_prepend(p_customer_id, array_agg(m.merged_customer_id)) into v_customer_ids
  from public.customer_merges as m
  where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id;
  delete from private.idempotent_requests as r
  where r.workspace_id = p_workspace_id and r.customer_id = any (v_customer_ids);
  v_payload := jsonb_build_object(
    'customer_id', p_customer_id,
    'external_ids', private.newest_ids(p_workspace_id, p_customer_id, 'external'),
    'external_ids_count', private.count_ids(p_workspace_id, p_customer_id, 'external')
  );
  with gone as (
    delete from public.identities as i
    where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id
    returning i.id
  )
  select array_agg(g.id) into v_identity_ids from gone as g;
  delete from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id;
  perform private.note_customers(p_workspace_id, 'removed', array[p_customer_id]);
  perform private.end_customer_runs(p_workspace_id, p_customer_id, clock_timestamp());

  if cardinality(private.listening_workspaces(array[p_workspace_id])) > 0 then
    v_message_ids := private.publish_messages(array[
      private.service_message(p_workspace_id, 'customer.deleted', v_payload)
    ]);
  end if;
  insert into private.erasures (
    workspace_id, customer_id, customer_ids, identity_ids, search_terms, deletion_message_id, step
  )
  values (
    p_workspace_id, p_customer_id, v_customer_ids, coalesce(v_identity_ids, '{}'), v_search_terms,
    v_message_ids[1], (private.next_erasure_step('customer')).step
  )
  returning * into v_erasure;
  -- Few customers have more. From now on retries and replays no longer send these messages.
  perform private.erase_bodies(v_erasure, 1000, clock_timestamp());
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Deletes profile, ids, device tokens and the bodies of up to 1,000 messages, tells the destinations, and leaves the rest to private.work_erasures; false when there is no such customer.

CREATE OR REPLACE FUNCTION private.erase_deletion_message(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_progress private.erasure_progress;
begin
  v_progress.rows := 1;
  v_progress.is_finished := not private.is_awaited(
    p_erasure.workspace_id, p_erasure.deletion_message_id
  );
  if not v_progress.is_finished then
    v_progress.due_at := private.deletion_message_due_at(p_erasure.created_at, p_now);
    return v_progress;
  end if;
  update public.webhook_messages as m
  set body = null
  where m.workspace_id = p_erasure.workspace_id and m.id = p_erasure.deletion_message_id
    and m.created_at = private.uuid_v7_time(p_erasure.deletion_message_id);
  update public.deliveries as d
  set response_snippet = null
  where d.workspace_id = p_erasure.workspace_id and d.message_id = p_erasure.deletion_message_id;
  return v_progress;
end
$function$
  comment: Erases the message about the deletion, if there is one, once no destination waits for it or could recover it.

CREATE OR REPLACE FUNCTION private.erase_events(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  with doomed as materialized (
    select e.received_at, e.id
    from public.events as e
    where e.workspace_id = p_erasure.workspace_id and e.identity_id = any (p_erasure.identity_ids)
    limit p_limit
  ),
  gone as (
    delete from public.events as e
    using doomed as d
    where e.workspace_id = p_erasure.workspace_id and e.received_at = d.received_at and e.id = d.id
    returning e.received_at, e.id
  ),
  -- A key was stored in the millisecond of its event. Older ones have expired.
  times as materialized (
    select g.received_at, array_agg(g.id) as event_ids
    from gone as g
    where g.received_at > now() - interval '25 hours'
    group by g.received_at
  ),
  forgotten as (
    delete from private.idempotency_keys as k
    using times as t
    where k.created_at = t.received_at and k.event_id = any (t.event_ids)
      -- Not "=", which another index would serve, by reading all keys of the workspace.
      and k.workspace_id is not distinct from p_erasure.workspace_id
  )
  select private.batch_progress(count(*)::integer, p_limit) from gone
$function$
  comment: Deletes up to p_limit events of an erased customer, and their idempotency keys.

CREATE OR REPLACE FUNCTION private.erase_journey_rows(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_run_ids uuid[] := array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_erasure.workspace_id and r.customer_id = any (p_erasure.customer_ids)
    order by r.id
    limit least(p_limit, 500)
  );
begin
  delete from private.journey_entries as e
  where e.workspace_id = p_erasure.workspace_id and e.customer_id = any (p_erasure.customer_ids);
  delete from private.journey_dates as d
  where d.workspace_id = p_erasure.workspace_id and d.customer_id = any (p_erasure.customer_ids);
  delete from public.run_steps as s
  where s.workspace_id = p_erasure.workspace_id and s.run_id = any (v_run_ids);
  delete from public.journey_runs as r
  where r.workspace_id = p_erasure.workspace_id and r.id = any (v_run_ids);
  return private.batch_progress(cardinality(v_run_ids), least(p_limit, 500));
end
$function$
  comment: Deletes runs with their steps, entries and timers of an erased customer, up to p_limit runs.

CREATE OR REPLACE FUNCTION private.erase_receipts(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with doomed as materialized (
    select r.received_at, r.id
    from public.inbound_receipts as r
    where r.workspace_id = p_erasure.workspace_id
      and r.customer_ids && p_erasure.customer_ids
      and r.body is not null
    limit p_limit
  ),
  erased as (
    update public.inbound_receipts as r
    set body = null
    from doomed as d
    where r.workspace_id = p_erasure.workspace_id and r.received_at = d.received_at and r.id = d.id
    returning 1
  )
  select private.batch_progress(count(*)::integer, p_limit) from erased
$function$
  comment: Removes up to p_limit bodies of inbound requests about an erased customer. Done twice: a receipt is recorded after its entries.

CREATE OR REPLACE FUNCTION private.erase_recipients(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform from private.campaign_jobs as j
  where j.workspace_id = p_erasure.workspace_id
    and exists (
      select from private.campaign_recipients as r
      where r.workspace_id = j.workspace_id and r.campaign_id = j.campaign_id
        and r.customer_id = any (p_erasure.customer_ids)
    )
  order by j.campaign_id
  for update;
  with gone as (
    delete from private.campaign_recipients as r
    using private.campaign_jobs as j
    where j.workspace_id = p_erasure.workspace_id and r.workspace_id = j.workspace_id
      and r.campaign_id = j.campaign_id and r.customer_id = any (p_erasure.customer_ids)
    returning r.campaign_id, r.variant, r.state
  )
  -- The others are counted with their sends.
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select
    p_erasure.workspace_id, g.campaign_id,
    coalesce(g.variant, c.winner_variant, case when c.variants <> '[]' then -1 else 0 end),
    'skipped:customer_deleted', count(*)
  from gone as g
  join public.campaigns as c on c.workspace_id = p_erasure.workspace_id and c.id = g.campaign_id
  where g.state = 'pending'
  group by 1, 2, 3, 4;
  -- A customer is in few campaigns: one batch is enough.
  return private.batch_progress(0, p_limit);
end
$function$
  comment: Deletes an erased customer from the audiences of campaigns, and counts those who got no send yet as skipped.

CREATE OR REPLACE FUNCTION private.erase_rejected_entries(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_after uuid := coalesce(nullif(p_erasure.cursor, ''), '00000000-0000-0000-0000-000000000000')::uuid;
  -- As whole JSON strings, or the id "1" would be found in every number.
  v_ids text[] := array(select to_json(t)::text from unnest(p_erasure.search_terms) as t);
  -- Ids that differ in case are of different people; addresses are not.
  v_emails text[] := array(
    select lower(to_json(t)::text) from unnest(p_erasure.search_terms) as t where t like '%@%'
  );
  v_numbers text := private.number_pattern(p_erasure.search_terms);
  v_phones text := private.phone_pattern(p_erasure.search_terms);
  v_progress private.erasure_progress;
  -- The time depends on the bytes: these take half a second.
  v_bytes integer := 10000::bigint * p_limit / (10 + cardinality(p_erasure.search_terms));
begin
  with found as materialized (
    select r.rejected_at, r.id, r.entry
    from public.rejected_entries as r
    where r.workspace_id = p_erasure.workspace_id
      and (r.rejected_at, r.id) > (private.uuid_v7_time(v_after), v_after)
      -- For the planner, which does not prune partitions by a comparison of rows.
      and r.rejected_at >= private.uuid_v7_time(v_after)
    order by r.rejected_at, r.id
    -- Even a short entry costs as much as ten rows of other steps.
    limit (p_limit + 9) / 10
  ),
  page as materialized (
    select f.*
    from (
      select
        f.*,
        sum(octet_length(f.entry)) over (order by f.rejected_at, f.id) - octet_length(f.entry)
          as bytes_before
      from found as f
    ) as f
    where f.bytes_before <= v_bytes
  ),
  gone as (
    delete from public.rejected_entries as r
    using page as p
    where r.workspace_id = p_erasure.workspace_id and r.rejected_at = p.rejected_at and r.id = p.id
      and (
        exists (select from unnest(v_ids) as t where strpos(p.entry, t) > 0)
        or exists (select from unnest(v_emails) as t where strpos(lower(p.entry), t) > 0)
        or p.entry ~* v_numbers
        or p.entry ~ v_phones
      )
    returning r.receipt_id
  ),
  -- Its body holds the same, and names the customer only where an entry of it was stored.
  forgotten as (
    update public.inbound_receipts as r
    set body = null
    from gone as g
    where r.workspace_id = p_erasure.workspace_id and r.id = g.receipt_id
      and r.received_at = private.uuid_v7_time(g.receipt_id) and r.body is not null
  )
  select
    case when count(*) = (select count(*) from found) then 10 * count(*) else p_limit end,
    coalesce((array_agg(p.id order by p.rejected_at desc, p.id desc))[1], v_after)::text
  into v_progress.rows, v_progress.cursor
  from page as p;
  v_progress.is_finished := v_progress.rows < p_limit;
  if v_progress.is_finished then
    -- The deletion message may wait for a month, and these must not wait with it.
    update private.erasures as e
    set search_terms = '{}'
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  end if;
  return v_progress;
end
$function$
  comment: Looks through the refused entries behind the cursor for those with an id, address or number of an erased customer, and erases them with the bodies they came in. Each entry counts as ten of p_limit, and a batch as p_limit at least while there are more.

CREATE OR REPLACE FUNCTION private.erase_segment_rows(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_rows integer := 0;
  v_count integer;
begin
  perform from private.segment_lanes as l where l.workspace_id = p_erasure.workspace_id for update;
  delete from private.segment_checks as k
  where k.workspace_id = p_erasure.workspace_id and k.customer_id = any (p_erasure.customer_ids);
  delete from private.signals as s
  where s.workspace_id = p_erasure.workspace_id and s.kind <> 'removed'
    and s.customer_id = any (p_erasure.customer_ids);
  delete from private.feature_marks as m
  where m.workspace_id = p_erasure.workspace_id and m.identity_id = any (p_erasure.identity_ids);
  delete from public.segment_members as m
  where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids);
  with doomed as materialized (
    select c.at, c.id from public.segment_changes as c
    where c.workspace_id = p_erasure.workspace_id and c.customer_id = any (p_erasure.customer_ids)
    limit p_limit
  )
  delete from public.segment_changes as c
  using doomed as d
  where c.workspace_id = p_erasure.workspace_id and c.at = d.at and c.id = d.id;
  get diagnostics v_rows = row_count;
  with doomed as materialized (
    select b.feature_id, b.identity_id, b.hour from private.feature_buckets as b
    where b.workspace_id = p_erasure.workspace_id and b.identity_id = any (p_erasure.identity_ids)
    limit p_limit
  )
  delete from private.feature_buckets as b
  using doomed as d
  where b.workspace_id = p_erasure.workspace_id and b.feature_id = d.feature_id
    and b.identity_id = d.identity_id and b.hour = d.hour;
  get diagnostics v_count = row_count;
  return private.batch_progress(greatest(v_rows, v_count), p_limit);
end
$function$
  comment: Deletes memberships, timers, changes and event state of an erased customer, up to p_limit rows of what can be many.

CREATE OR REPLACE FUNCTION private.erase_sends(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  -- Uses of caps stay: they hold a keyed hash. A row of the queue without its message is dropped
  -- when its turn comes.
  with doomed as materialized (
    (
      select s.queued_at, s.id
      from public.sends as s
      where s.workspace_id = p_erasure.workspace_id and s.customer_id = any (p_erasure.customer_ids)
      limit p_limit
    )
    union
    (
      -- Tests go to an address, for no customer.
      select s.queued_at, s.id
      from public.sends as s
      where s.workspace_id = p_erasure.workspace_id
        and s.address_hash in (
          select private.address_hash(p_erasure.workspace_id, 'email', t.value)
          from unnest(p_erasure.search_terms) as t (value)
        )
      limit p_limit
    )
    limit p_limit
  ),
  forgotten as (
    delete from private.send_keys as k
    using doomed as d
    where k.workspace_id = p_erasure.workspace_id and k.send_id = d.id
  ),
  gone as (
    delete from public.sends as s
    using doomed as d
    where s.workspace_id = p_erasure.workspace_id and s.queued_at = d.queued_at and s.id = d.id
    returning 1
  )
  select private.batch_progress(count(*)::integer, p_limit) from gone
$function$
  comment: Deletes up to p_limit messages to an erased customer, with what they were rendered from.

CREATE OR REPLACE FUNCTION private.erase_snippets(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with doomed as materialized (
    select m.created_at, m.id
    from public.webhook_messages as m
    where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids)
    limit p_limit
  ),
  -- A receiver may have responded with what it was sent.
  forgotten as (
    update public.deliveries as d
    set response_snippet = null
    from doomed as m
    where d.workspace_id = p_erasure.workspace_id and d.message_id = m.id
      -- Prunes partitions. A host's clock may be behind the database's.
      and d.attempted_at >= private.attempts_start(m.created_at) and d.response_snippet is not null
  ),
  unlinked as (
    update public.webhook_messages as m
    set body = null, customer_id = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning 1
  )
  select private.batch_progress(count(*)::integer, p_limit) from unlinked
$function$
  comment: Erases the responses to up to p_limit messages about an erased customer, and that the messages were about the customer.

CREATE OR REPLACE FUNCTION private.erase_suppressed_addresses(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with doomed as (
    select distinct private.address_hash(p_erasure.workspace_id, 'email', t.value) as hash
    from unnest(p_erasure.search_terms) as t (value)
  ),
  erased as (
    update public.suppressions as s
    set address = null
    from doomed as d
    where s.workspace_id = p_erasure.workspace_id and s.channel = 'email'
      and s.address_hash = d.hash and s.address is not null
    returning 1
  )
  -- A customer has few addresses: one batch is enough.
  select private.batch_progress(least(count(*), p_limit - 1)::integer, p_limit) from erased
$function$
  comment: Removes the addresses of an erased customer from the suppressions, which keep their hash.

CREATE OR REPLACE FUNCTION private.erase_tenant_rows(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS private.erasure_progress
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_table regclass;
  v_progress private.erasure_progress;
begin
  for v_table in select t from private.tenant_tables() as t loop
    -- A ctid may match rows of another partition: workspace_id excludes those of others.
    execute format(
      'delete from %1$s where workspace_id = $1
         and ctid = any (array(select ctid from %1$s where workspace_id = $1 limit $2))',
      v_table
    ) using p_erasure.workspace_id, p_limit;
    get diagnostics v_progress.rows = row_count;
    if v_progress.rows > 0 then
      v_progress.is_finished := false;
      return v_progress;
    end if;
  end loop;
  delete from public.workspaces as w where w.id = p_erasure.workspace_id;
  delete from private.erasures as e where e.workspace_id = p_erasure.workspace_id;
  return v_progress;
end
$function$
  comment: Deletes a batch of rows of a deleted workspace from the first table that has some; when none has, the workspace itself with all its erasures.

CREATE OR REPLACE FUNCTION private.erased_customer_ids()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select unnest(e.customer_ids)
  from private.erasures as e
  where e.workspace_id = private.key_workspace_id()
    or e.workspace_id in (select private.member_workspace_ids())
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Customers that are being erased in the caller's workspaces.

CREATE OR REPLACE FUNCTION private.erased_identity_ids()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select unnest(e.identity_ids)
  from private.erasures as e
  where e.workspace_id = private.key_workspace_id()
    or e.workspace_id in (select private.member_workspace_ids())
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Identities of customers that are being erased in the caller's workspaces.

CREATE OR REPLACE FUNCTION private.evaluate_compiled(p_compiled private.compiled_condition, p_workspace_id uuid, p_customer_ids uuid[], p_now timestamp with time zone)
 RETURNS TABLE(customer_id uuid, is_true boolean, changes_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET join_collapse_limit TO '1'
 SET from_collapse_limit TO '1'
AS $function$
begin
  return query execute private.condition_select(
    p_compiled, 'c.id, root.holds, root.until',
    '(select o.* from unnest($3) as k (id) cross join lateral (
        select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.id limit 1
      ) as o)'
  ) using p_workspace_id, p_now, p_customer_ids;
end
$function$
  comment: The answer of a compiled condition for each of the customers that exist, and when time alone can change it.

CREATE OR REPLACE FUNCTION private.evaluate_condition(p_workspace_id uuid, p_condition jsonb, p_customer_ids uuid[], p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(customer_id uuid, is_true boolean, changes_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
  select e.*
  from private.evaluate_compiled(
    private.compile_condition(row(p_workspace_id, 'events', true), p_condition),
    p_workspace_id, p_customer_ids, p_now
  ) as e;
end
$function$
  comment: The model: a condition's answer for each of the customers from all rows, named segments by their conditions, and when time alone can change it.

CREATE OR REPLACE FUNCTION private.evaluate_items(p_workspace_id uuid, p_condition jsonb, p_customer_ids uuid[], p_triggers jsonb[], p_now timestamp with time zone)
 RETURNS TABLE(place bigint, is_true boolean, changes_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET join_collapse_limit TO '1'
 SET from_collapse_limit TO '1'
AS $function$
begin
  return query execute private.condition_select(
    private.compile_condition(private.stored_scope(p_workspace_id), p_condition),
    'c.place, root.holds, root.until',
    '(select o.*, k.trigger, k.place from unnest($3, $4) with ordinality as k (customer_id, trigger, place)
      cross join lateral (
        select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.customer_id limit 1
      ) as o)'
  ) using p_workspace_id, p_now, p_customer_ids, p_triggers;
end
$function$
  comment: The answer of a condition for each customer with the trigger at the same place, and when time alone can change it; customers who do not exist are left out.

CREATE OR REPLACE FUNCTION private.evaluate_level(p_workspace_id uuid, p_level integer, p_dirt private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_part record;
  v_plain private.segment_truth[] := '{}';
  v_truths private.segment_truth[] := '{}';
begin
  for v_part in
    with t as materialized (
      select d.segment_id, array_agg(d) as dirt from unnest(p_dirt) as d group by d.segment_id
    )
    select s as segment, t.dirt, exists (
      select from private.segment_nodes as n where n.workspace_id = s.workspace_id and n.segment_id = s.id
    ) as is_plain
    from t
    join public.segments as s on s.workspace_id = p_workspace_id and s.id = t.segment_id
    where s.level = p_level and s.kind = 'live'
      -- The job compares all customers when the state has been built.
      and not exists (
        select from private.segment_jobs as j
        where j.workspace_id = s.workspace_id and j.segment_id = s.id and j.phase = 'features'
      )
    order by s.id
  loop
    if v_part.is_plain then
      v_plain := v_plain || v_part.dirt;
    else
      v_truths := v_truths || private.evaluate_segment(v_part.segment, v_part.dirt, p_now);
    end if;
  end loop;
  if cardinality(v_plain) > 0 then
    v_truths := v_truths || private.answer_nodes(p_workspace_id, v_plain, p_now);
  end if;
  return v_truths;
end
$function$
  comment: The answers of the conditions of one level of segments for the customers to compare with them.

CREATE OR REPLACE FUNCTION private.evaluate_segment(p_segment public.segments, p_dirt private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select row(d.segment_id, d.customer_id, d.cause, e.is_true, e.changes_at)::private.segment_truth
    from private.evaluate_compiled(
      private.compile_condition(row(p_segment.workspace_id, 'marks', false), p_segment.condition),
      p_segment.workspace_id, array(select d.customer_id from unnest(p_dirt) as d), p_now
    ) as e
    join unnest(p_dirt) as d on d.customer_id = e.customer_id
  );
end
$function$
  comment: The answers of a segment's condition for the customers to compare with it, from the state that the fold keeps.

CREATE OR REPLACE FUNCTION private.event_messages(p_entries private.ingest_entry[], p_inputs jsonb, p_subscriptions private.subscription[], p_at timestamp with time zone)
 RETURNS private.new_message[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
begin
  return array(
    select row(
      c.workspace_id, c.name,
      jsonb_build_object(
        'event_id', c.event_id,
        'customer_id', c.customer_id,
        'external_id', c.external_id,
        'anon_id', c.anon_id,
        'name', c.name,
        'occurred_at', private.rfc3339(coalesce(c.occurred_at, p_at)),
        'received_at', private.rfc3339(p_at),
        'properties', coalesce(c.properties, '{}'),
        'context', coalesce(c.context, '{}')
      ),
      c.customer_id, null
    )::private.new_message
    from rows from (
      unnest(p_entries),
      jsonb_to_recordset(p_inputs) as (
        name text, occurred_at timestamptz, properties jsonb, context jsonb
      )
    ) with ordinality as c
    join (select distinct s.workspace_id, s.event_type from unnest(p_subscriptions) as s) as w
      on w.workspace_id = c.workspace_id and w.event_type = c.name
    where c.kind = 'event' and not c.is_duplicate and c.repeats is null
    order by c.ordinality
  );
end
$function$
  comment: One message for each event of the batch that is stored and that a destination wants.

CREATE OR REPLACE FUNCTION private.event_sql(p_scope private.condition_scope, p_leaf jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_feature_id bigint;
begin
  if p_scope.source = 'marks' then
    select f.id into strict v_feature_id
    from private.features as f
    where f.workspace_id = p_scope.workspace_id
      and f.hash = private.leaf_hash(p_leaf);
  end if;
  if p_leaf ?| array['sum', 'min', 'max'] then
    return private.aggregate_sql(p_leaf, v_feature_id);
  end if;
  return private.count_sql(p_leaf, v_feature_id);
end
$function$
  comment: SQL of a leaf about events, from the rows that the scope names.

CREATE OR REPLACE FUNCTION private.event_subscriptions(p_workspace_ids uuid[], p_names text[], p_created private.created_identity[])
 RETURNS private.subscription[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_new uuid[] := array(
    select distinct c.workspace_id
    from unnest(p_created) as c
    where c.kind = 'external' and c.entry_kind = 'event'
  );
begin
  return private.match_subscriptions(
    p_workspace_ids || v_new,
    p_names || array_fill('customer.created'::text, array[cardinality(v_new)])
  );
end
$function$
  comment: The destinations that want these names of events, or the customers that events created.

CREATE OR REPLACE FUNCTION private.events_page(p_workspace_id uuid, p_page jsonb, p_limit integer)
 RETURNS TABLE(received_at timestamp with time zone, id uuid)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query execute format(
    'select e.received_at, e.id
     from public.events as e
     where e.workspace_id = $1 and (e.received_at, e.id) < ($2, $3)
       and e.received_at >= $5 and e.received_at < $6 and %s and %s
     order by e.received_at desc, e.id desc
     limit $4',
    case when p_page ->> 'name' is null then 'true' else format('e.name = %L', p_page ->> 'name') end,
    case when p_page ->> 'customer_id' is null then 'true' else format(
      'e.identity_id = any (array(
         select i.id from public.identities as i where i.workspace_id = $1 and i.customer_id = %L::uuid
       ))', p_page ->> 'customer_id'
    ) end
  )
  using
    p_workspace_id, coalesce((p_page ->> 'before_received_at')::timestamptz, 'infinity'),
    coalesce((p_page ->> 'before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), p_limit,
    coalesce((p_page ->> 'since')::timestamptz, '-infinity'),
    coalesce((p_page ->> 'until')::timestamptz, 'infinity');
end
$function$
  comment: The next events of a list, newest first, before any condition.

CREATE OR REPLACE FUNCTION private.events_sql(p_leaf jsonb, p_join text DEFAULT ''::text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select format(
    'public.identities as i
     join public.events as e on e.workspace_id = i.workspace_id and e.identity_id = i.id
     cross join lateral (select least(e.occurred_at, e.received_at) as at) as t %s
     where i.workspace_id = $1 and i.customer_id = c.id and e.name = %L and e.kind = ''event'' and %s and %s',
    p_join, p_leaf ->> 'event',
    private.where_sql(private.leaf_feature(p_leaf) -> 'conditions', 'e.properties'),
    -- Never earlier than the time that counts: the index on occurred_at narrows the search.
    concat_ws(
      ' and ', 'true',
      case when p_leaf ? 'within' then format(
        'e.occurred_at > $2 - %L::interval',
        private.read_duration(p_leaf ->> 'within') + interval '1 hour'
      ) end,
      case when p_leaf ? 'since' then format(
        'e.occurred_at >= %L::timestamptz', private.read_time(p_leaf -> 'since')
      ) end
    )
  )
$function$
  comment: SQL, from the from clause on, of the events of customer c that a leaf is about; t.at is the time that counts. p_join is one more join.

CREATE OR REPLACE FUNCTION private.expire_claims(p_limit integer DEFAULT 500, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_keys jsonb;
  v_lost public.deliveries[];
begin
  select jsonb_agg(e) into v_keys
  from (
    select q.workspace_id, q.destination_id, q.message_id, q.claim, q.trigger
    from private.lanes as l
    cross join lateral (
      select w.* from private.webhook_queue as w
      where w.destination_id = l.destination_id and w.lease_until <= p_now
      limit p_limit
    ) as q
    where l.in_flight > 0
    limit p_limit
  ) as e;
  if v_keys is null then
    return 0;
  end if;
  perform private.lock_lanes(array_agg(k.workspace_id), array_agg(k.destination_id))
  from jsonb_to_recordset(v_keys) as k (workspace_id uuid, destination_id uuid);

  with expired as (
    update private.webhook_queue as q
    set
      claim = null, claimed_at = null, lease_until = null, due_at = p_now,
      attempts = q.attempts + 1,
      tries = case when q.is_replayed then 0 else q.tries end,
      trigger = case
        when q.is_replayed then 'replay' when q.trigger = 'event' then 'retry' else q.trigger
      end,
      is_replayed = false
    from jsonb_to_recordset(v_keys)
      as k (claim uuid, workspace_id uuid, destination_id uuid, message_id uuid, trigger text)
    cross join lateral (
      select w.ctid, w.message_created_at, date_trunc('milliseconds', w.claimed_at) as claimed_at
      from private.webhook_queue as w
      where w.workspace_id = k.workspace_id and w.destination_id = k.destination_id
        and w.message_id = k.message_id and w.claim = k.claim
      for update
    ) as h
    left join lateral (
      select n.event_type from public.webhook_messages as n
      where n.workspace_id = k.workspace_id and n.created_at = h.message_created_at
        and n.id = k.message_id limit 1
    ) as m on true
    where q.ctid = h.ctid
    returning row(
      q.workspace_id, private.uuid_v7(h.claimed_at), q.destination_id, q.message_id,
      q.message_created_at, m.event_type, q.attempts, k.trigger, false, null, null, 'interrupted',
      null, h.claimed_at, p_now
    )::public.deliveries as lost
  )
  select coalesce(array_agg(e.lost), '{}') into v_lost from expired as e;

  -- The next claim finds out which of the two it is.
  update private.lanes as l
  set
    in_flight = l.in_flight - r.rows,
    due_at = least(l.due_at, p_now),
    manual_due_at = least(l.manual_due_at, p_now)
  from (
    select e.workspace_id, e.destination_id, count(*)::integer as rows
    from unnest(v_lost) as e
    group by e.workspace_id, e.destination_id
  ) as r
  where l.workspace_id = r.workspace_id and l.destination_id = r.destination_id;
  -- Nobody knows whether the request was sent: the log shows that, too.
  perform private.log_attempts(array(
    select e from unnest(v_lost) as e where e.event_type is not null
  ));
  return cardinality(v_lost);
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Makes deliveries due again when their lease expired because the dispatcher is gone, and logs them as interrupted; returns how many.

CREATE OR REPLACE FUNCTION private.expire_run_claims(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_count integer;
begin
  with lost as materialized (
    select r.workspace_id, r.id
    from public.journey_runs as r
    where r.claim is not null and r.lease_until <= p_now
    limit 1000
    for update skip locked
  ),
  freed as (
    update public.journey_runs as r
    set claim = null, lease_until = null, due_at = least(r.due_at, p_now)
    from lost as l
    where r.workspace_id = l.workspace_id and r.id = l.id
    returning r.workspace_id, r.journey_id, r.due_at
  ),
  arrived as (
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    select f.workspace_id, f.journey_id, min(f.due_at) from freed as f group by 1, 2
  )
  select count(*) into v_count from freed;
  return v_count;
end
$function$
  grant execute on function to signalpost_automation
  comment: Makes runs due again whose worker is gone; nothing of what it was about to do has happened. Returns how many.

CREATE OR REPLACE FUNCTION private.expire_send_claims(p_limit integer DEFAULT 500, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  v_lost jsonb := private.lost_sends(p_limit, p_now);
  v_results jsonb;
begin
  if v_lost is null then
    return 0;
  end if;
  perform private.lock_send_lanes(array_agg(k.workspace_id), array_agg(k.sender_id))
  from jsonb_to_recordset(v_lost) as k (workspace_id uuid, sender_id uuid);
  v_results := private.judge_lost_sends(v_lost, p_now);
  if v_results is null then
    return 0;
  end if;
  return private.complete_sends(v_results::text, p_now);
end
$function$
  grant execute on function to signalpost_send
  comment: Ends claims whose lease has expired because their dispatcher is gone: a message that was not handed over is due again; one that may have been is repeated only if its provider takes an idempotency key or its sender says so, else its state is unknown. Returns how many.

CREATE OR REPLACE FUNCTION private.explain_condition(p_workspace_id uuid, p_customer_id uuid, p_condition jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return null;
  end if;
  return private.explain_one(
    p_workspace_id, p_customer_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: A condition for one customer leaf by leaf, see private.explain_one.

CREATE OR REPLACE FUNCTION private.explain_customers(p_workspace_id uuid, p_customer_ids uuid[], p_condition jsonb, p_now timestamp with time zone)
 RETURNS TABLE(customer_id uuid, explanation jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET join_collapse_limit TO '1'
 SET from_collapse_limit TO '1'
AS $function$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    private.stored_scope(p_workspace_id), p_condition
  );
  v_row record;
begin
  for v_row in
    execute private.condition_select(
      v_compiled,
      (select format('c.id, array[%s] as nodes', string_agg(format('to_jsonb(n%s)', n), ', '))
       from generate_series(1, v_compiled.root) as n),
      '(select o.* from unnest($3) as k (id) cross join lateral (
          select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.id limit 1
        ) as o)'
    ) using p_workspace_id, p_now, p_customer_ids
  loop
    customer_id := v_row.id;
    explanation := jsonb_build_object(
      'at', private.rfc3339(p_now),
      'changes_at', private.show_time(v_row.nodes[v_compiled.root] -> 'until'),
      'tree', (select e.tree from private.explain_tree(p_condition, to_jsonb(v_row.nodes), 0) as e)
    );
    return next;
  end loop;
end
$function$
  comment: A condition leaf by leaf, for each of the customers that exist: at, changes_at and tree.

CREATE OR REPLACE FUNCTION private.explain_one(p_workspace_id uuid, p_customer_id uuid, p_condition jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select e.explanation
  from private.explain_customers(p_workspace_id, array[p_customer_id], p_condition, p_now) as e
$function$
  comment: A condition for one customer leaf by leaf: at, changes_at and tree; null if the customer does not exist.

CREATE OR REPLACE FUNCTION private.explain_recipient(p_workspace_id uuid, p_campaign_id uuid, p_customer_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'recipient', r.customer_id is not null, 'state', r.state, 'reason', r.reason,
    'due_at', private.rfc3339(r.due_at), 'send_id', r.send_id
  )
  from public.campaigns as c
  left join private.campaign_recipients as r
    on r.workspace_id = c.workspace_id and r.campaign_id = c.id and r.customer_id = p_customer_id
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id
    and private.is_readable(p_workspace_id, array['campaigns:read', 'campaigns:write', 'sends:read'])
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The state of a customer in a campaign: { recipient, state, reason, due_at, send_id }; null if the campaign does not exist.

CREATE OR REPLACE FUNCTION private.explain_segment(p_workspace_id uuid, p_segment_id uuid, p_customer_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_segment public.segments;
  v_since timestamptz;
begin
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
    and private.is_readable(p_workspace_id, array['segments:read', 'segments:write']);
  if not found or not exists (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id
  ) then
    return null;
  end if;
  select m.since into v_since
  from public.segment_members as m
  where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id
    and m.version = v_segment.version and m.customer_id = p_customer_id;
  return jsonb_build_object('at', private.rfc3339(p_now), 'changes_at', null, 'tree', null)
    || case v_segment.kind
      when 'live' then private.explain_one(p_workspace_id, p_customer_id, v_segment.condition, p_now)
      else '{}'
    end
    || jsonb_build_object('member', v_since is not null, 'since', private.rfc3339(v_since));
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Explains why a customer is in a segment or not: member, since, at, changes_at and tree; null when one of them does not exist.

CREATE OR REPLACE FUNCTION private.explain_sends(p_workspace_id uuid, p_customer_id uuid, p_topic_ids uuid[], p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'email', a.email,
    'suppression', (
      select jsonb_build_object('reason', s.reason, 'until', private.rfc3339(s.until))
      from public.suppressions as s
      where s.workspace_id = p_workspace_id and s.channel = 'email' and s.address_hash = a.hash
        and (s.until is null or s.until > p_now)
      limit 1
    ),
    'topics', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', t.id, 'name', t.name,
        'subscribed', private.is_subscribed(p_workspace_id, 'email', a.email, t.id)
      ) order by t.name)
      from public.topics as t
      where t.workspace_id = p_workspace_id and t.id = any (p_topic_ids)
    ), '[]'),
    'caps', (
      select coalesce(jsonb_agg(e || jsonb_build_object('used', (
        select count(*)
        from private.cap_uses as u
        cross join unnest(u.used_ats) as n (used_at)
        where u.workspace_id = p_workspace_id and u.channel = 'email' and u.address_hash = a.hash
          and n.used_at > p_now - private.read_duration(e ->> 'per')
      ))), '[]')
      from jsonb_array_elements(g.caps) as e
    ),
    'quiet_until', private.rfc3339(
      private.quiet_until(g.quiet_hours, private.known_zone(c.timezone, w.timezone), p_now)
    ),
    'stopped_at', private.rfc3339(g.stopped_at)
  )
  from public.workspaces as w
  cross join lateral private.send_settings_of(w.id) as g
  join public.customers as c on c.workspace_id = w.id and c.id = p_customer_id
  cross join lateral (
    select c.email, private.address_hash(w.id, 'email', c.email) as hash
  ) as a
  where w.id = p_workspace_id and private.may_read_sends(p_workspace_id)
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Facts that decide now about messages to a customer: address, suppression, consent to these topics, caps with their uses, quiet hours and a stop; null if the customer does not exist.

CREATE OR REPLACE FUNCTION private.explain_tree(p_condition jsonb, p_nodes jsonb, p_from integer, OUT tree jsonb, OUT next integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_kind text := case when p_condition ? 'all' then 'all' when p_condition ? 'any' then 'any' end;
  v_child jsonb;
  v_part record;
  v_parts jsonb := '[]';
  v_node jsonb;
begin
  next := p_from;
  for v_child in
    select e from jsonb_array_elements(coalesce(
      p_condition -> v_kind,
      case when p_condition ? 'not' then jsonb_build_array(p_condition -> 'not') else '[]' end
    )) as e
  loop
    select e.tree, e.next into v_part from private.explain_tree(v_child, p_nodes, next) as e;
    v_parts := v_parts || jsonb_build_array(v_part.tree);
    next := v_part.next;
  end loop;
  v_node := p_nodes -> next;
  next := next + 1;
  tree := jsonb_build_object('is', v_node -> 'holds', 'changes_at', private.show_time(v_node -> 'until'));
  tree := tree || case
    when v_kind is not null then jsonb_build_object(v_kind, v_parts)
    when p_condition ? 'not' then jsonb_build_object('not', v_parts -> 0)
    else p_condition || jsonb_build_object(
      'found', v_node -> 'fact', 'needed', private.needed_text(p_condition)
    )
  end;
end
$function$
  comment: The condition with the answers of its nodes, a JSON list in the order of compilation, and the position after its last node.

CREATE OR REPLACE FUNCTION private.export_accounts(p_user_ids uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', u.id, 'email', u.email, 'email_confirmed_at', u.email_confirmed_at,
    'banned_until', u.banned_until, 'deleted_at', u.deleted_at, 'created_at', u.created_at
  )), '[]')
  from auth.users as u
  where u.id = any (p_user_ids)
$function$
  grant execute on function to signalpost_key
  comment: The accounts that another cell needs of these users, as private.import_accounts reads them.

CREATE OR REPLACE FUNCTION private.export_rows(p_table regclass, p_column text, p_workspace_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_rows jsonb;
begin
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from %s as t where %I = $1', p_table, p_column
  ) into v_rows using p_workspace_id;
  return v_rows;
end
$function$
  comment: All rows of a workspace in a table, as JSON.

CREATE OR REPLACE FUNCTION private.external_id_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_op text := p_leaf ->> 'op';
  v_positive text := case v_op
    when 'neq' then 'eq' when 'not_in' then 'in' when 'not_contains' then 'contains'
    when 'not_exists' then 'exists' else v_op
  end;
  v_test text := private.operator_sql(v_positive, p_leaf -> 'value', 'v.value');
begin
  return format(
    'select %s exists (
       select
       from public.identities as i
       cross join lateral (select to_jsonb(i.value) as value) as v
       where i.workspace_id = $1 and i.customer_id = c.id and i.kind = ''external'' and %s
     ) as holds, ''infinity''::timestamptz as until,
     private.newest_ids($1, c.id, ''external'') as fact',
    case when v_positive <> v_op then 'not' end,
    private.require_sql(v_test, format('Unknown operator "%s"', v_op))
  );
end
$function$
  comment: SQL of a leaf about external ids: one of them must fulfil a positive operator, none a negated one.

CREATE OR REPLACE FUNCTION private.failed_messages(p_job public.jobs, p_limit integer, OUT message_ids uuid[], OUT attempts integer, OUT cursor_at timestamp with time zone, OUT cursor_id uuid)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  with page as materialized (
    select d.message_id, d.message_created_at, d.attempted_at, d.id, d.trigger
    from public.deliveries as d
    where d.workspace_id = p_job.workspace_id and d.destination_id = p_job.destination_id
      and d.attempted_at >= greatest(p_job.since, p_job.cursor_at) and d.attempted_at < p_job.until
      and (d.attempted_at, d.id) > (p_job.cursor_at, p_job.cursor_id)
      and not d.ok
    order by d.attempted_at, d.id
    limit p_limit
  ),
  newest as materialized (
    select distinct on (p.message_id)
      p.message_id, p.attempted_at, p.id, private.attempts_start(p.message_created_at) as since
    from page as p
    where p.trigger <> 'test'
    order by p.message_id, p.attempted_at desc, p.id desc
  )
  select
    array(
      select l.message_id
      from newest as l
      -- Each message counts once, at its last failure, and only if it was not delivered since.
      left join lateral (
        select true as is_over
        from public.deliveries as n
        where n.workspace_id = p_job.workspace_id and n.message_id = l.message_id
          and n.destination_id = p_job.destination_id
          and n.attempted_at >= l.since
          and (
            n.ok
            or ((n.attempted_at, n.id) > (l.attempted_at, l.id) and n.attempted_at < p_job.until)
          )
        limit 1
      ) as o on true
      where o.is_over is null
      order by l.attempted_at, l.id
    ),
    count(*)::integer,
    max(p.attempted_at),
    (array_agg(p.id order by p.attempted_at desc, p.id desc))[1]
  from page as p
$function$
  comment: Looks at the next p_limit failed attempts of a replay job, from its cursor on: the messages that have not got through since, how many attempts there were, and the last of them.

CREATE OR REPLACE FUNCTION private.fan_out_limit()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 5000
$function$
  comment: Maximum number of rows of the queue that one transaction may create: about 50 ms of work.

CREATE OR REPLACE FUNCTION private.feature_hash(p_feature jsonb)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select sha256(convert_to(p_feature::text, 'UTF8'))
$function$
  comment: The key of what an event leaf counts.

CREATE OR REPLACE FUNCTION private.feature_value_sql(p_feature private.features, p_properties text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when p_feature.property is null then 'null::numeric' else format(
    'case when jsonb_typeof(%1$s #> %2$L::text[]) = ''number'' then (%1$s #> %2$L::text[])::numeric end',
    p_properties, p_feature.property::text
  ) end
$function$
  comment: SQL of the number that a feature adds up; null when the property is not a number.

CREATE OR REPLACE FUNCTION private.feed_campaign(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_limit integer := least(private.campaign_room(p_campaign), 2000);
  -- A send that is due soon joins the queue with its time.
  v_until timestamptz := p_now + interval '10 seconds';
  v_from timestamptz := greatest(p_job.next_send_at, p_now);
  v_picks private.campaign_pick[];
  v_sends integer;
begin
  if p_campaign.winner is not null and p_campaign.winner_variant is null then
    -- The others wait for the winner.
    v_until := least(v_until, p_job.rest_at - interval '1 microsecond');
  end if;
  if p_campaign.per_minute is not null then
    v_limit := least(v_limit, 1 + floor(
      extract(epoch from p_now + interval '10 seconds' - v_from) * p_campaign.per_minute / 60
    )::integer);
  end if;
  if v_limit <= 0 then
    return 0;
  end if;
  v_picks := private.pick_recipients(p_campaign, v_until, v_limit);
  if cardinality(v_picks) = 0 then
    return 0;
  end if;
  perform private.queue_recipients(p_campaign, v_picks, v_from, p_now);
  v_sends := (select count(*) from unnest(v_picks) as p where p.reason is null);
  update private.campaign_jobs as j
  set
    next_send_at = case
      when p_campaign.per_minute is null then j.next_send_at
      else v_from + interval '1 minute' / p_campaign.per_minute * v_sends
    end,
    decide_at = case
      when p_campaign.winner_variant is null
      then greatest(j.decide_at, p_now + private.read_duration(p_campaign.winner ->> 'after'))
      else j.decide_at
    end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
  return cardinality(v_picks);
end
$function$
  comment: Makes sends of the recipients that are due, as many as the sender, per_minute and one transaction take; returns how many recipients it handled.

CREATE OR REPLACE FUNCTION private.feedback_rank(p_feedback text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    array_position(array['soft_bounced', 'delivered', 'bounced', 'complained'], p_feedback), 0
  )
$function$
  comment: The order in which the feedback of a send moves forward; 0 for none.

CREATE OR REPLACE FUNCTION private.fence_name(p_workspace_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 'signalpost_move_' || replace(p_workspace_id::text, '-', '')
$function$
  comment: The name of the triggers, the publication, the subscription and the slot of a move.

CREATE OR REPLACE FUNCTION private.field_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_field text := p_leaf ->> 'field';
  v_op text := p_leaf ->> 'op';
  v_value text := private.field_value_sql(v_field);
begin
  if v_field = 'external_id' then
    return private.external_id_sql(p_leaf);
  end if;
  v_value := private.require_sql(v_value, format('Unknown field "%s"', v_field));
  if v_op in ('within_last', 'not_within_last', 'within_next') then
    return private.time_sql(p_leaf);
  elsif v_op = 'anniversary_today' then
    return format(
      'select a.holds, a.until, v.value as fact
       from (select %s as value offset 0) as v
       cross join lateral private.find_anniversary(
         v.value, private.known_zone(coalesce(c.timezone, w.timezone), w.timezone), $2
       ) as a', v_value
    );
  end if;
  return private.static_sql(p_leaf, v_value);
end
$function$
  comment: SQL of a leaf about a field of the profile.

CREATE OR REPLACE FUNCTION private.field_value_sql(p_field text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return case
    when p_field = any (private.profile_fields()) then format('to_jsonb(c.%I)', p_field)
    when p_field in ('created_at', 'last_seen_at') then format('to_jsonb(private.rfc3339(c.%I))', p_field)
    when p_field = 'is_identified' then
      'to_jsonb(exists (
         select from public.identities as i
         where i.workspace_id = $1 and i.customer_id = c.id and i.kind = ''external''
       ))'
    when starts_with(p_field, 'attributes.') then
      private.path_sql('c.attributes', substr(p_field, length('attributes.') + 1))
    -- Only where c has a trigger: in steps of runs.
    when starts_with(p_field, 'trigger.') then
      private.path_sql('c.trigger', substr(p_field, length('trigger.') + 1))
  end;
end
$function$
  comment: SQL of the JSON value of a field of customer c; null for an unknown field.

CREATE OR REPLACE FUNCTION private.figure_bounds(p_limits jsonb)
 RETURNS numrange
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- One range per limit: limits that exclude each other then have an empty range in common.
  select
    numrange((p_limits ->> 'gte')::numeric, null, '[)') * numrange(null, (p_limits ->> 'lte')::numeric, '(]')
    * numrange((p_limits ->> 'gt')::numeric, null, '()') * numrange(null, (p_limits ->> 'lt')::numeric, '()')
    * numrange((p_limits ->> 'eq')::numeric, (p_limits ->> 'eq')::numeric, '[]')
$function$
  comment: The numbers that fulfil the limits of a sum, min or max.

CREATE OR REPLACE FUNCTION private.fill_blanks(p_survivor public.customers, p_merged public.customers)
 RETURNS public.customers
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_own jsonb;
  v_attributes jsonb := p_merged.attributes || p_survivor.attributes;
begin
  p_merged.created_at := least(p_survivor.created_at, p_merged.created_at);
  p_merged.last_seen_at := greatest(p_survivor.last_seen_at, p_merged.last_seen_at);
  p_survivor.created_at := null;
  p_survivor.last_seen_at := null;
  p_survivor.attributes := null;
  v_own := jsonb_strip_nulls(to_jsonb(p_survivor));
  p_merged := jsonb_populate_record(p_merged, v_own);
  p_merged.attributes := v_attributes;
  return p_merged;
end
$function$
  comment: The survivor of a merge: its own values win, and missing ones come from the merged record.

CREATE OR REPLACE FUNCTION private.filter_customers(p_workspace_id uuid, p_condition jsonb, p_before uuid, p_limit integer, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_compiled private.compiled_condition;
  v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_step integer := p_limit;
  v_ids uuid[];
  v_matches uuid[] := '{}';
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return;
  end if;
  v_compiled := private.compile_condition(
    private.stored_scope(p_workspace_id), private.resolve_condition(p_workspace_id, p_condition)
  );
  while cardinality(v_matches) < p_limit loop
    v_ids := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.id < v_before order by c.id desc limit v_step
    );
    v_matches := v_matches || array(
      select e.customer_id
      from private.evaluate_compiled(v_compiled, p_workspace_id, v_ids, p_now) as e
      where e.is_true
      order by e.customer_id desc
    );
    exit when cardinality(v_ids) < v_step;
    v_before := v_ids[v_step];
    -- Few match: larger steps.
    v_step := least(v_step * 4, 20000);
  end loop;
  return query select m from unnest(v_matches[1:p_limit]) as m;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The newest customers that fulfil a condition and whose id is below p_before (null: all), newest first; under p_limit only at the end.

CREATE OR REPLACE FUNCTION private.filter_events(p_workspace_id uuid, p_condition jsonb, p_page jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(received_at timestamp with time zone, id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_readable(p_workspace_id, array['events:read', 'customers:read']) then
    return query
    select f.received_at, f.id
    from private.find_events(p_workspace_id, p_condition, p_page, 'infinity', p_now) as f
    where not f.is_last;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Events that fulfil a condition, newest first. p_page: before_received_at, before_id, limit, name, customer_id, since, until.

CREATE OR REPLACE FUNCTION private.find_anniversary(p_value jsonb, p_zone text, p_now timestamp with time zone, OUT holds boolean, OUT until timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_today date := (p_now at time zone p_zone)::date;
  v_year integer := extract(year from v_today);
  v_born date := case
    when length(p_value #>> '{}') = 10 then (private.read_time(p_value) at time zone 'UTC')::date
    else (private.read_time(p_value) at time zone p_zone)::date
  end;
  v_next date;
begin
  holds := coalesce(private.anniversary(v_born, v_year) = v_today, false);
  until := 'infinity';
  if holds then
    until := private.start_of_day(v_today + 1, p_zone);
  elsif v_born is not null then
    v_next := private.anniversary(v_born, v_year);
    if v_next < v_today then
      v_next := private.anniversary(v_born, v_year + 1);
    end if;
    until := private.start_of_day(v_next, p_zone);
  end if;
end
$function$
  comment: Finds out if today, in the zone, is an anniversary of the date, and when that changes. A date with a time is read in the zone.

CREATE OR REPLACE FUNCTION private.find_customers_by_email(p_workspace_id uuid, p_emails text[])
 RETURNS TABLE(email text, external_id text, anon_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select e.email, i.external_id, i.anon_id
  from unnest(p_emails) as e (email)
  cross join lateral (
    select c.id
    from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and replace(lower(c.email), 'ς', 'σ') = replace(lower(e.email), 'ς', 'σ')
    order by c.id
    limit 20
  ) as c
  cross join lateral (
    select
      (array_agg(d.value order by d.created_at, d.id) filter (where d.kind = 'external'))[1] as external_id,
      (array_agg(d.value order by d.created_at, d.id) filter (where d.kind = 'anon'))[1] as anon_id
    from public.identities as d
    where d.workspace_id = p_workspace_id and d.customer_id = c.id
  ) as i
$function$
  grant execute on function to signalpost_ingest
  comment: One id of each customer with one of these addresses in upper or lower case; at most 20 per address.

CREATE OR REPLACE FUNCTION private.find_decided(p_workspace_id uuid, p_destination_ids uuid[], p_filter private.message_filter, p_before private.message_position, p_limit integer)
 RETURNS SETOF private.message_position
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashagg TO 'off'
AS $function$
  select m.message_id, d.id, m.message_created_at
  from unnest(p_destination_ids) as d (id)
  cross join lateral (
    select n.message_id, n.message_created_at
    from public.missed_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id
      and n.message_created_at >= (p_filter).from_at
      and n.message_created_at <= (p_before).created_at
      and (n.message_id, n.destination_id) < ((p_before).message_id, (p_before).destination_id)
    order by n.message_created_at desc, n.message_id desc
    limit p_limit
  ) as m
  where (p_filter).state is null or (p_filter).state = 'missed'
  union all
  select c.message_id, d.id, c.message_created_at
  from unnest(p_destination_ids) as d (id)
  cross join lateral (
    select n.message_id, n.message_created_at
    from public.canceled_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id
      and n.message_created_at >= (p_filter).from_at
      and n.message_created_at <= (p_before).created_at
      and (n.message_id, n.destination_id) < ((p_before).message_id, (p_before).destination_id)
    order by n.message_created_at desc, n.message_id desc
    limit p_limit
  ) as c
  where (p_filter).state is null or (p_filter).state = 'given_up'
  union all
  select a.message_id, d.id, a.message_created_at
  from unnest(p_destination_ids) as d (id)
  cross join (values (true, 'delivered'), (false, 'given_up')) as o (ok, state)
  cross join lateral (
    -- A message that was replayed has been decided more than once.
    select n.message_id, min(n.message_created_at) as message_created_at
    from public.deliveries as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id and n.ok = o.ok
      and n.next_attempt_at is null
      and n.attempted_at >= private.attempts_start((p_filter).from_at)
      and n.message_id >= (p_filter).from_id and n.message_id <= (p_before).message_id
      and (n.message_id < (p_before).message_id or d.id < (p_before).destination_id)
    group by n.message_id
    order by n.message_id desc
    limit p_limit
  ) as a
  where (p_filter).state is null or (p_filter).state = o.state
$function$
  comment: Messages that these destinations missed, or that were delivered, given up or canceled, before a position: up to p_limit of each kind, some twice.

CREATE OR REPLACE FUNCTION private.find_definitions(p_versions jsonb)
 RETURNS TABLE(workspace_id uuid, journey_id uuid, version integer, definition jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select v.workspace_id, v.journey_id, v.version, v.definition
  from jsonb_to_recordset(p_versions) as k (workspace_id uuid, journey_id uuid, version integer)
  join public.journey_versions as v
    on v.workspace_id = k.workspace_id and v.journey_id = k.journey_id and v.version = k.version
$function$
  grant execute on function to signalpost_automation
  comment: The definitions of versions, a list of workspace_id, journey_id and version; they never change.

CREATE OR REPLACE FUNCTION private.find_dirt(p_workspace_id uuid, p_signals private.signals[], p_hits private.feature_hit[])
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return array(
    with others as materialized (
      select s.kind, s.customer_id, s.name from unnest(p_signals) as s where s.kind <> 'event'
    ),
    dirt as (
      select g.id as segment_id, i.customer_id, 'event' as cause
      from unnest(p_hits) as h
      cross join lateral (
        select x.segment_id from private.segment_parts as x
        where x.workspace_id = p_workspace_id and x.kind = 'feature' and x.ref = h.feature_id::text
        offset 0
      ) as p
      cross join lateral (
        select x.id, x.is_growing, x.computed_version from public.segments as x
        where x.workspace_id = p_workspace_id and x.id = p.segment_id limit 1
      ) as g
      cross join lateral (
        select x.customer_id from public.identities as x
        where x.workspace_id = p_workspace_id and x.id = h.identity_id limit 1
      ) as i
      -- Those whom the event can only confirm stay; their timer stays early enough.
      where not (g.is_growing and exists (
        select from public.segment_members as m
        where m.workspace_id = p_workspace_id and m.segment_id = g.id and m.version = g.computed_version
          and m.customer_id = i.customer_id
      ))
      union all
      select p.segment_id, o.customer_id, k.cause
      from others as o
      join (
        values ('profile', 'field', 'profile'), ('seen', 'field', 'event'), ('consent', 'topic', 'consent'),
          ('segment', 'segment', 'segment')
      ) as k (kind, part, cause) on k.kind = o.kind
      cross join lateral (
        select x.segment_id, x.ref from private.segment_parts as x
        where x.workspace_id = p_workspace_id and x.kind = k.part
          and (k.kind <> 'segment' or x.ref = o.name) and (k.kind <> 'seen' or x.ref = 'last_seen_at')
        offset 0
      ) as p
      union all
      select g.id, o.customer_id, case o.kind when 'merge' then 'merge' else 'profile' end
      from others as o
      join public.segments as g on g.workspace_id = p_workspace_id and g.kind = 'live'
      where o.kind in ('created', 'merge')
        -- A customer without events is in no such segment, and one with events has signals of them.
        and not (o.kind = 'created' and g.is_growing and exists (
          select from private.segment_nodes as n where n.workspace_id = g.workspace_id and n.segment_id = g.id
        ))
    )
    select row(d.segment_id, d.customer_id, d.cause, null, null)::private.segment_truth from dirt as d
  );
end
$function$
  comment: The customers that signals and the features they hit make it necessary to compare with segments, some several times.

CREATE OR REPLACE FUNCTION private.find_entrant(p_workspace_id uuid, p_customer_id uuid, p_external_id text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'journeys:write');
  if p_customer_id is not null then
    return (
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.id = p_customer_id
    );
  end if;
  return (
    select i.customer_id from public.identities as i
    where i.workspace_id = p_workspace_id and i.kind = 'external' and i.value = p_external_id
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The customer with this id, or with this external id; null if there is none. SP403 for callers who may not let customers enter journeys.

CREATE OR REPLACE FUNCTION private.find_events(p_workspace_id uuid, p_condition jsonb, p_page jsonb, p_until timestamp with time zone, p_now timestamp with time zone)
 RETURNS TABLE(received_at timestamp with time zone, id uuid, is_last boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    private.stored_scope(p_workspace_id), private.resolve_condition(p_workspace_id, p_condition)
  );
  v_limit integer := (p_page ->> 'limit')::integer;
  v_step integer := least(coalesce(v_limit, 5000), 5000);
  v_left integer := v_limit;
  v_rows integer;
  v_read record;
begin
  loop
    select array_agg(p.received_at) as ats, array_agg(p.id) as ids, count(*) as count into v_read
    from private.events_page(p_workspace_id, p_page, v_step) as p;
    return query
    select m.received_at, m.id, false
    from private.match_events(v_compiled, p_workspace_id, v_read.ats, v_read.ids, p_now) as m
    limit v_left;
    get diagnostics v_rows = row_count;
    v_left := v_left - v_rows;
    exit when v_left <= 0;
    if v_read.count < v_step then
      return query select null::timestamptz, null::uuid, true;
      exit;
    end if;
    exit when clock_timestamp() > p_until;
    p_page := p_page || jsonb_build_object(
      'before_received_at', v_read.ats[v_step], 'before_id', v_read.ids[v_step]
    );
    v_step := least(v_step * 4, 5000);
  end loop;
end
$function$
  comment: Events of a list that fulfil a condition, newest first, up to the limit of the page or until p_until; after the last of all comes a row with is_last.

CREATE OR REPLACE FUNCTION private.find_inbound_sources(p_ids uuid[])
 RETURNS TABLE(source_id uuid, workspace_id uuid, scheme text, hmac jsonb, topic_arn text, preset text, mapping jsonb, secrets jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select
    s.id, s.workspace_id, s.scheme, s.hmac, s.topic_arn, s.preset, s.mapping,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'ciphertext', k.ciphertext, 'expires_at', private.rfc3339(k.expires_at)
      ) order by k.created_at desc)
      from private.inbound_secrets as k
      where k.workspace_id = s.workspace_id and k.source_id = s.id
        and coalesce(k.expires_at, 'infinity') > now()
    ), '[]')
  from public.inbound_sources as s
  where s.id = any (p_ids) and s.enabled
$function$
  grant execute on function to signalpost_ingest
  comment: The enabled sources with these ids and their live secrets.

CREATE OR REPLACE FUNCTION private.find_journey_id(p_workspace_id uuid, p_ref text, p_path text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_id uuid := (
    select j.id
    from public.journeys as j
    where j.workspace_id = p_workspace_id and (j.key = p_ref or j.id::text = lower(p_ref))
    order by j.id::text = lower(p_ref) desc
    limit 1
  );
begin
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a journey: none has the id or key "%s"', p_ref),
      column = p_path || '.journey';
  end if;
  return v_id;
end
$function$
  comment: The journey with this id or key; SP400 with the path of the leaf when there is none.

CREATE OR REPLACE FUNCTION private.find_known(p_step private.ingest_step)
 RETURNS private.ingest_step
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- An id without a customer so far belongs to a later entry, and stays unknown to this one.
  if p_step.identity_id is null or p_step.customer_id is not null then
    select d.id, d.customer_id into p_step.identity_id, p_step.customer_id
    from public.identities as d
    where d.workspace_id = p_step.workspace_id and d.kind = 'external'
      and d.value = p_step.external_id;
  end if;
  if p_step.other_identity_id is null or p_step.other_customer_id is not null then
    select d.id, d.customer_id into p_step.other_identity_id, p_step.other_customer_id
    from public.identities as d
    where d.workspace_id = p_step.workspace_id
      and d.kind = case p_step.kind when 'identify' then 'anon' else 'external' end
      and d.value = p_step.other_id;
  end if;
  return p_step;
end
$function$
  comment: The step with its ids looked up again, after an earlier step moved or added some.

CREATE OR REPLACE FUNCTION private.find_link_url(p_workspace_id uuid, p_send_id uuid, p_index integer)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select (private.find_send(p_workspace_id, p_send_id)).links[p_index + 1]
$function$
  grant execute on function to signalpost_links
  comment: The URL at a position of the link table of a send, counted from 0; null if there is none.

CREATE OR REPLACE FUNCTION private.find_listed(p_workspace_id uuid, p_ids jsonb)
 RETURNS TABLE(kind text, value text, customer_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query
  select 'customer_ids', v, c.id
  from jsonb_array_elements_text(coalesce(p_ids -> 'customer_ids', '[]')) as v
  left join lateral (
    select x.id from public.customers as x
    where x.workspace_id = p_workspace_id and x.id = case
      when v ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then v::uuid
    end
    limit 1
  ) as c on true
  union all
  select 'external_ids', v, i.customer_id
  from jsonb_array_elements_text(coalesce(p_ids -> 'external_ids', '[]')) as v
  left join lateral (
    select x.customer_id from public.identities as x
    where x.workspace_id = p_workspace_id and x.kind = 'external' and x.value = v limit 1
  ) as i on true
  union all
  select 'emails', v, c.id
  from jsonb_array_elements_text(coalesce(p_ids -> 'emails', '[]')) as v
  left join lateral (
    select x.id from public.customers as x
    where x.workspace_id = p_workspace_id and lower(x.email) = lower(v) and x.email is not null
  ) as c on true;
end
$function$
  comment: The customers that a list of ids, external ids and e-mail addresses names; null for one that leads to nobody.

CREATE OR REPLACE FUNCTION private.find_messages(p_workspace_id uuid, p_destination_ids uuid[], p_filter private.message_filter, p_before private.message_position, p_limit integer)
 RETURNS SETOF private.message_position
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_filter private.message_filter := p_filter;
  v_oldest record;
  v_has_more boolean := false;
begin
  if v_filter.event_type is not null then
    return query select * from private.find_of_type(
      p_workspace_id, p_destination_ids, p_filter, p_before, p_limit
    );
    return;
  end if;
  if v_filter.state is null and v_filter.destination_id is null then
    -- Every message had a destination, so this many fill the page unless some were deleted.
    select m.id, m.created_at, count(*) over () > p_limit as has_more into v_oldest
    from (
      select n.id, n.created_at
      from public.webhook_messages as n
      where n.workspace_id = p_workspace_id
        and n.created_at >= (p_filter).from_at and n.created_at <= (p_before).created_at
        and n.id >= (p_filter).from_id and n.id <= (p_before).message_id
      order by n.created_at desc, n.id desc
      limit p_limit + 1
    ) as m
    order by m.id
    limit 1;
    v_filter.from_id := coalesce(v_oldest.id, v_filter.from_id);
    v_filter.from_at := coalesce(v_oldest.created_at, v_filter.from_at);
    v_has_more := coalesce(v_oldest.has_more, false);
  end if;
  return query
  select f.*
  from (
    select * from private.find_queued(p_workspace_id, p_destination_ids, v_filter, p_before, p_limit)
    union
    select * from private.find_decided(p_workspace_id, p_destination_ids, v_filter, p_before, p_limit)
    union
    select v_filter.from_id, '00000000-0000-0000-0000-000000000000', v_filter.from_at
    where v_has_more
  ) as f
  order by f.message_id desc, f.destination_id desc
  limit p_limit;
end
$function$
  comment: Up to p_limit messages at these destinations, before a position, newest first. Their state may be another one than the filter's. The last one has no destination if the search stopped there and there may be more.

CREATE OR REPLACE FUNCTION private.find_move_job(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(workspace_id uuid, id uuid, journey_id uuid, version integer, stands jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  select j.workspace_id, j.id, j.journey_id, j.version, coalesce((
    select jsonb_agg(distinct jsonb_build_array(r.version, r.step))
    from public.journey_runs as r
    where r.workspace_id = j.workspace_id and r.journey_id = j.journey_id and r.state = 'active'
      and r.version < j.version
  ), '[]')
  from private.journey_jobs as j
  where j.due_at <= p_now and j.kind = 'move'
  order by j.due_at, j.id
  limit 1
$function$
  grant execute on function to signalpost_automation
  comment: A job that moves runs to a new version, with the pairs of version and step at which they stand.

CREATE OR REPLACE FUNCTION private.find_moved_addresses(p_addresses bytea[])
 RETURNS TABLE(address bytea, cell text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select m.address, m.cell from private.moved_addresses as m where m.address = any (p_addresses)
$function$
  grant execute on function to signalpost_ingest
  grant execute on function to signalpost_key
  comment: The cells of the workspaces that moved away, by keys (SHA-256) and sources (the bytes of the id).

CREATE OR REPLACE FUNCTION private.find_named(p_table text, p_workspace_id uuid, p_ref text, p_path text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$
  comment: The id of a segment, template, sender or topic with this id or key; SP400 with the path of the field when there is none, null for null.

CREATE OR REPLACE FUNCTION private.find_of_type(p_workspace_id uuid, p_destination_ids uuid[], p_filter private.message_filter, p_before private.message_position, p_limit integer)
 RETURNS SETOF private.message_position
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  with looked_at as materialized (
    select m.id, m.created_at, m.event_type
    from public.webhook_messages as m
    where m.workspace_id = p_workspace_id
      and m.created_at >= (p_filter).from_at and m.created_at <= (p_before).created_at
      and m.id >= (p_filter).from_id and m.id <= (p_before).message_id
    order by m.created_at desc, m.id desc
    limit 1000
  ),
  typed as materialized (
    select l.id, l.created_at from looked_at as l
    where l.event_type = (p_filter).event_type
    order by l.id desc
    limit p_limit
  ),
  found as (
    select t.id, d.id as destination_id, t.created_at
    from typed as t
    cross join unnest(p_destination_ids) as d (id)
    where exists (
      select from private.webhook_queue as q
      where q.workspace_id = p_workspace_id and q.destination_id = d.id and q.message_id = t.id
    )
    or exists (
      select from public.missed_messages as m
      where m.workspace_id = p_workspace_id and m.destination_id = d.id
        and m.message_created_at = t.created_at and m.message_id = t.id
    )
    or exists (
      select from public.canceled_messages as c
      where c.workspace_id = p_workspace_id and c.destination_id = d.id
        and c.message_created_at = t.created_at and c.message_id = t.id
    )
    or exists (
      select from private.fan_outs as f
      where f.workspace_id = p_workspace_id and f.message_id = t.id
        and d.id = any (f.destination_ids || f.missed_ids)
    )
    union
    select t.id, a.destination_id, t.created_at
    from typed as t
    cross join lateral (
      select n.destination_id
      from public.deliveries as n
      where n.workspace_id = p_workspace_id and n.message_id = t.id
        and n.attempted_at >= private.attempts_start(t.created_at)
      offset 0
    ) as a
    where a.destination_id = any (p_destination_ids)
  )
  select f.id, f.destination_id, f.created_at
  from found as f
  where (f.id, f.destination_id) < ((p_before).message_id, (p_before).destination_id)
  union all
  -- Where the search stopped: before all destinations of the last message.
  (
    select e.id, '00000000-0000-0000-0000-000000000000', e.created_at
    from (
      select t.id, t.created_at from typed as t where (select count(*) from typed) = p_limit
      union all
      select l.id, l.created_at from looked_at as l where (select count(*) from looked_at) = 1000
    ) as e
    order by (select count(*) from typed) = p_limit and e.id not in (select t.id from typed as t), e.id
    limit 1
  )
  order by 1 desc, 2 desc
$function$
  comment: Messages of one event type at these destinations, before a position, among the newest 1,000; then, without a destination, the message where the search stopped, if there may be more.

CREATE OR REPLACE FUNCTION private.find_preferences(p_workspace_id uuid, p_send_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select jsonb_build_object(
    'workspace', w.name,
    'locale', c.locale,
    'topic_id', s.topic_id,
    'topics', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', t.id, 'name', t.name, 'description', t.description, 'subscribed', a.subscribed
      ) order by t.name, t.id)
      from private.address_states(
        s.workspace_id, s.channel, array[private.address_hash(s.workspace_id, s.channel, s.email)]
      ) as a
      join public.topics as t on t.workspace_id = s.workspace_id and t.id = a.topic_id
    ), '[]')
  )
  from private.find_send(p_workspace_id, p_send_id) as s
  join public.workspaces as w on w.id = s.workspace_id
  left join public.customers as c on c.workspace_id = s.workspace_id and c.id = s.customer_id
  where s.email is not null
$function$
  grant execute on function to signalpost_links
  comment: The contents of the page of a send: name of the workspace, locale of the customer, the topic of the send, and all topics with the state of its address. Null for a send that is gone.

CREATE OR REPLACE FUNCTION private.find_queued(p_workspace_id uuid, p_destination_ids uuid[], p_filter private.message_filter, p_before private.message_position, p_limit integer)
 RETURNS SETOF private.message_position
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  select q.message_id, d.id, q.message_created_at
  from unnest(p_destination_ids) as d (id)
  left join private.lanes as l on l.workspace_id = p_workspace_id and l.destination_id = d.id
  cross join lateral (
    select n.message_id, n.message_created_at
    from private.webhook_queue as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id
      and n.message_id >= (p_filter).from_id and n.message_id <= (p_before).message_id
      and (n.message_id < (p_before).message_id or d.id < (p_before).destination_id)
      and (
        (p_filter).state is null
        or (p_filter).state = case
          when n.claim is null and not n.is_manual
            and (not l.is_enabled or l.open_until is not null) then 'held'
          when n.tries > 0 then 'retrying'
          else 'waiting'
        end
      )
    order by n.message_id desc
    limit p_limit
  ) as q
  where (p_filter).state is null or (p_filter).state in ('waiting', 'retrying', 'held')
  union
  select f.message_id, d.id, f.message_created_at
  from (
    select n.message_id, n.message_created_at, n.destination_ids, n.missed_ids
    from private.fan_outs as n
    where n.workspace_id = p_workspace_id
      and n.message_id >= (p_filter).from_id and n.message_id <= (p_before).message_id
      and p_destination_ids && (n.destination_ids || n.missed_ids)
    order by n.message_id desc
    limit p_limit
  ) as f
  cross join unnest(p_destination_ids) as d (id)
  where (f.message_id < (p_before).message_id or d.id < (p_before).destination_id)
    and (
      d.id = any (f.destination_ids) and ((p_filter).state is null or (p_filter).state = 'waiting')
      or d.id = any (f.missed_ids) and ((p_filter).state is null or (p_filter).state = 'missed')
    )
$function$
  comment: Messages that wait for these destinations, before a position: up to p_limit of each.

CREATE OR REPLACE FUNCTION private.find_references(p_workspace_id uuid, p_refs jsonb)
 RETURNS TABLE(kind text, name text, id uuid, has_unsubscribe boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write']) then
    return;
  end if;
  return query
  select r.kind, r.name, f.id, f.has_unsubscribe
  from jsonb_to_recordset(p_refs) as r (kind text, name text, ref_id uuid)
  cross join lateral (
    select t.id, v.has_unsubscribe
    from public.templates as t
    join public.template_versions as v
      on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
    where r.kind = 'template' and t.workspace_id = p_workspace_id
      and (t.key = r.name or t.id = r.ref_id)
    union all
    select s.id, null
    from public.senders as s
    where r.kind = 'sender' and s.workspace_id = p_workspace_id
      and (s.key = r.name or s.id = r.ref_id)
    union all
    select t.id, null
    from public.topics as t
    where r.kind = 'topic' and t.workspace_id = p_workspace_id
      and (t.key = r.name or t.id = r.ref_id)
    union all
    select s.id, null
    from public.segments as s
    where r.kind = 'segment' and s.workspace_id = p_workspace_id
      and (s.key = r.name or s.id = r.ref_id)
    union all
    select d.id, null
    from public.destinations as d
    where r.kind = 'destination' and d.workspace_id = p_workspace_id
      and d.id = r.ref_id
    union all
    select j.id, null
    from public.journeys as j
    where r.kind = 'journey' and j.workspace_id = p_workspace_id
      and (j.key = r.name or j.id = r.ref_id)
  ) as f;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: For each { "kind", "name", "ref_id" (the name, if it is an id) } the resource that has the name as its id or key, and for a template whether its body has a link to unsubscribe. Nothing for names that stand for no resource.

CREATE OR REPLACE FUNCTION private.find_run_events(p_workspace_id uuid, p_wanted jsonb, p_runs public.journey_runs[])
 RETURNS TABLE(run_id uuid, event_id uuid, received_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_since text := case when p_wanted ->> 'since' = 'step' then 'stepped' else 'entered' end;
begin
  return query execute format(
    'select r.id, e.id, e.received_at
     from unnest($2) as r
     cross join lateral (
       select x.id, x.received_at
       from public.identities as i
       join public.events as x on x.workspace_id = i.workspace_id and x.identity_id = i.id
       where i.workspace_id = $1 and i.customer_id = r.customer_id
         and x.kind = ''event'' and x.name = %1$L
         and x.received_at >= r.%2$s_at and (x.received_at, x.id) > (r.%2$s_at, r.%2$s_id)
         and x.received_at < coalesce(r.stepped_at + %3$L::interval, r.entered_at + %6$L::interval, ''infinity'')
         and %4$s and %5$s
       order by x.received_at, x.id
       limit 1
     ) as e',
    p_wanted ->> 'event', v_since,
    private.read_duration(p_wanted ->> 'timeout'),
    private.where_sql(
      private.leaf_feature(jsonb_build_object(
        'event', p_wanted -> 'event', 'where', coalesce(p_wanted -> 'where', '[]')
      )) -> 'conditions', 'x.properties'
    ),
    private.match_sql(p_wanted -> 'match'),
    private.read_duration(p_wanted ->> 'within')
  ) using p_workspace_id, p_runs;
end
$function$
  comment: The first event of each run's customer that fulfils {event, where, match, since: step | entry, timeout | within}, after the run's position or entry.

CREATE OR REPLACE FUNCTION private.find_segment_id(p_workspace_id uuid, p_ref text, p_path text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_id uuid := (
    select s.id
    from public.segments as s
    where s.workspace_id = p_workspace_id and (s.key = p_ref or s.id::text = lower(p_ref))
    order by s.id::text = lower(p_ref) desc
    limit 1
  );
begin
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a segment: none has the id or key "%s"', p_ref),
      column = p_path || '.segment';
  end if;
  return v_id;
end
$function$
  comment: The segment with this id or key; SP400 with the path of the leaf when there is none.

CREATE OR REPLACE FUNCTION private.find_send(p_workspace_id uuid, p_send_id uuid)
 RETURNS public.sends
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.*
  from public.sends as s
  where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_send_id)
    and s.id = p_send_id
$function$
  comment: A send by its id, in the one partition that the id names; null if there is none.

CREATE OR REPLACE FUNCTION private.find_sender(p_workspace_id uuid, p_sender_id uuid)
 RETURNS TABLE(name text, provider text, from_address text, reply_to text, config jsonb, ciphertext text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select o.name, o.provider, o.from_address, o.reply_to, o.config, k.ciphertext
  from public.senders as o
  left join private.sender_secrets as k on k.workspace_id = o.workspace_id and k.sender_id = o.id
  where o.workspace_id = p_workspace_id and o.id = p_sender_id
$function$
  grant execute on function to signalpost_send
  comment: A sender with its credentials as ciphertext, for a test call.

CREATE OR REPLACE FUNCTION private.find_sends(p_workspace_id uuid, p_entries jsonb)
 RETURNS TABLE(entry integer, send_id uuid, external_id text, anon_id text, properties jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select
    e.ordinality::integer, s.id, case i.kind when 'external' then i.value end,
    case i.kind when 'anon' then i.value end, private.send_properties(s)
  from rows from (
    jsonb_to_recordset(p_entries) as (send_id uuid, provider_id text, email text, is_only boolean)
  ) with ordinality as e
  cross join lateral (
    select private.address_hash(p_workspace_id, 'email', e.email) as hash offset 0
  ) as h
  cross join lateral (
    select f.*
    from (
      select 1 as rank, b.* from private.find_send(p_workspace_id, e.send_id) as b
      union all
      (
        select 2, b.*
        from public.sends as b
        where b.workspace_id = p_workspace_id and b.provider_id = e.provider_id
        order by b.queued_at desc
        limit 5
      )
      union all
      (
        select 3, b.*
        from public.sends as b
        where b.workspace_id = p_workspace_id and b.address_hash = h.hash
          and b.queued_at > now() - interval '30 days'
          and b.state in ('sending', 'sent', 'unknown') and not b.is_test
          -- An id that leads to nothing belongs to a message that is not ours.
          and e.send_id is null and (e.provider_id is null or b.provider_id is null)
        order by b.queued_at desc
        limit 1
      )
    ) as f
    -- If there are several recipients: only the one that the send was for.
    where f.id is not null and (e.is_only or f.address_hash = h.hash)
    order by f.rank, f.queued_at desc
    limit 1
  ) as m
  cross join lateral private.find_send(p_workspace_id, m.id) as s
  cross join lateral private.newest_identity(p_workspace_id, s.customer_id) as i
  where i.id is not null
$function$
  grant execute on function to signalpost_ingest
  comment: The sends that reports are about: a JSON array of { send_id, provider_id, email, is_only }. By our id, else the provider's, else the newest send to the address. entry counts from 1; no row for a report that fits no send of a customer.

CREATE OR REPLACE FUNCTION private.find_suppression(p_workspace_id uuid, p_email text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id
  from public.suppressions as s
  where s.workspace_id = p_workspace_id and s.channel = 'email'
    and s.address_hash = private.address_hash(p_workspace_id, 'email', p_email)
    and (
      p_workspace_id in (select private.member_workspace_ids())
      or p_workspace_id = (
        select private.key_workspace_id(array['suppressions:read', 'suppressions:write'])
      )
    )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The id of the suppression of an address in a workspace of the caller's, also after an erasure; null when there is none.

CREATE OR REPLACE FUNCTION private.find_topic_id(p_workspace_id uuid, p_ref text, p_path text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
begin
  if to_regclass('public.topics') is not null then
    execute 'select t.id from public.topics as t
      where t.workspace_id = $1 and (t.key = $2 or t.id::text = lower($2)) limit 1'
    into v_id using p_workspace_id, p_ref;
  end if;
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a topic: none has the id or key "%s"', p_ref),
      column = p_path || '.topic';
  end if;
  return v_id;
end
$function$
  comment: The topic with this id or key; SP400 with the path of the leaf when there is none.

CREATE OR REPLACE FUNCTION private.find_user(p_email text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select u.id
  from auth.users as u
  where lower(u.email) = lower(p_email)
    -- Anybody can sign up with an address that is not theirs.
    and u.email_confirmed_at is not null and u.deleted_at is null
  order by u.created_at, u.id
  limit 1
$function$
  comment: The account with this confirmed e-mail address; the oldest if there are several, as with single sign-on.

CREATE OR REPLACE FUNCTION private.finish_erasure_step(p_erasure private.erasures, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_next private.erasure_steps := (
    select private.next_erasure_step(s.subject, s.position)
    from private.erasure_steps as s
    where s.step = p_erasure.step
  );
begin
  if v_next.step is null then
    delete from private.erasures as e
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  else
    update private.erasures as e
    set step = v_next.step, cursor = '', due_at = p_now + v_next.delay
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  end if;
end
$function$
  comment: Moves an erasure on to its next step; deletes it after the last.

CREATE OR REPLACE FUNCTION private.finish_rows(p_results private.attempt_result[], p_now timestamp with time zone)
 RETURNS private.finished_row[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_finished private.finished_row[];
begin
  -- A replay may be changing a row right now: see the note on ctid in schema/deliveries/claim.sql.
  perform
  from unnest(p_results) as r
  cross join lateral (
    select from private.webhook_queue as w
    where w.workspace_id = r.workspace_id and w.destination_id = r.destination_id
      and w.message_id = r.message_id and w.claim = r.claim
    for update
  ) as q;

  with held as materialized (
    select r.action, r.attempt_number, r.next_attempt_at, q.row_id, q.is_replayed
    from unnest(p_results) as r
    cross join lateral (
      select w.ctid as row_id, w.is_replayed
      from private.webhook_queue as w
      where w.workspace_id = r.workspace_id and w.destination_id = r.destination_id
        and w.message_id = r.message_id and w.claim = r.claim
      for update
    ) as q
  ),
  removed as (
    delete from private.webhook_queue as q
    using held as h
    where q.ctid = h.row_id
      and h.action in ('delivered', 'exhausted', 'drop') and not h.is_replayed
    returning q.workspace_id, q.destination_id
  ),
  kept as (
    update private.webhook_queue as q
    set
      claim = null, claimed_at = null, lease_until = null,
      due_at = case when q.is_replayed then p_now else coalesce(h.next_attempt_at, p_now) end,
      attempts = case when h.action = 'release' then q.attempts else h.attempt_number end,
      tries = case when q.is_replayed then 0 when h.action = 'release' then q.tries else q.tries + 1 end,
      trigger = case when q.is_replayed then 'replay' when h.action = 'release' then q.trigger else 'retry' end,
      is_manual = q.is_manual and (q.is_replayed or h.action = 'release'),
      is_replayed = false
    from held as h
    where q.ctid = h.row_id
      and (h.action in ('retry', 'disable', 'release') or h.is_replayed)
    returning q.workspace_id, q.destination_id, q.due_at, q.is_manual
  )
  select coalesce(array_agg(f::private.finished_row), '{}') into v_finished
  from (
    select r.workspace_id, r.destination_id, null::timestamptz, false from removed as r
    union all
    select k.workspace_id, k.destination_id, k.due_at, k.is_manual from kept as k
  ) as f;
  return v_finished;
end
$function$
  comment: Removes or reschedules the rows that are still under the claim they were sent under; changes no others.

CREATE OR REPLACE FUNCTION private.finish_sends(p_results private.send_result[], p_now timestamp with time zone)
 RETURNS private.send_result[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  delete from private.send_queue as q
  using unnest(p_results) as r
  where r.action not in ('retry', 'release')
    and q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id;
  update private.send_queue as q
  set
    claim = null, lease_until = null, started_at = null,
    due_at = coalesce(r.next_attempt_at, p_now),
    attempts = q.attempts + case r.action when 'retry' then 1 else 0 end
  from unnest(p_results) as r
  where r.action in ('retry', 'release')
    and q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id;
  update public.sends as s
  set
    state = case r.action
      when 'settled' then s.state
      when 'retry' then 'queued'
      when 'release' then 'queued'
      else r.action
    end,
    reason = case r.action when 'settled' then s.reason else r.reason end,
    provider_id = coalesce(s.provider_id, r.provider_id),
    attempts = case when r.attempt is null then s.attempts else s.attempts || jsonb_build_array(r.attempt) end,
    sent_at = case r.action when 'sent' then coalesce(s.sent_at, r.attempted_at) else s.sent_at end,
    finished_at = case
      when r.action in ('retry', 'release') then null
      else coalesce(s.finished_at, p_now)
    end
  from unnest(p_results) as r
  where r.action <> 'drop'
    and s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
    and s.id = r.send_id;
  return array(
    select r
    from unnest(p_results) as r
    where not exists (
      select from private.send_queue as q
      where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
        and q.claim = r.claim
    )
    order by r.position
  );
end
$function$
  comment: Removes or reschedules rows of the queue, and notes the outcomes of their messages. Returns the results that took effect: all, except those of a workspace that is being moved.

CREATE OR REPLACE FUNCTION private.first_instant(p_local timestamp without time zone, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_utc timestamptz := p_local at time zone 'UTC';
  -- Offsets are below 16 hours: the clocks change at most once between the two instants.
  v_before interval := private.zone_offset(v_utc - interval '16 hours', p_zone);
  v_after interval := private.zone_offset(v_utc + interval '16 hours', p_zone);
  v_low timestamptz := v_utc - v_after;
  v_high timestamptz := v_utc - v_before;
  v_middle timestamptz;
begin
  if v_high at time zone p_zone = p_local then
    return v_high;
  elsif v_low at time zone p_zone = p_local then
    return v_low;
  end if;
  -- The zone leaves the time out: the clocks change between v_low and v_high, at a whole second.
  v_low := date_trunc('second', v_low);
  v_high := date_trunc('second', v_high) + interval '1 second';
  while v_high - v_low > interval '1 second' loop
    v_middle := date_trunc('second', v_low + (v_high - v_low) / 2);
    if private.zone_offset(v_middle, p_zone) = v_before then
      v_low := v_middle;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_high;
end
$function$
  comment: The first instant at which the clocks of a zone show a local time; for a time that they leave out, the first instant after the gap.

CREATE OR REPLACE FUNCTION private.first_message_id(p_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select (
    lpad(to_hex(ceil(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000'
  )::uuid
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The lowest version 7 UUID of a time: messages with this id or a higher one were created at or after it.

CREATE OR REPLACE FUNCTION private.fit_attributes(p_own jsonb, p_others jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_room integer := 65536 - octet_length(p_own::text);
  v_keys integer := 1000 - (select count(*) from jsonb_object_keys(p_own));
begin
  return (
    select coalesce(jsonb_object_agg(f.key, f.value), '{}')
    from (
      select
        o.key, o.value, row_number() over shortest as position,
        -- With the colon, the comma and two spaces.
        sum(octet_length(to_json(o.key)::text) + octet_length(o.value::text) + 4) over shortest as bytes
      from jsonb_each(p_others) as o
      where not p_own ? o.key
      window shortest as (
        order by octet_length(o.value::text), o.key rows unbounded preceding
      )
    ) as f
    where f.position <= v_keys and f.bytes <= v_room
  ) || p_own;
end
$function$
  comment: Attributes of a survivor, with as many of the merged record's as one customer may have, the shortest first.

CREATE OR REPLACE FUNCTION private.fold_arrivals()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_workspace_ids uuid[];
  v_destination_ids uuid[];
  v_due_ats timestamptz[];
  v_manual_due_ats timestamptz[];
  v_found integer;
begin
  with arrived as (
    delete from private.lane_arrivals as a
    using (
      select t.workspace_id, t.id
      from private.lane_arrivals as t
      order by t.workspace_id, t.id
      limit 1000
      for update skip locked
    ) as t
    where a.workspace_id = t.workspace_id and a.id = t.id
    returning a.workspace_id, a.destination_ids, a.due_at, a.is_manual
  ),
  news as (
    select
      a.workspace_id, d.id as destination_id,
      min(a.due_at) filter (where not a.is_manual) as due_at,
      min(a.due_at) filter (where a.is_manual) as manual_due_at
    from arrived as a
    cross join unnest(a.destination_ids) as d (id)
    group by a.workspace_id, d.id
  )
  select
    array_agg(n.workspace_id), array_agg(n.destination_id), array_agg(n.due_at),
    array_agg(n.manual_due_at)
  into v_workspace_ids, v_destination_ids, v_due_ats, v_manual_due_ats
  from news as n;

  -- Regardless of the lane: a running claim may be about to mark it as empty.
  perform private.lock_lanes(v_workspace_ids, v_destination_ids);
  update private.lanes as l
  set
    due_at = least(l.due_at, n.due_at),
    manual_due_at = least(l.manual_due_at, n.manual_due_at)
  from unnest(v_workspace_ids, v_destination_ids, v_due_ats, v_manual_due_ats)
    as n (workspace_id, destination_id, due_at, manual_due_at)
  cross join lateral (
    select k.ctid as row_id from private.lanes as k
    where k.workspace_id = n.workspace_id and k.destination_id = n.destination_id
    for update
  ) as o
  where l.ctid = o.row_id;
  get diagnostics v_found = row_count;
  if v_found < cardinality(v_destination_ids) then
    -- Published while destination and lane were deleted: delete_unsendable_rows removes this.
    insert into private.lanes (workspace_id, destination_id, is_enabled, max_concurrency)
    select n.workspace_id, n.destination_id, false, 1
    from unnest(v_workspace_ids, v_destination_ids) as n (workspace_id, destination_id)
    on conflict (workspace_id, destination_id) do nothing;
  end if;
end
$function$
  comment: Marks the lanes that got new rows as due.

CREATE OR REPLACE FUNCTION private.fold_campaign_counts()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.fold_counts_of(k.workspace_id, k.campaign_id)
  from (
    select c.workspace_id, c.campaign_id
    from private.campaign_counts as c
    group by c.workspace_id, c.campaign_id, c.variant, c.kind
    having count(*) > 1
  ) as k
  group by k.workspace_id, k.campaign_id
$function$
  comment: Adds the counts of all campaigns up: opens and complaints come after the last step.

CREATE OR REPLACE FUNCTION private.fold_command(p_seconds numeric)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A function cannot commit: each fold is a transaction of its own.
  select format(
    'do $fold$
     declare
       v_until timestamptz := clock_timestamp() + make_interval(secs => %s);
       v_done integer := 1;
       v_is_busy boolean := false;
     begin
       loop
         v_done := private.fold_segments();
         commit;
         v_is_busy := v_is_busy or v_done > 0;
         exit when not v_is_busy or clock_timestamp() > v_until;
         if v_done = 0 then
           perform pg_sleep(0.02);
         end if;
       end loop;
     end
     $fold$',
    p_seconds
  )
$function$
  comment: The command that folds segments until nothing is due, or for that many seconds if something was. The local stack folds in a loop of its own.

CREATE OR REPLACE FUNCTION private.fold_counts_of(p_workspace_id uuid, p_campaign_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with gone as (
    delete from private.campaign_counts as c
    where c.workspace_id = p_workspace_id and c.campaign_id = p_campaign_id
      and (c.variant, c.kind) in (
        select k.variant, k.kind
        from private.campaign_counts as k
        where k.workspace_id = p_workspace_id and k.campaign_id = p_campaign_id
        group by k.variant, k.kind
        having count(*) > 1
      )
    returning c.variant, c.kind, c.count
  )
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select p_workspace_id, p_campaign_id, g.variant, g.kind, sum(g.count)
  from gone as g
  group by g.variant, g.kind
$function$
  comment: Adds the counts of a campaign up, to one row each.

CREATE OR REPLACE FUNCTION private.fold_events(p_workspace_id uuid, p_signals private.signals[])
 RETURNS private.feature_hit[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_tests text := '';
  v_values text := '';
  v_is_any boolean := false;
  v_feature private.features;
begin
  for v_feature in
    select f.* from private.features as f
    where f.workspace_id = p_workspace_id and f.state <> 'dropped'
      and f.event in (select s.name from unnest(p_signals) as s where s.kind = 'event')
  loop
    v_is_any := true;
    if v_feature.conditions <> '[]' then
      v_tests := v_tests || format(
        ' when %s then %s', v_feature.id, private.where_sql(v_feature.conditions, 'e.properties')
      );
    end if;
    if v_feature.property is not null then
      v_values := v_values || format(
        ' when %s then %s', v_feature.id, private.feature_value_sql(v_feature, 'e.properties')
      );
    end if;
  end loop;
  if not v_is_any then
    return '{}';
  end if;
  return private.store_marks(p_workspace_id, format(
    'select f.id as feature_id, s.identity_id, s.at, f.keep, f.property is not null as is_total,
       case f.id %1$s else null end as value
     from unnest($2) as s
     cross join lateral (
       select x.* from private.features as x
       where x.workspace_id = $1 and x.event = s.name and x.state <> ''dropped''
       offset 0
     ) as f
     -- An identity that is gone belongs to an erased customer.
     join lateral (
       select i.id from public.identities as i where i.workspace_id = $1 and i.id = s.identity_id limit 1
     ) as i on true
     left join lateral (
       select x.properties from public.events as x
       where x.workspace_id = $1 and x.received_at = s.received_at and x.id = s.event_id
         and (f.conditions <> ''[]'' or f.property is not null)
       limit 1
     ) as e on true
     where s.kind = ''event''
       -- Later steps of the computation read what is behind its cursor.
       and (f.state = ''ready'' or (s.received_at, s.event_id) <= (f.cursor_at, f.cursor_id))
       and s.at >= coalesce(f.since, ''-infinity'') and s.at < coalesce(f.until, ''infinity'')
       and case f.id %2$s else true end',
    coalesce(nullif(v_values, ''), 'when 0 then null::numeric'),
    coalesce(nullif(v_tests, ''), 'when 0 then true')
  ), p_signals);
end
$function$
  comment: Adds the events of signals to the state of the features that they fulfil; returns who had an event of which feature.

CREATE OR REPLACE FUNCTION private.fold_journey_stats(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_rows integer;
begin
  with taken as (
    delete from private.journey_stat_deltas as d
    where (d.workspace_id, d.id) in (
      select n.workspace_id, n.id from private.journey_stat_deltas as n limit p_limit for update skip locked
    )
    returning d.*
  ),
  added as (
    insert into public.journey_stats as s (workspace_id, journey_id, version, step, kind, count)
    select t.workspace_id, t.journey_id, t.version, t.step, t.kind, sum(t.count)
    from taken as t
    -- A deleted journey leaves its last additions behind.
    join public.journeys as j on j.workspace_id = t.workspace_id and j.id = t.journey_id
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (workspace_id, journey_id, version, step, kind) do update set count = s.count + excluded.count
  )
  select count(*) into v_rows from taken;
  return v_rows;
end
$function$
  comment: Adds up to p_limit additions to the figures of journeys; returns how many.

CREATE OR REPLACE FUNCTION private.fold_journeys(p_workspace_id uuid, p_signals private.signals[], p_flips private.segment_truth[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_run_ids uuid[];
begin
  if not exists (select from private.journey_interests as i where i.workspace_id = p_workspace_id) then
    return;
  end if;
  perform private.enter_runs(
    p_workspace_id,
    private.entries_by_event(p_workspace_id, p_signals)
      || private.entries_by_segment(p_workspace_id, p_signals, p_flips, p_now),
    p_now
  );
  perform private.note_dates(p_workspace_id, p_signals, p_now);
  v_run_ids := array(
    select distinct r.id
    from private.changes_of(p_workspace_id, p_signals, p_flips) as c
    join private.journey_interests as i
      on i.workspace_id = p_workspace_id and i.role = 'run' and i.kind = c.kind and i.ref = c.ref
    join public.journey_runs as r
      on r.workspace_id = p_workspace_id and r.customer_id = c.customer_id and r.state = 'active'
      and r.journey_id = i.journey_id and r.version = i.version and (i.step = '' or i.step = r.step)
  );
  if cardinality(v_run_ids) > 0 then
    perform private.wake_runs(p_workspace_id, v_run_ids, p_now);
  end if;
end
$function$
  comment: Has customers enter journeys that signals and changes of segments trigger, and wakes the runs that wait for them.

CREATE OR REPLACE FUNCTION private.fold_run_arrivals()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_due jsonb;
begin
  with arrived as (
    delete from private.run_arrivals as a
    where (a.workspace_id, a.id) in (
      select n.workspace_id, n.id from private.run_arrivals as n
      order by n.workspace_id, n.id
      limit 1000
      for update skip locked
    )
    returning a.workspace_id, a.journey_id, a.due_at
  )
  select jsonb_agg(to_jsonb(n)) into v_due
  from (
    select a.workspace_id, a.journey_id, min(a.due_at) as due_at from arrived as a group by 1, 2
  ) as n;
  if v_due is null then
    return;
  end if;
  perform
  from (
    select d.* from jsonb_to_recordset(v_due) as d (workspace_id uuid, journey_id uuid) order by 1, 2
  ) as d
  cross join lateral (
    select from private.journey_lanes as l
    where l.workspace_id = d.workspace_id and l.journey_id = d.journey_id
    for update
  ) as l;
  update private.journey_lanes as l
  set due_at = least(l.due_at, d.due_at)
  from jsonb_to_recordset(v_due) as d (workspace_id uuid, journey_id uuid, due_at timestamptz)
  where l.workspace_id = d.workspace_id and l.journey_id = d.journey_id;
end
$function$
  comment: Marks the lanes whose runs became due.

CREATE OR REPLACE FUNCTION private.fold_segments(p_now timestamp with time zone DEFAULT clock_timestamp(), p_limit integer DEFAULT 1000)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_workspace_id uuid := private.take_segment_lane(p_now);
  v_done integer;
begin
  if v_workspace_id is null then
    return 0;
  end if;
  begin
    v_done := private.fold_workspace(v_workspace_id, p_now, p_limit);
    -- Each step of a computation runs between two folds.
    if v_done < p_limit then
      v_done := v_done + private.work_segment_job(v_workspace_id, p_now);
    end if;
    return v_done;
  exception when others then
    -- One workspace must not hold up the others.
    raise warning 'Cannot fold segments of workspace "%": %', v_workspace_id, sqlerrm;
    update private.segment_lanes as l
    set last_error = sqlerrm, folded_at = p_now, rest_until = clock_timestamp() + interval '5 seconds'
    where l.workspace_id = v_workspace_id;
    return 1;
  end;
end
$function$
  comment: Folds one workspace, the one that has waited the longest: up to p_limit signals and timers, and a step of a computation. Returns how much it did; 0 when nothing is due anywhere.

CREATE OR REPLACE FUNCTION private.fold_send_arrivals()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_workspace_ids uuid[];
  v_sender_ids uuid[];
  v_due_ats timestamptz[];
begin
  with arrived as (
    delete from private.send_arrivals as a
    using (
      select t.workspace_id, t.id
      from private.send_arrivals as t
      order by t.workspace_id, t.id
      limit 1000
      for update skip locked
    ) as t
    where a.workspace_id = t.workspace_id and a.id = t.id
    returning a.workspace_id, a.sender_ids, a.due_at
  ),
  news as (
    select a.workspace_id, d.id as sender_id, min(a.due_at) as due_at
    from arrived as a
    cross join unnest(a.sender_ids) as d (id)
    group by a.workspace_id, d.id
  )
  select array_agg(n.workspace_id), array_agg(n.sender_id), array_agg(n.due_at)
  into v_workspace_ids, v_sender_ids, v_due_ats
  from news as n;
  if v_sender_ids is null then
    return;
  end if;

  -- A sender that was deleted, or never was: its rows are handed out to be skipped.
  insert into private.send_lanes (workspace_id, sender_id, is_enabled, is_deleted, max_concurrency)
  select n.workspace_id, n.sender_id, true, true, 100
  from unnest(v_workspace_ids, v_sender_ids) as n (workspace_id, sender_id)
  order by n.sender_id, n.workspace_id
  on conflict (workspace_id, sender_id) do nothing;
  perform private.lock_send_lanes(v_workspace_ids, v_sender_ids);
  update private.send_lanes as l
  set due_at = least(l.due_at, n.due_at)
  from unnest(v_workspace_ids, v_sender_ids, v_due_ats) as n (workspace_id, sender_id, due_at)
  cross join lateral (
    select k.ctid as row_id from private.send_lanes as k
    where k.workspace_id = n.workspace_id and k.sender_id = n.sender_id
    for update
  ) as o
  where l.ctid = o.row_id;
end
$function$
  comment: Marks the lanes that got new messages as due.

CREATE OR REPLACE FUNCTION private.fold_topic_counts()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with gone as (
    delete from private.topic_counts as c
    using (
      select t.workspace_id, t.topic_id
      from private.topic_counts as t
      group by t.workspace_id, t.topic_id
      having count(*) > 1
    ) as k
    where c.workspace_id = k.workspace_id and c.topic_id = k.topic_id
    returning c.*
  ),
  folded as (
    insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
    select g.workspace_id, g.topic_id, sum(g.subscribed), sum(g.unsubscribed)
    from gone as g
    group by g.workspace_id, g.topic_id
    returning 1
  )
  select count(*)::integer from folded
$function$
  comment: Adds the counts of each topic up to one row; returns the number of topics.

CREATE OR REPLACE FUNCTION private.fold_usage(p_limit integer DEFAULT 20000)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_deltas private.usage_delta[];
begin
  -- One transaction at a time: two would wait for each other on the totals.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.usage', 0)) then
    return 0;
  end if;
  with taken as (
    delete from private.usage_deltas as d
    using (
      select u.workspace_id, u.id
      from private.usage_deltas as u
      order by u.workspace_id, u.id
      limit p_limit
      for update skip locked
    ) as t
    where d.workspace_id = t.workspace_id and d.id = t.id
    -- The fields of the type, in its order.
    returning d.workspace_id, d.at, d.name, d.events, d.customers, d.bytes
  )
  select array_agg(row(t.*)::private.usage_delta) into v_deltas from taken as t;

  insert into public.usage_stats as s (workspace_id, hour, events, customers, bytes)
  select
    d.workspace_id, date_trunc('hour', d.at, 'UTC'), sum(d.events), sum(d.customers), sum(d.bytes)
  from unnest(v_deltas) as d
  where exists (select from public.workspaces as w where w.id = d.workspace_id)
  group by 1, 2
  on conflict (workspace_id, hour) do update
  set
    events = s.events + excluded.events, customers = s.customers + excluded.customers,
    bytes = s.bytes + excluded.bytes;

  perform private.count_names(v_deltas);
  insert into public.event_name_stats as s (workspace_id, day, name, events)
  select d.workspace_id, date_trunc('day', d.at, 'UTC'), d.name, sum(d.events)
  from unnest(v_deltas) as d
  join public.event_names as n on n.workspace_id = d.workspace_id and n.name = d.name
  group by 1, 2, 3
  on conflict (workspace_id, day, name) do update set events = s.events + excluded.events;
  return coalesce(cardinality(v_deltas), 0);
end
$function$
  comment: Adds up to p_limit deltas to the totals; returns how many. A task of every 10 s.

CREATE OR REPLACE FUNCTION private.fold_workspace(p_workspace_id uuid, p_now timestamp with time zone, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_signals private.signals[];
  v_checks private.segment_truth[];
  v_dirt private.segment_truth[];
  v_flips private.segment_truth[];
begin
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  with taken as (
    delete from private.signals as s
    where s.workspace_id = p_workspace_id and s.id = any (array(
      select n.id from private.signals as n where n.workspace_id = p_workspace_id order by n.id limit p_limit
    ))
    returning s as signal
  )
  select coalesce(array_agg(t.signal order by (t.signal).id), '{}') into v_signals from taken as t;
  perform private.drop_customers(p_workspace_id, v_signals);
  v_dirt := private.find_dirt(p_workspace_id, v_signals, private.fold_events(p_workspace_id, v_signals));
  v_checks := private.take_checks(p_workspace_id, p_now, p_limit);
  v_flips := private.follow_dirt(p_workspace_id, private.merge_dirt(v_dirt || v_checks), p_now);
  perform private.fold_journeys(p_workspace_id, v_signals, v_flips, p_now);
  update private.segment_lanes as l
  set folded_at = p_now, last_error = null, next_check_at = coalesce((
    select k.check_at from private.segment_checks as k
    where k.workspace_id = p_workspace_id order by k.check_at limit 1
  ), 'infinity')
  where l.workspace_id = p_workspace_id;
  return cardinality(v_signals) + cardinality(v_checks);
end
$function$
  comment: Folds up to p_limit signals and p_limit due timers of a workspace whose lane the caller holds; returns how many.

CREATE OR REPLACE FUNCTION private.follow_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.copy_opt_outs(
    new.workspace_id,
    case
      when old.email is not null then array[old.email]
      -- The first address of a customer may replace those of records merged into it.
      else array(
        select m.profile ->> 'email'
        from public.customer_merges as m
        where m.workspace_id = new.workspace_id and m.customer_id = new.id
          and m.profile ? 'email'
      )
    end,
    new.email
  );
  return null;
end
$function$
  comment: Takes the opt-outs of a customer along when the address changes.

CREATE OR REPLACE FUNCTION private.follow_destination()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    update private.lanes as l set is_enabled = false, manual_due_at = null
    where l.workspace_id = old.workspace_id and l.destination_id = old.id;
    return null;
  end if;

  insert into private.lanes as l (
    workspace_id, destination_id, is_enabled, max_concurrency, rate_limit_per_second
  )
  values (new.workspace_id, new.id, new.enabled, new.max_concurrency, new.rate_limit_per_second)
  on conflict (workspace_id, destination_id) do update
  set
    is_enabled = excluded.is_enabled,
    max_concurrency = excluded.max_concurrency,
    rate_limit_per_second = excluded.rate_limit_per_second,
    limited_until = null;

  if tg_op = 'UPDATE' and new.enabled and not old.enabled then
    -- A second chance starts from zero; is_failing stays, so that a recovery is announced.
    update private.lanes as l
    set failures = 0, failing_since = null, probes = null, trips = 0, open_until = null,
      enabled_at = clock_timestamp()
    where l.workspace_id = new.workspace_id and l.destination_id = new.id;
    perform private.wake_dispatcher();
  elsif tg_op = 'UPDATE' and old.enabled and not new.enabled then
    update private.lanes as l set is_failing = true
    where l.workspace_id = new.workspace_id and l.destination_id = new.id;
    perform private.announce_destination(new, 'destination.disabled', new.disabled_reason);
  end if;
  return null;
end
$function$
  comment: Keeps the lane in step with its destination, and sends destination.disabled to the workspace's other destinations.

CREATE OR REPLACE FUNCTION private.follow_dirt(p_workspace_id uuid, p_dirt private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_told private.segment_truth[] := '{}';
  v_level integer := 0;
  v_last integer := (select max(s.level) from public.segments as s where s.workspace_id = p_workspace_id);
  v_flips private.segment_truth[];
begin
  while v_level <= v_last loop
    v_flips := private.apply_truths(
      p_workspace_id, private.evaluate_level(p_workspace_id, v_level, p_dirt, p_now), p_now
    );
    v_told := v_told || v_flips;
    if cardinality(v_flips) > 0 then
      p_dirt := private.merge_dirt(p_dirt || array(
        select row(p.segment_id, f.customer_id, 'segment', null, null)::private.segment_truth
        from unnest(v_flips) as f
        join private.segment_parts as p
          on p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = f.segment_id::text
      ));
    end if;
    v_level := v_level + 1;
  end loop;
  return v_told;
end
$function$
  comment: Compares customers with segments, those first that others name, and writes the effects; returns the changes of membership.

CREATE OR REPLACE FUNCTION private.follow_event_types()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.destination_event_types as s
  where s.workspace_id = new.workspace_id and s.destination_id = new.id
    and s.pattern <> all (new.event_types);
  insert into private.destination_event_types (workspace_id, pattern, destination_id)
  select distinct new.workspace_id, t.pattern, new.id
  from unnest(new.event_types) as t (pattern)
  on conflict do nothing;
  return null;
end
$function$
  comment: Keeps private.destination_event_types in step with the event types of a destination.

CREATE OR REPLACE FUNCTION private.follow_sender()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    -- The waiting messages are handed out to be skipped, as fast as possible.
    update private.send_lanes as l
    set
      is_deleted = true, is_enabled = true, max_concurrency = 100, rate_per_second = null,
      limited_until = null, paused_until = null, open_until = null, probes = null
    where l.workspace_id = old.workspace_id and l.sender_id = old.id;
    perform private.wake_worker('send-dispatch');
    return null;
  end if;

  insert into private.send_lanes as l (
    workspace_id, sender_id, is_enabled, max_concurrency, rate_per_second
  )
  values (
    new.workspace_id, new.id,
    new.enabled and (private.send_settings_of(new.workspace_id)).stopped_at is null,
    new.max_concurrency, new.rate_per_second
  )
  on conflict (workspace_id, sender_id) do update
  set
    is_enabled = excluded.is_enabled,
    max_concurrency = excluded.max_concurrency,
    rate_per_second = excluded.rate_per_second,
    limited_until = null;

  if tg_op = 'UPDATE' then
    -- After a change the sender is tried at once; is_failing stays, so that a recovery is announced.
    update private.send_lanes as l
    set
      failures = 0, failing_since = null, probes = null, trips = 0, open_until = null,
      paused_until = null,
      enabled_at = case when new.enabled and not old.enabled then clock_timestamp() else l.enabled_at end
    where l.workspace_id = new.workspace_id and l.sender_id = new.id;
    perform private.wake_worker('send-dispatch');
  end if;
  return null;
end
$function$
  comment: Keeps the lane in step with its sender.

CREATE OR REPLACE FUNCTION private.forget_missed(p_workspace_id uuid, p_message_id uuid, p_destination_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[];
begin
  -- First, because a dispatcher may be moving the message from here to the tables below.
  with changed as (
    update private.fan_outs as f
    set
      destination_ids = array(
        select i.id from unnest(f.destination_ids) as i (id) where i.id <> all (p_destination_ids)
      ),
      missed_ids = array(
        select i.id from unnest(f.missed_ids) as i (id) where i.id <> all (p_destination_ids)
      )
    from private.fan_outs as o
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
      and o.workspace_id = f.workspace_id and o.message_id = f.message_id
    returning o.destination_ids || o.missed_ids as ids
  )
  select coalesce(array_agg(i.id), '{}') into v_ids
  from changed as c
  cross join unnest(c.ids) as i (id)
  where i.id = any (p_destination_ids);
  with deleted as (
    delete from public.missed_messages as m
    where m.workspace_id = p_workspace_id and m.destination_id = any (p_destination_ids)
      and m.message_created_at = private.uuid_v7_time(p_message_id)
      and m.message_id = p_message_id
    returning m.destination_id
  )
  select v_ids || coalesce(array_agg(d.destination_id), '{}') into v_ids from deleted as d;
  return v_ids;
end
$function$
  comment: Removes a message from what these destinations missed, and from what is still to be queued for them; returns the destinations it was removed for.

CREATE OR REPLACE FUNCTION private.forget_topic()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.consents as c
  where c.workspace_id = old.workspace_id and c.topic_id = old.id;
  delete from private.topic_counts as c
  where c.workspace_id = old.workspace_id and c.topic_id = old.id;
  return null;
end
$function$
  comment: Deletes the consents and counts of a deleted topic.

CREATE OR REPLACE FUNCTION private.free_lanes(p_workspace_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.send_lanes as l
  set
    owner = null,
    refilled_at = least(l.refilled_at, clock_timestamp()),
    in_flight = w.in_flight,
    due_at = w.due_at
  from (
    select
      k.sender_id, count(q.send_id) filter (where q.claim is not null)::integer as in_flight,
      min(q.due_at) filter (where q.claim is null) as due_at
    from private.send_lanes as k
    left join private.send_queue as q
      on q.workspace_id = k.workspace_id and q.sender_id = k.sender_id
    where k.workspace_id = p_workspace_id
    group by k.sender_id
  ) as w
  where l.workspace_id = p_workspace_id and l.sender_id = w.sender_id;
  update private.lanes as l
  set
    owner = null,
    refilled_at = least(l.refilled_at, clock_timestamp()),
    in_flight = w.in_flight,
    due_at = w.due_at,
    manual_due_at = w.manual_due_at
  from (
    select
      k.destination_id,
      count(q.message_id) filter (where q.claim is not null)::integer as in_flight,
      min(q.due_at) filter (where q.claim is null and not q.is_manual) as due_at,
      min(q.due_at) filter (where q.claim is null and q.is_manual) as manual_due_at
    from private.lanes as k
    left join private.webhook_queue as q
      on q.workspace_id = k.workspace_id and q.destination_id = k.destination_id
    where k.workspace_id = p_workspace_id
    group by k.destination_id
  ) as w
  where l.workspace_id = p_workspace_id and l.destination_id = w.destination_id
$function$
  comment: Sets the lanes of a workspace to what is in its queue, and lets dispatchers claim from them.

CREATE OR REPLACE FUNCTION private.freeze_page(p_campaign public.campaigns, p_job private.campaign_jobs, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[] := private.audience_page(p_campaign, p_job.cursor, p_limit);
  v_bounds double precision[] := private.variant_bounds(p_campaign);
  v_has_variants boolean := p_campaign.variants <> '[]';
  v_test_share double precision := coalesce((p_campaign.winner ->> 'share')::double precision / 100, 1);
  v_spread interval := coalesce(private.read_duration(p_campaign.spread_over), '0');
begin
  with drawn as materialized (
    select d.*, case p_campaign.zone when 'customer' then coalesce(d.timezone, '') else '' end as zone
    from private.draw_recipients(p_campaign, v_ids) as d
  ),
  times as materialized (
    select t.*
    from private.zone_times(p_campaign, p_job, array(select distinct d.zone from drawn as d)) as t
  ),
  added as (
    insert into private.campaign_recipients (
      workspace_id, campaign_id, customer_id, address_hash, variant, due_at
    )
    select
      p_campaign.workspace_id, p_campaign.id, d.customer_id, d.address_hash,
      case
        when v_has_variants and d.share < v_test_share
        then width_bucket(d.share / v_test_share, v_bounds)
      end,
      case when d.share < v_test_share then t.due_at else t.rest_due_at end + v_spread * d.spread
    from drawn as d
    join times as t on t.timezone = d.zone
    where d.address_hash is not null
    order by d.customer_id
    on conflict do nothing
    returning variant
  )
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select p_campaign.workspace_id, p_campaign.id, k.variant, k.kind, k.count
  from (
    select coalesce(a.variant, case when v_has_variants then -1 else 0 end), 'recipients', count(*)
    from added as a
    group by 1
    union all
    select 0, 'no_address', count(*) from drawn as d where d.address_hash is null
    union all
    select 0, 'same_address', (
      select count(*) from drawn as d where d.address_hash is not null
    ) - (select count(*) from added as a)
  ) as k (variant, kind, count)
  where k.count > 0;
  update private.campaign_jobs as j set cursor = coalesce(v_ids[cardinality(v_ids)], j.cursor)
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
  return cardinality(v_ids) < p_limit;
end
$function$
  comment: Stores the recipients among the next p_limit members of a segment, and counts them; true after the last.

CREATE OR REPLACE FUNCTION private.gate_senders(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_is_stopped boolean := (private.send_settings_of(p_workspace_id)).stopped_at is not null;
begin
  perform from private.send_lanes as l
  where l.workspace_id = p_workspace_id
  order by l.sender_id
  for update;
  update private.send_lanes as l
  set is_enabled = l.is_deleted or (not v_is_stopped and coalesce(o.enabled, false))
  from private.send_lanes as k
  left join public.senders as o on o.workspace_id = k.workspace_id and o.id = k.sender_id
  where l.workspace_id = p_workspace_id
    and k.workspace_id = l.workspace_id and k.sender_id = l.sender_id;
end
$function$
  comment: Opens or closes the lanes of a workspace, by whether it was stopped and which senders are enabled.

CREATE OR REPLACE FUNCTION private.give_back_caps(p_results private.send_result[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_given jsonb;
begin
  if not exists (
    select from unnest(p_results) as r where r.action in ('failed', 'retry', 'release', 'skipped')
  ) then
    return;
  end if;
  select jsonb_agg(jsonb_build_object(
    'workspace_id', g.workspace_id, 'address_hash', g.address_hash, 'send_ids', g.send_ids
  ) order by g.workspace_id, g.address_hash) into v_given
  from (
    select u.workspace_id, u.address_hash, array_agg(r.send_id) as send_ids
    from unnest(p_results) as r
    join public.sends as s
      on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
      and s.id = r.send_id
    join private.cap_uses as u
      on u.workspace_id = s.workspace_id and u.channel = 'email' and u.address_hash = s.address_hash
    where r.action in ('failed', 'retry', 'release', 'skipped') and r.send_id = any (u.send_ids)
    group by u.workspace_id, u.address_hash
  ) as g;
  if v_given is null then
    return;
  end if;
  perform
  from jsonb_to_recordset(v_given) as g (workspace_id uuid, address_hash bytea)
  cross join lateral (
    select from private.cap_uses as u
    where u.workspace_id = g.workspace_id and u.channel = 'email' and u.address_hash = g.address_hash
    for update
  ) as u;
  update private.cap_uses as u
  set send_ids = k.send_ids, used_ats = k.used_ats
  from jsonb_to_recordset(v_given) as g (workspace_id uuid, address_hash bytea, send_ids uuid[])
  cross join lateral private.kept_uses(g.workspace_id, g.address_hash, g.send_ids, p_now) as k
  where u.workspace_id = g.workspace_id and u.channel = 'email' and u.address_hash = g.address_hash;
end
$function$
  comment: Frees the places in the caps of messages that were not sent.

CREATE OR REPLACE FUNCTION private.give_device_token(p_workspace_id uuid, p_customer_id uuid, p_token text, p_platform text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_is_known boolean := exists (
    select from public.device_tokens as t
    where t.workspace_id = p_workspace_id and t.token = p_token and t.customer_id = p_customer_id
  );
begin
  insert into public.device_tokens as t
    (workspace_id, token, customer_id, platform, created_at, updated_at)
  values (p_workspace_id, p_token, p_customer_id, p_platform, v_at, v_at)
  on conflict (workspace_id, token) do update
  set
    customer_id = excluded.customer_id,
    platform = excluded.platform,
    updated_at = excluded.updated_at;
  -- A customer over the limit after merges can still refresh each token.
  if not v_is_known then
    perform private.require_room('device_tokens', p_workspace_id, p_customer_id);
  end if;
end
$function$
  comment: Gives a token to a customer whose row the caller has locked for update, also if another one had it. SPLIM over the limit of the plan.

CREATE OR REPLACE FUNCTION private.halt_by_service(p_campaign public.campaigns, p_state text, p_reason text, p_explanation text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.halt_campaign(p_campaign, p_state, p_reason, p_explanation, p_now);
  perform private.write_system_audit(
    p_campaign.workspace_id, 'campaign.' || case p_state when 'paused' then 'pause' else 'cancel' end,
    p_campaign.id, jsonb_build_object('reason', p_reason)
  );
end
$function$
  comment: Pauses or cancels a campaign for a reason of the service, with an entry of the audit log.

CREATE OR REPLACE FUNCTION private.halt_campaign(p_campaign public.campaigns, p_state text, p_reason text, p_explanation text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.campaigns as c
  set
    state = p_state, reason = p_reason, explanation = p_explanation, updated_at = p_now,
    ended_at = case when p_state = 'cancelled' then p_now end
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id;
  update private.campaign_jobs as j
  set
    due_at = case when p_state = 'cancelled' then p_now else 'infinity' end,
    phase = case when p_state = 'cancelled' then 'cancel' else j.phase end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$function$
  comment: Pauses or cancels a campaign that the caller has locked: no recipient becomes a send.

CREATE OR REPLACE FUNCTION private.hand_over_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_reason jsonb := jsonb_build_object('reason', 'account_deleted');
  v_heir_id uuid;
begin
  if private.is_account(old.user_id)
    or not exists (select from public.workspaces as w where w.id = old.workspace_id)
  then
    return null;
  end if;
  perform private.write_system_audit(
    old.workspace_id, 'member.remove', old.user_id, v_reason || jsonb_build_object('role', old.role)
  );
  if old.role <> 'owner' or exists (
    select from public.workspace_members as m
    where m.workspace_id = old.workspace_id and m.role = 'owner'
  ) then
    return null;
  end if;
  -- Only admins: a member or viewer must not become the owner.
  select m.user_id into v_heir_id
  from public.workspace_members as m
  join auth.users as u on u.id = m.user_id
  where m.workspace_id = old.workspace_id and m.role = 'admin'
    and u.email_confirmed_at is not null and u.deleted_at is null
    and coalesce(u.banned_until, '-infinity') <= now()
  order by m.created_at, m.user_id
  limit 1
  for update of m;
  if found then
    update public.workspace_members as m set role = 'owner'
    where m.workspace_id = old.workspace_id and m.user_id = v_heir_id;
    perform private.write_system_audit(
      old.workspace_id, 'member.update', v_heir_id,
      v_reason || jsonb_build_object('role', 'owner', 'role_before', 'admin')
    );
  end if;
  return null;
end
$function$
  comment: When the account of a member was deleted: adds that to the audit log and, if it was the last owner, makes the admin with the longest membership owner.

CREATE OR REPLACE FUNCTION private.has_locked_tables()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from pg_catalog.pg_locks as l
    where l.pid = pg_backend_pid() and l.locktype = 'relation' and l.mode = 'AccessExclusiveLock'
      and l.granted
  )
$function$
  comment: True if the transaction holds a table that all others wait for, as after partition work.

CREATE OR REPLACE FUNCTION private.has_rows(p_table regclass, p_column text, p_workspace_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_has boolean;
begin
  execute format('select exists (select from %s where %I = $1)', p_table, p_column)
  into v_has using p_workspace_id;
  return v_has;
end
$function$
  comment: True when a table has a row of the workspace.

CREATE OR REPLACE FUNCTION private.has_secret(p_source public.inbound_sources)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p_source.scheme = 'sns' or exists (
    select from private.inbound_secrets as k
    where k.workspace_id = p_source.workspace_id and k.source_id = p_source.id
  )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: True when requests to a source can be verified: it has a secret, or its scheme needs none.

CREATE OR REPLACE FUNCTION private.hear_signals(p_for interval)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.fold_wakes as w set heard_until = clock_timestamp() + p_for
$function$
  comment: Notes that the caller listens to the channel "segments" for this long. The job of pg_cron does not.

CREATE OR REPLACE FUNCTION private.hold_runs(p_results jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_changed jsonb := (
    select jsonb_agg(distinct jsonb_build_array(r -> 'workspace_id', r -> 'customer_id'))
    from jsonb_array_elements(p_results) as r
    where jsonb_path_exists(r, '$.moves[*].effect.update')
  );
begin
  if v_changed is not null then
    perform pg_advisory_xact_lock_shared(private.workspace_lock(w.id))
    from (select distinct (c ->> 0)::uuid as id from jsonb_array_elements(v_changed) as c order by 1) as w;
    perform
    from (
      select (c ->> 0)::uuid as workspace_id, (c ->> 1)::uuid as id from jsonb_array_elements(v_changed) as c
      order by 2
    ) as k
    cross join lateral (
      select from public.customers as c where c.workspace_id = k.workspace_id and c.id = k.id for update
    ) as c;
  end if;
  return coalesce((
    select jsonb_agg(h.result || jsonb_build_object(
      'customer_id', h.customer_id, 'depth', h.depth, 'trigger', h.trigger
    ))
    from (
      select n.result, r.customer_id, r.depth, r.trigger
      from (
        select e.value as result, (e.value ->> 'workspace_id')::uuid as workspace_id,
          (e.value ->> 'run_id')::uuid as run_id, (e.value ->> 'claim')::uuid as claim
        from jsonb_array_elements(p_results) as e
        order by 3
      ) as n
      cross join lateral (
        -- By its key alone: with the claim, a plan may read all claimed runs for each of them.
        select k.customer_id, k.depth, k.trigger, k.claim, k.state
        from public.journey_runs as k
        where k.workspace_id = n.workspace_id and k.id = n.run_id
        for update
      ) as r
      where r.claim = n.claim and r.state = 'active'
    ) as h
  ), '[]');
end
$function$
  comment: Locks the runs whose claims still stand and returns their results, each with customer_id, depth and trigger.

CREATE OR REPLACE FUNCTION private.id_limit()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 10000
$function$
  comment: Maximum number of ids of one kind that may lead to a customer.

CREATE OR REPLACE FUNCTION private.ids_called(p_workspace_id uuid, p_value text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array_remove(array(
    select i.customer_id
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.kind in ('external', 'anon') and i.value = p_value
    union all
    -- Not in a where clause: Postgres 18 knows the text when it plans, and would try the cast then.
    select case
      when p_value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_value::uuid
    end
  ), null)
$function$
  comment: The customers that have this text as an external, anonymous or customer id.

CREATE OR REPLACE FUNCTION private.import_accounts(p_accounts jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.cell_name() = '00' then
    raise sqlstate 'SP403' using message = 'Cannot copy accounts: this cell is their own';
  end if;
  insert into auth.users (id, email, email_confirmed_at, banned_until, deleted_at, created_at)
  select a.id, a.email, a.email_confirmed_at, a.banned_until, a.deleted_at, a.created_at
  from jsonb_to_recordset(p_accounts) as a (
    id uuid, email text, email_confirmed_at timestamptz, banned_until timestamptz,
    deleted_at timestamptz, created_at timestamptz
  )
  on conflict (id) do update set
    email = excluded.email, email_confirmed_at = excluded.email_confirmed_at,
    banned_until = excluded.banned_until, deleted_at = excluded.deleted_at
  where (users.email, users.email_confirmed_at, users.banned_until, users.deleted_at)
    is distinct from (
      excluded.email, excluded.email_confirmed_at, excluded.banned_until, excluded.deleted_at
    );
end
$function$
  grant execute on function to signalpost_key
  comment: Copies accounts of the first cell to this one, for its members and invitations. SP403 in the first cell.

CREATE OR REPLACE FUNCTION private.import_rows(p_table regclass, p_rows jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format(
    'insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1)',
    p_table, private.list_columns(p_table)
  ) using p_rows;
end
$function$
  comment: Inserts rows of private.export_rows; identity columns get new values.

CREATE OR REPLACE FUNCTION private.include_dates(p_job private.journey_jobs, p_limit integer, p_now timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_ids uuid[] := array(
    select c.id from public.customers as c
    where c.workspace_id = p_job.workspace_id and c.id > p_job.cursor order by c.id limit p_limit
  );
begin
  insert into private.journey_dates as d (workspace_id, journey_id, customer_id, due_at)
  select p_job.workspace_id, p_job.journey_id, i.id, p_now from unnest(v_ids) as i (id)
  on conflict (workspace_id, journey_id, customer_id) do update set due_at = p_now;
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$function$
  comment: Has a worker compute the dates of the next p_limit customers; returns where to continue, null at the end.

CREATE OR REPLACE FUNCTION private.include_members(p_job private.journey_jobs, p_limit integer, p_now timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_trigger jsonb;
  v_ids uuid[];
begin
  select v.definition -> 'trigger' into v_trigger
  from public.journey_versions as v
  where v.workspace_id = p_job.workspace_id and v.journey_id = p_job.journey_id and v.version = p_job.version;
  v_ids := array(
    select m.customer_id
    from public.segments as s
    join public.segment_members as m
      on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
    where s.workspace_id = p_job.workspace_id and s.id::text = v_trigger ->> 'segment'
      and m.customer_id > p_job.cursor
    order by m.customer_id
    limit p_limit
  );
  perform private.enter_runs(p_job.workspace_id, array(
    select row(
      p_job.journey_id, p_job.version, i.id, p_now, null, '{}',
      jsonb_build_object('segment', v_trigger -> 'segment', 'current', true), 0
    )::private.journey_entry
    from unnest(v_ids) as i (id)
  ), p_now);
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$function$
  comment: Has the next p_limit members of the segment that triggers a journey enter it; returns where to continue, null at the end.

CREATE OR REPLACE FUNCTION private.ingest(p_inputs text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_inputs jsonb := p_inputs::jsonb;
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_entries private.ingest_entry[] := private.read_entries(v_inputs, v_at);
  v_workspace_ids uuid[] := array(select distinct c.workspace_id from unnest(v_entries) as c order by 1);
  v_changes boolean := exists (select from unnest(v_entries) as c where c.kind <> 'event');
  v_starts integer[] := case when v_changes then private.part_starts(v_entries) end;
  v_created private.created_identity[] := '{}';
  v_subscriptions private.subscription[] := '{}';
  v_named private.subscription[];
  v_messages private.new_message[] := '{}';
  v_stored record;
  v_segmented uuid[];
  v_noted integer;
begin
  if cardinality(v_starts) > 1 then
    return private.ingest_parts(v_inputs, v_starts);
  end if;
  -- Erasure holds the same locks exclusively: nothing is stored on an identity being erased.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(w)) from unnest(v_workspace_ids) as w;
  if v_changes then
    perform private.lock_involved_customers(v_entries);
  end if;

  v_entries := private.resolve_entries(v_entries);
  if v_changes then
    v_entries := private.refuse_links(v_entries);
  end if;
  if v_changes or exists (
    select from unnest(v_entries) as c
    where c.identity_id is null and not c.is_duplicate and c.repeats is null
  ) then
    v_created := private.create_identities(v_entries, v_at);
    v_entries := private.resolve_entries(v_entries);
  end if;
  if v_changes then
    v_subscriptions := private.customer_subscriptions(v_workspace_ids);
    select a.p_entries, a.o_messages into v_entries, v_messages
    from private.apply_entries(v_entries, v_inputs, v_created, v_subscriptions, v_at) as a;
    v_entries := private.resolve_entries(v_entries);
  end if;

  perform private.remember_keys(v_entries, v_at);
  v_stored := private.store_events(v_entries, v_inputs, v_at);
  perform private.touch_customers(v_entries, v_at);
  v_segmented := private.segmented_workspaces(v_workspace_ids);
  if cardinality(v_segmented) > 0 then
    v_noted := private.note_entries(v_entries, v_created, v_segmented)
      + private.note_events(v_entries, v_inputs, v_segmented, v_at);
    if v_noted > 0 then
      perform private.wake_folder();
    end if;
  end if;
  -- Nothing is built before it is known that a destination wants its type.
  v_named := private.event_subscriptions(
    v_stored.o_workspace_ids, v_stored.o_names, case when not v_changes then v_created end
  );
  if cardinality(v_named) > 0 then
    if not v_changes then
      v_messages := private.customer_messages(private.created_customers(v_created, v_named), v_named);
    end if;
    v_messages := v_messages || private.event_messages(v_entries, v_inputs, v_named, v_at);
  end if;
  if cardinality(v_messages) > 0 then
    perform private.store_messages(v_messages, v_subscriptions || v_named);
  end if;
  return private.ingest_results(v_entries);
end
$function$
  grant execute on function to signalpost_ingest
  comment: Stores a batch of entries (a JSON array, see docs/architecture.md) in one transaction and returns the result of each in order. 40001 and 40P01: send it again.

CREATE OR REPLACE FUNCTION private.ingest_parts(p_inputs jsonb, p_starts integer[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_results jsonb := '[]';
begin
  for v_part in 1 .. cardinality(p_starts) loop
    v_results := v_results || private.ingest((
      select jsonb_agg(e.value order by e.ordinality)
      from jsonb_array_elements(p_inputs) with ordinality as e
      where e.ordinality >= p_starts[v_part]
        and (v_part = cardinality(p_starts) or e.ordinality < p_starts[v_part + 1])
    )::text);
  end loop;
  return v_results;
end
$function$
  comment: Stores a batch part by part, in one transaction, and joins the results.

CREATE OR REPLACE FUNCTION private.ingest_reports(p_inputs text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_results jsonb := private.ingest(p_inputs);
  v_effects jsonb := private.read_effects(p_inputs::jsonb, v_results, p_now);
begin
  if v_effects <> '[]' then
    perform private.take_effects(v_effects, p_now);
  end if;
  return v_results;
end
$function$
  grant execute on function to signalpost_ingest
  comment: Stores a batch as private.ingest does. Entries with a member effect, which the functions set for senders that are trusted, also settle the send it names, suppress addresses and withdraw consent: once, in the same transaction.

CREATE OR REPLACE FUNCTION private.ingest_results(p_entries private.ingest_entry[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return (
    select jsonb_agg(
      case
        when c.refused_code is not null then jsonb_build_object(
          'ok', false, 'code', c.refused_code, 'field', c.refused_field,
          'error', private.refusal(c.refused_code, c.refused_field, case c.refused_field
            when 'external_id' then c.external_id
            when 'previous_id' then c.previous_id
            else c.anon_id
          end)
        )
        when c.is_duplicate or c.repeats is not null then jsonb_build_object(
          'ok', true, 'event_id', r.event_id, 'customer_id', r.customer_id, 'duplicate', true
        )
        when c.unmerged_reason is not null then jsonb_build_object(
          'ok', true, 'event_id', r.event_id, 'customer_id', r.customer_id,
          'merged', false, 'reason', c.unmerged_reason
        )
        else jsonb_build_object(
          'ok', true, 'event_id', r.event_id, 'customer_id', r.customer_id
        )
      end
      order by c.ordinality
    )
    from unnest(p_entries) with ordinality as c
    -- An entry with a repeated key gets the result of the first entry with that key.
    left join lateral (
      select f.* from unnest(p_entries) with ordinality as f where f.ordinality = c.repeats
    ) as f on c.repeats is not null
    cross join lateral (
      select
        coalesce(f.event_id, c.event_id) as event_id,
        coalesce(f.customer_id, c.customer_id) as customer_id
    ) as r
  );
end
$function$
  comment: The results of the entries, in order: ids, duplicate, merged and reason, or what is unknown.

CREATE OR REPLACE FUNCTION private.insert_journey(p_workspace_id uuid, p_journey jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_id uuid := private.uuid_v7();
begin
  perform private.refuse_journey_key(p_workspace_id, v_id, p_journey ->> 'key');
  insert into public.journeys (workspace_id, id, key, name, description, definition)
  values (
    p_workspace_id, v_id, p_journey ->> 'key', p_journey ->> 'name', p_journey ->> 'description',
    p_journey -> 'definition'
  );
  return v_id;
end
$function$
  comment: Creates a journey, see private.create_journey.

CREATE OR REPLACE FUNCTION private.insert_runs(p_workspace_id uuid, p_entries private.journey_entry[], p_judged jsonb)
 RETURNS public.journey_runs[]
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with judged as materialized (
    select
      e.*, j.id, j.key as entry_key, j.is_parallel, j.is_holdout,
      v.definition ->> 'start' as start
    from jsonb_to_recordset(p_judged)
      as j (place bigint, id uuid, key text, is_parallel boolean, is_holdout boolean, refusal text)
    join unnest(p_entries) with ordinality
      as e (journey_id, version, customer_id, at, event_id, trigger, cause, depth, place) on e.place = j.place
    join public.journey_versions as v
      on v.workspace_id = p_workspace_id and v.journey_id = e.journey_id and v.version = e.version
    where j.refusal is null
  ),
  noted as (
    insert into private.journey_entries as l (workspace_id, journey_id, customer_id, key, times, last_at)
    select p_workspace_id, j.journey_id, j.customer_id, j.entry_key, count(*), max(j.at)
    from judged as j
    group by 2, 3, 4
    order by 2, 3, 4
    on conflict (workspace_id, journey_id, customer_id, key) do update
    set times = l.times + excluded.times, last_at = greatest(l.last_at, excluded.last_at)
  ),
  begun as (
    insert into public.journey_runs as r (
      workspace_id, id, journey_id, version, customer_id, key, state, reason, step, stepped_at, stepped_id,
      due_at, is_parallel, is_holdout, trigger, cause, depth, entered_at, entered_id, exited_at
    )
    select
      p_workspace_id, j.id, j.journey_id, j.version, j.customer_id, j.entry_key,
      case when j.is_holdout then 'ended' else 'active' end,
      case when j.is_holdout then 'holdout' end,
      j.start, j.at, coalesce(j.event_id, '00000000-0000-0000-0000-000000000000'),
      case when j.is_holdout then 'infinity' else j.at end, j.is_parallel, j.is_holdout,
      j.trigger, j.cause, j.depth, j.at, coalesce(j.event_id, '00000000-0000-0000-0000-000000000000'),
      case when j.is_holdout then j.at end
    from judged as j
    order by j.place
    returning r as run
  )
  select coalesce(array_agg(b.run), '{}') from begun as b
$function$
  comment: Begins the runs of those who may enter, and notes that they did; returns the runs.

CREATE OR REPLACE FUNCTION private.insert_segment(p_workspace_id uuid, p_segment jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_id uuid := coalesce((p_segment ->> 'id')::uuid, private.uuid_v7());
  v_is_live boolean := coalesce(p_segment ->> 'kind', 'live') = 'live';
  v_condition jsonb;
begin
  perform private.lock_segment_lane(p_workspace_id);
  perform private.refuse_used_key(p_workspace_id, v_id, p_segment ->> 'key');
  if v_is_live then
    v_condition := private.resolve_condition(p_workspace_id, p_segment -> 'condition');
  end if;
  insert into public.segments (workspace_id, id, key, name, description, kind, condition)
  values (
    p_workspace_id, v_id, p_segment ->> 'key', p_segment ->> 'name', p_segment ->> 'description',
    case when v_is_live then 'live' else 'static' end, v_condition
  );
  if v_is_live then
    perform private.start_computing(p_workspace_id, v_id, v_condition);
  end if;
  return v_id;
end
$function$
  comment: Creates a segment, see private.create_segment.

CREATE OR REPLACE FUNCTION private.invite_member(p_workspace_id uuid, p_email text, p_role text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_email text := lower(p_email);
  v_id uuid;
begin
  -- First, so that a workspace that is deleted meanwhile gets no invitation.
  perform from public.workspaces as w
  where w.id = (select private.acting_workspace_id('admin'))
  for no key update;
  perform private.require_writer(
    p_workspace_id, case when p_role = 'owner' then 'owner' else 'admin' end, null
  );
  -- Only members are looked up: the answer must not reveal which addresses have an account.
  if exists (
    select from public.workspace_members as m
    join auth.users as u on u.id = m.user_id
    where m.workspace_id = p_workspace_id and lower(u.email) = v_email
  ) then
    raise sqlstate 'SP409' using message = format('Cannot invite "%s": already a member', p_email);
  end if;
  -- A new invitation replaces one that is no longer open, and counts against the limit.
  delete from public.invitations as i
  where i.workspace_id = p_workspace_id and i.email = v_email
    and (i.accepted_by is not null or i.declined_at is not null or i.expires_at <= now());
  insert into public.invitations as i (workspace_id, email, role, invited_by)
  values (p_workspace_id, v_email, p_role, (select auth.uid()))
  on conflict on constraint invitations_workspace_id_email_key do nothing
  returning i.id into v_id;
  if v_id is null then
    raise sqlstate 'SP409' using message = format('Cannot invite "%s": already invited', p_email);
  end if;
  return v_id;
end
$function$
  grant execute on function to signalpost_user
  comment: Keeps an invitation for 30 days and returns its id, whether the address has an account or not. SP409 for members and open invitations.

CREATE OR REPLACE FUNCTION private.involved_customers(p_entries private.ingest_entry[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return array(
    select distinct i.customer_id
    from unnest(p_entries) as c
    cross join lateral (
      values
        ('external', c.external_id), ('anon', c.anon_id), ('external', c.previous_id),
        ('anon', case c.kind when 'segment_alias' then c.previous_id end)
    ) as r (kind, value)
    -- One by one by key: a join may be planned as a scan of all ids for each.
    cross join lateral (
      select d.customer_id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.kind = r.kind and d.value = r.value
      limit 1
    ) as i
    where c.kind <> 'event' and not c.is_duplicate and c.repeats is null
    order by i.customer_id
  );
end
$function$
  comment: The customers whose profile an identify or alias of the batch may change, sorted.

CREATE OR REPLACE FUNCTION private.is_account(p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Auth can also keep the row of a deleted account, with its address hashed.
  select exists (select from auth.users as u where u.id = p_user_id and u.deleted_at is null)
$function$
  comment: True when the account of a user exists and is not deleted.

CREATE OR REPLACE FUNCTION private.is_any_queued_before(p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select
    from private.webhook_queue as q
    join private.lanes as l
      on l.workspace_id = q.workspace_id and l.destination_id = q.destination_id
    where q.message_created_at < p_at and l.is_enabled
  ) or exists (
    select from private.fan_outs as f where f.message_created_at < p_at
  )
$function$
  comment: True when a message from before p_at still waits for an enabled destination.

CREATE OR REPLACE FUNCTION private.is_awaited(p_workspace_id uuid, p_message_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select
    from public.destinations as d
    left join private.webhook_queue as q
      on q.workspace_id = d.workspace_id and q.destination_id = d.id
      and q.message_id = p_message_id
    left join public.missed_messages as m
      on m.workspace_id = d.workspace_id and m.destination_id = d.id
      and m.message_created_at = private.uuid_v7_time(p_message_id)
      and m.message_id = p_message_id
    where d.workspace_id = p_workspace_id
      and (q.message_id is not null or m.message_id is not null)
  ) or exists (
    select from private.fan_outs as f
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
  )
$function$
  comment: True when a destination waits for the message or could recover it.

CREATE OR REPLACE FUNCTION private.is_computed(p_campaign public.campaigns)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select not exists (
    select from public.segments as s
    where s.workspace_id = p_campaign.workspace_id and s.kind = 'live' and s.version = 0
      and s.id = any (p_campaign.exclude_ids || p_campaign.segment_id)
  )
$function$
  comment: False while the first members of a segment that a campaign names are being computed.

CREATE OR REPLACE FUNCTION private.is_erased(p_workspace_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.erasures as e
    where e.workspace_id = p_workspace_id and e.customer_id is null
  )
$function$
  comment: True when the workspace was deleted and is being erased.

CREATE OR REPLACE FUNCTION private.is_growing(p_condition jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select not jsonb_path_exists(p_condition, '$.**.not') and coalesce(bool_and(
    not l.leaf ?| array['sum', 'min', 'max'] and not coalesce(l.leaf -> 'count', '{}') ?| array['lte', 'eq']
    and l.leaf #>> '{count,gte}' is distinct from '0'
  ), false)
  from private.condition_leaves(p_condition) as l
  where l.leaf ? 'event'
$function$
  comment: True if an event can make a customer fulfil the condition, or do so for longer, and never the opposite.

CREATE OR REPLACE FUNCTION private.is_identified(p_workspace_id uuid, p_customer_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return exists (
    select
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id and i.kind = 'external'
  );
end
$function$
  comment: True when an external id leads to the customer.

CREATE OR REPLACE FUNCTION private.is_key_expired(p_provider text, p_attempts jsonb, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A provider forgets keys after 24 hours: an attempt takes its time too.
  select private.takes_idempotency_key(p_provider) and exists (
    select
    from jsonb_array_elements(p_attempts) as a
    where a ->> 'outcome' = 'unknown'
      and (a ->> 'at')::timestamptz < p_now - interval '23 hours'
  )
$function$
  comment: True if a message may be with its provider since so long ago that the idempotency key no longer prevents a second one.

CREATE OR REPLACE FUNCTION private.is_overfull(p_workspace_id uuid, p_survivor_id uuid, p_merged_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return exists (
    select
    from (values ('external'), ('anon')) as k (kind)
    where private.count_ids(p_workspace_id, p_survivor_id, k.kind)
      + private.count_ids(p_workspace_id, p_merged_id, k.kind) > private.id_limit()
  );
end
$function$
  comment: True when two customers together have more ids of a kind than one may have.

CREATE OR REPLACE FUNCTION private.is_readable(p_workspace_id uuid, p_scopes text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Null on either side must not count as true or false.
  select coalesce(p_workspace_id = private.key_workspace_id(p_scopes), false)
    or coalesce(p_workspace_id in (select private.member_workspace_ids()), false)
$function$
  comment: For functions with definer rights: whether the caller is a member of the workspace, or a key of it with one of the scopes.

CREATE OR REPLACE FUNCTION private.is_scan(p_send public.sends, p_url text, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    p_send.state in ('queued', 'sending')
    or coalesce(p_now < p_send.sent_at + interval '5 seconds', false)
    or p_url is not null and exists (
      select
      from private.newest_identity(p_send.workspace_id, p_send.customer_id) as i
      join public.events as e
        on e.workspace_id = i.workspace_id and e.identity_id = i.id and e.name = 'email_clicked'
        and e.occurred_at between p_now - interval '3 seconds' and p_now
      where e.properties ->> 'send_id' = p_send.id::text and e.properties ->> 'url' <> p_url
    )
$function$
  comment: True for a visit that no person made: within 5 s of the hand-over, or a click within 3 s of a click on another link of the message.

CREATE OR REPLACE FUNCTION private.is_subscribed(p_workspace_id uuid, p_channel text, p_address text, p_topic_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce((
    select s.subscribed
    from private.address_states(
      p_workspace_id, p_channel,
      array[private.address_hash(p_workspace_id, p_channel, p_address)], p_topic_id
    ) as s
    where s.address_hash is not null
  ), false)
$function$
  comment: True if an address is subscribed to a topic; false without an address or topic. Suppression is another question.

CREATE OR REPLACE FUNCTION private.is_suppressed(p_workspace_id uuid, p_channel text, p_address text, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select
    from public.suppressions as s
    where s.workspace_id = p_workspace_id and s.channel = p_channel
      and s.address_hash = private.address_hash(p_workspace_id, p_channel, p_address)
      and coalesce(s.until, 'infinity') > p_now
  )
$function$
  comment: True if nothing is to be sent to an address now.

CREATE OR REPLACE FUNCTION private.is_wait_local(p_wait jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select p_wait ? 'until'
$function$
  comment: True for a wait whose end depends on the customer: the time zone, or a date.

CREATE OR REPLACE FUNCTION private.journey_counts(p_workspace_id uuid, p_journey_ids uuid[])
 RETURNS TABLE(journey_id uuid, active_runs bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select i.id, (
    select coalesce(sum(case when c.kind = 'entered' then c.count when c.kind like 'exited:%' then -c.count end), 0)
    from (
      select s.kind, s.count from public.journey_stats as s
      where s.workspace_id = p_workspace_id and s.journey_id = i.id and s.step = ''
      union all
      select d.kind, d.count from private.journey_stat_deltas as d
      where d.workspace_id = p_workspace_id and d.journey_id = i.id and d.step = ''
    ) as c
  )::bigint
  from unnest(p_journey_ids) as i (id)
  where private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write'])
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The number of customers inside each journey.

CREATE OR REPLACE FUNCTION private.journey_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    'select exists (%s) as holds, ''infinity''::timestamptz as until, null::jsonb as fact',
    format(
      case p_leaf ->> 'state'
        when 'active' then
          'select from public.journey_runs as r
           where r.workspace_id = $1 and r.customer_id = c.id and r.journey_id = %L::uuid and r.state = ''active'''
        when 'completed' then
          'select from public.journey_runs as r
           where r.workspace_id = $1 and r.customer_id = c.id and r.journey_id = %L::uuid
             and r.reason in (''completed'', ''goal'')'
        else
          'select from private.journey_entries as r
           where r.workspace_id = $1 and r.customer_id = c.id and r.journey_id = %L::uuid'
      end,
      p_leaf ->> 'journey'
    )
  )
$function$
  comment: SQL of a leaf about a journey: the customer is active in it, completed it (or reached its goal), or ever entered it.

CREATE OR REPLACE FUNCTION private.judge_entries(p_workspace_id uuid, p_entries private.journey_entry[], p_now timestamp with time zone)
 RETURNS TABLE(place bigint, key text, is_parallel boolean, is_holdout boolean, refusal text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_is_in boolean[] := private.check_entries(p_workspace_id, p_entries, p_now);
begin
  return query
  with judged as (
    select
      e.*, k.key as entry_key, v.definition -> 'entry' as entry, k.is_parallel as parallel,
      case
        when c.id is null then 'unknown_customer'
        when e.depth > private.depth_limit() then 'depth_limit'
        when not v_is_in[e.place] then 'condition'
        when k.is_parallel then null
        when exists (
          select from public.journey_runs as r
          where r.workspace_id = p_workspace_id and r.journey_id = e.journey_id
            and r.customer_id = e.customer_id and r.key = k.key and r.state = 'active'
        ) then 'already_inside'
        when k.again = '"after_exit"' or l.last_at is null then null
        when jsonb_typeof(k.again) = 'object' then
          case when l.last_at + private.read_duration(k.again ->> 'after') > e.at then 'too_soon' end
        else 'entered_before'
      end as refused
    from unnest(p_entries) with ordinality
      as e (journey_id, version, customer_id, at, event_id, trigger, cause, depth, place)
    join public.journey_versions as v
      on v.workspace_id = p_workspace_id and v.journey_id = e.journey_id and v.version = e.version
    cross join lateral (
      select
        coalesce(v.definition #> '{entry,again}', '"never"') as again,
        coalesce(v.definition #> '{entry,again}' = '"always"', false) as is_parallel,
        coalesce(left(
          e.trigger #>> (string_to_array(v.definition #>> '{entry,key}', '.'))[2:], 200
        ), '') as key
    ) as k
    left join lateral (
      select x.id from public.customers as x
      where x.workspace_id = p_workspace_id and x.id = e.customer_id limit 1
    ) as c on true
    left join private.journey_entries as l
      on l.workspace_id = p_workspace_id and l.journey_id = e.journey_id
      and l.customer_id = e.customer_id and l.key = k.key
  )
  select
    j.place, j.entry_key, j.parallel,
    coalesce(
      private.pick_bucket(j.journey_id || ':holdout', j.customer_id) < (j.entry ->> 'holdout')::numeric, false
    ),
    case
      when j.refused is null and not j.parallel and row_number() over (
        partition by j.journey_id, j.customer_id, j.entry_key, j.refused is null order by j.place
      ) > 1 then 'already_inside'
      else j.refused
    end
  from judged as j
  order by j.place;
end
$function$
  comment: Per entry its key, and the reason if the customer may not enter.

CREATE OR REPLACE FUNCTION private.judge_lost_sends(p_lost jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return (
    select jsonb_agg(jsonb_build_object(
      'position', r.position, 'claim', r.claim, 'workspace_id', r.workspace_id,
      'sender_id', r.sender_id, 'send_id', r.send_id,
      'action', case
        when q.started_at is null then 'release'
        when private.takes_idempotency_key(o.provider) or o.on_unknown = 'repeat' then 'retry'
        else 'unknown'
      end,
      'reason', case when q.started_at is not null then 'interrupted' end,
      'next_attempt_at', p_now,
      'attempted_at', q.started_at,
      'attempt', case when q.started_at is not null then jsonb_build_object(
        'at', private.rfc3339(q.started_at), 'outcome', 'unknown', 'reason', 'interrupted',
        'status_code', null, 'response', null, 'duration_ms', null
      ) end
    ))
    from rows from (
      jsonb_to_recordset(p_lost) as (workspace_id uuid, sender_id uuid, send_id uuid, claim uuid)
    ) with ordinality as r (workspace_id, sender_id, send_id, claim, position)
    cross join lateral (
      select w.started_at from private.send_queue as w
      where w.workspace_id = r.workspace_id and w.sender_id = r.sender_id
        and w.send_id = r.send_id and w.claim = r.claim
      for update
    ) as q
    left join public.senders as o on o.workspace_id = r.workspace_id and o.id = r.sender_id
  );
end
$function$
  comment: The results of lost claims, as private.complete_sends takes them.

CREATE OR REPLACE FUNCTION private.keep_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.role <> 'owner' or (tg_op = 'UPDATE' and new.role = 'owner') then
    return coalesce(new, old);
  end if;
  -- Two owners who leave at once would each see the other one.
  perform from public.workspaces as w where w.id = old.workspace_id for no key update;
  if not found
    or private.is_erased(old.workspace_id)
    -- The account itself was deleted: Supabase Auth decides who may do that.
    or not private.is_account(old.user_id)
    or exists (
      select from public.workspace_members as m
      where m.workspace_id = old.workspace_id and m.role = 'owner' and m.user_id <> old.user_id
    )
  then
    return coalesce(new, old);
  end if;
  raise sqlstate 'SP409' using message = 'Cannot remove the last owner: make someone else an owner first';
end
$function$
  comment: Raises SP409 when the last owner would leave a workspace that is not deleted.

CREATE OR REPLACE FUNCTION private.keep_class(p_keep integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- Thresholds up to 15 can be edited without reading history.
  select case when p_keep <= 16 then 16 else 101 end
$function$
  comment: Number of times that a feature keeps per identity for a leaf that needs p_keep of them.

CREATE OR REPLACE FUNCTION private.keep_response(p_key text, p_response text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.idempotent_requests as r
  set response = p_response
  where r.workspace_id = private.request_workspace_id()
    and r.caller_id = private.request_caller_id() and r.key = p_key and r.response is null
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Keeps the encrypted response of the call that claimed the key in this transaction.

CREATE OR REPLACE FUNCTION private.keep_secret_expiry()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise sqlstate 'SP409' using
    message = 'Cannot extend a secret that expires: rotate it';
end
$function$
  comment: Refuses to bring a replaced secret back or to keep it longer, which callers could do with their right to let one expire.

CREATE OR REPLACE FUNCTION private.kept_uses(p_workspace_id uuid, p_address_hash bytea, p_without uuid[], p_now timestamp with time zone, OUT send_ids uuid[], OUT used_ats timestamp with time zone[])
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    coalesce(array_agg(a.send_id order by a.used_at), '{}'),
    coalesce(array_agg(a.used_at order by a.used_at), '{}')
  from private.cap_uses as u
  cross join unnest(u.send_ids, u.used_ats) as a (send_id, used_at)
  where u.workspace_id = p_workspace_id and u.channel = 'email' and u.address_hash = p_address_hash
    and a.send_id <> all (p_without) and a.used_at > p_now - interval '90 days'
$function$
  comment: The uses of an address in the last 90 days, without those of some messages.

CREATE OR REPLACE FUNCTION private.key_workspace_id(p_scopes text[] DEFAULT NULL::text[])
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select nullif(current_setting('signalpost.workspace_id', true), '')::uuid
  where p_scopes is null
    or string_to_array(current_setting('signalpost.scopes', true), ' ') && p_scopes
$function$
  grant execute on function to signalpost_key
  comment: The workspace of the scoped key this transaction acts for; with p_scopes, only if the key has one of these scopes. Else null.

CREATE OR REPLACE FUNCTION private.known_zone(p_zone text, p_default text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform now() at time zone p_zone;
  return coalesce(p_zone, p_default);
exception when invalid_parameter_value then
  -- The functions may know a zone that this server does not.
  return case when p_default = 'UTC' then 'UTC' else private.known_zone(p_default, 'UTC') end;
end
$function$
  comment: The zone, or the default when it is null or unknown to this server.

CREATE OR REPLACE FUNCTION private.lasting_features(p_workspace_id uuid, p_segment_id uuid, p_keep interval)
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    with recursive named as (
      select p_segment_id as id
      union
      select p.ref::uuid
      from named as n
      join private.segment_parts as p
        on p.workspace_id = p_workspace_id and p.segment_id = n.id and p.kind = 'segment'
    )
    select f.id
    from named as n
    join public.segments as s on s.workspace_id = p_workspace_id and s.id = n.id
    cross join lateral private.condition_leaves(s.condition) as l
    join private.features as f on f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(l.leaf)
    where p_keep is not null and l.leaf ? 'event'
      and not coalesce(private.read_duration(l.leaf ->> 'within') + interval '1 hour' <= p_keep, false)
  );
end
$function$
  comment: The features of a segment, and of those it names, that count events older than p_keep; none when it is null.

CREATE OR REPLACE FUNCTION private.leaf_feature(p_leaf jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'event', p_leaf -> 'event',
    -- A condition has to ask for opens and clicks by scanners and mail proxies.
    'conditions', coalesce(p_leaf -> 'where', '[]') || case
      when p_leaf ->> 'event' in ('email_opened', 'email_clicked')
        and not coalesce(p_leaf -> 'where', '[]') @> '[{"property": "automated"}]'
      then '[{"property": "automated", "op": "neq", "value": true}]'::jsonb
      else '[]'
    end,
    'since', p_leaf -> 'since', 'until', p_leaf -> 'until',
    'property', coalesce(p_leaf -> 'sum', p_leaf -> 'min', p_leaf -> 'max') -> 'property'
  )
$function$
  comment: Describes an event leaf, without its window and its thresholds: leaves with an equal one share their state.

CREATE OR REPLACE FUNCTION private.leaf_hash(p_leaf jsonb)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select private.feature_hash(
    private.leaf_feature(p_leaf) || jsonb_build_object('keep', private.keep_class(private.leaf_keep(p_leaf)))
  )
$function$
  comment: The key of the feature that holds the state of an event leaf.

CREATE OR REPLACE FUNCTION private.leaf_keep(p_leaf jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select greatest(
    1, (p_leaf #>> '{count,gte}')::integer, (p_leaf #>> '{count,lte}')::integer + 1,
    (p_leaf #>> '{count,eq}')::integer + 1
  )
$function$
  comment: Counts the newest events that a leaf depends on.

CREATE OR REPLACE FUNCTION private.leaf_sql(p_scope private.condition_scope, p_leaf jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_leaf ? 'field' then
    return private.field_sql(p_leaf);
  elsif p_leaf ? 'event' then
    return private.event_sql(p_scope, p_leaf);
  elsif p_leaf ? 'segment' then
    return private.segment_sql(p_leaf);
  elsif p_leaf ? 'topic' then
    return private.topic_sql(p_leaf);
  elsif p_leaf ? 'journey' then
    return private.journey_sql(p_leaf);
  elsif p_leaf ? 'bucket' then
    return private.bucket_sql(p_leaf);
  elsif p_leaf ? 'property' then
    return private.static_sql(p_leaf, private.path_sql('e.properties', p_leaf ->> 'property'));
  end if;
  return private.require_sql(null, format('Unknown condition %s', left(p_leaf::text, 100)));
end
$function$
  comment: SQL of a leaf: one row of holds, until and fact for customer c.

CREATE OR REPLACE FUNCTION private.leave_workspaces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- In one order, or accounts that share workspaces would wait for each other.
  perform from public.workspaces as w
  where w.id in (select m.workspace_id from public.workspace_members as m where m.user_id = old.id)
  order by w.id
  for no key update;
  if tg_op = 'UPDATE' then
    delete from public.workspace_members as m where m.user_id = old.id;
  end if;
  return old;
end
$function$
  comment: Locks the workspaces of an account that is deleted; if Auth keeps the row, deletes its memberships.

CREATE OR REPLACE FUNCTION private.limit_kind(p_kind text, p_table_name text, p_action text, p_noun text, p_condition text DEFAULT 'true'::text, p_owner_column text DEFAULT 'workspace_id'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.limited_kinds (kind, table_name, owner_column, condition, action, noun)
  values (p_kind, p_table_name, p_owner_column, p_condition, p_action, p_noun);
  execute format(
    'create trigger %I after insert on %s referencing new table as added
     for each statement execute function private.check_limit(%L, %L)',
    p_kind || '_limit', p_table_name, p_kind, p_owner_column
  );
end
$function$
  comment: Limits the rows of a table to the column max_<kind> of the plan. Called once by the migration that creates the table.

CREATE OR REPLACE FUNCTION private.limit_time(p_campaign public.campaigns, p_due_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_campaign.not_after ~ '^[0-9]+[smhdw]$'
    then p_due_at + private.read_duration(p_campaign.not_after)
    else p_campaign.not_after::timestamptz
  end
$function$
  comment: After this time, nothing is sent to a recipient that is due at a time; null: no limit.

CREATE OR REPLACE FUNCTION private.link_keys(p_workspace_ids uuid[])
 RETURNS TABLE(workspace_id uuid, key bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select k.workspace_id, k.key
  from private.workspace_keys as k
  where k.workspace_id = any (p_workspace_ids) and k.purpose = 'link'
    and coalesce(k.expires_at, 'infinity') > clock_timestamp()
  order by k.workspace_id, k.id desc
$function$
  grant execute on function to signalpost_links
  grant execute on function to signalpost_send
  comment: The keys of these workspaces that verify links, the one that signs new links first.

CREATE OR REPLACE FUNCTION private.list_columns(p_table regclass)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
  from pg_catalog.pg_attribute as a
  where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.attidentity = ''
$function$
  comment: The columns of a table that an insert writes, as a list in SQL.

CREATE OR REPLACE FUNCTION private.list_effects(p_held jsonb, p_kind text)
 RETURNS TABLE(workspace_id uuid, run_id uuid, visit integer, journey_id uuid, version integer, step text, customer_id uuid, depth smallint, trigger jsonb, effect jsonb, at timestamp with time zone, entered_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    (h ->> 'workspace_id')::uuid, (h ->> 'run_id')::uuid, (m ->> 'visit')::integer, (h ->> 'journey_id')::uuid,
    (h ->> 'version')::integer, m ->> 'step', (h ->> 'customer_id')::uuid, (h ->> 'depth')::smallint,
    h -> 'trigger', m -> 'effect' -> p_kind, (m ->> 'at')::timestamptz, (h ->> 'entered_at')::timestamptz
  from jsonb_array_elements(p_held) as h
  cross join lateral jsonb_array_elements(h -> 'moves') as m
  where m -> 'effect' ? p_kind
  order by 1, 7, 3
$function$
  comment: The effects of a kind that moves have: send, update or webhook.

CREATE OR REPLACE FUNCTION private.list_messages(p_workspace_id uuid, p_filter private.message_filter, p_before private.message_position, p_limit integer)
 RETURNS SETOF private.message_state
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_destination_ids uuid[] := array[(p_filter).destination_id];
  v_found private.message_position[];
  v_last private.message_position;
  v_count integer;
begin
  if not coalesce(
    p_workspace_id = private.key_workspace_id(array['deliveries:read', 'deliveries:write'])
      or p_workspace_id in (select private.member_workspace_ids()),
    false
  ) then
    return;
  end if;
  if (p_filter).destination_id is null then
    v_destination_ids := array(
      select d.id from public.destinations as d where d.workspace_id = p_workspace_id
    );
  end if;
  v_found := array(
    select f::private.message_position
    from private.find_messages(p_workspace_id, v_destination_ids, p_filter, p_before, p_limit) as f
    limit p_limit
  );
  v_last := v_found[cardinality(v_found)];
  return query
  select s.*
  from private.message_states(p_workspace_id, v_found) as s
  where (p_filter).state is null or s.state = (p_filter).state;
  get diagnostics v_count = row_count;
  if v_count < p_limit and (
    cardinality(v_found) = p_limit or v_last.destination_id = '00000000-0000-0000-0000-000000000000'
  ) then
    return query
    select (r.r).*
    from (
      select row(
        v_last.message_id, v_last.destination_id,
        null, null, null, null, null, null, null, null, null, null, null, null, null
      )::private.message_state as r
    ) as r;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Messages of a workspace at the destinations that exist, or at one, newest first, for callers of the workspace. The last row has no state if the page is short and there may be more: it is the position to continue at.

CREATE OR REPLACE FUNCTION private.list_result(p_workspace_id uuid, p_ids jsonb, p_changed integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'changed', p_changed,
    'unchanged', count(distinct f.customer_id) - p_changed,
    'unknown', jsonb_build_object(
      'customer_ids', coalesce(jsonb_agg(f.value) filter (where f.customer_id is null and f.kind = 'customer_ids'), '[]'),
      'external_ids', coalesce(jsonb_agg(f.value) filter (where f.customer_id is null and f.kind = 'external_ids'), '[]'),
      'emails', coalesce(jsonb_agg(f.value) filter (where f.customer_id is null and f.kind = 'emails'), '[]')
    )
  )
  from private.find_listed(p_workspace_id, p_ids) as f
$function$
  comment: The answer to a change of a static segment: changed, unchanged, unknown.

CREATE OR REPLACE FUNCTION private.list_secrets()
 RETURNS TABLE(kind text, workspace_id uuid, owner_id uuid, id uuid, key_id text, ciphertext text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query execute private.secrets_query(
    'select <kind>, s.workspace_id, s.<owner>, s.id, s.key_id, s.ciphertext from <table> as s'
  );
end
$function$
  comment: The secrets of all kinds of owners, as ciphertext.

CREATE OR REPLACE FUNCTION private.listening_workspaces(p_workspace_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select w.id
    from unnest(p_workspace_ids) as w (id)
    where exists (select from public.destinations as d where d.workspace_id = w.id)
  );
end
$function$
  comment: The workspaces that have a destination: the others need no messages.

CREATE OR REPLACE FUNCTION private.lock_acting_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.workspaces as w
  where w.id = nullif(current_setting('signalpost.acting_workspace_id', true), '')::uuid
  for no key update;
  return null;
end
$function$
  comment: Locks the workspace before its members, as private.leave_workspaces does; otherwise the two could wait for each other.

CREATE OR REPLACE FUNCTION private.lock_campaign(p_workspace_id uuid, p_campaign_id uuid)
 RETURNS public.campaigns
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$
  comment: Locks a campaign that the caller may change, after the step of its work that runs; null if it does not exist, SP403 if the caller may not.

CREATE OR REPLACE FUNCTION private.lock_cap_uses(p_checks private.send_check[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.cap_uses (
    workspace_id, channel, address_hash, send_ids, used_ats, last_used_at
  )
  select distinct c.workspace_id, 'email', c.address_hash, '{}'::uuid[], '{}'::timestamptz[], p_now
  from unnest(p_checks) as c
  where c.decision = 'go' and c.is_capped
  order by c.workspace_id, c.address_hash
  on conflict (workspace_id, channel, address_hash) do nothing;
  perform
  from (
    select distinct c.workspace_id, c.address_hash
    from unnest(p_checks) as c
    where c.decision = 'go' and c.is_capped
    order by c.workspace_id, c.address_hash
  ) as c
  cross join lateral (
    select from private.cap_uses as u
    where u.workspace_id = c.workspace_id and u.channel = 'email' and u.address_hash = c.address_hash
    for update
  ) as u;
end
$function$
  comment: Locks the uses of caps of the addresses that messages are about to go to.

CREATE OR REPLACE FUNCTION private.lock_customer(p_workspace_id uuid, p_customer_id uuid)
 RETURNS public.customers
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_customer public.customers;
begin
  select c.* into strict v_customer
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_customer_id
  for update;
  return v_customer;
end
$function$
  comment: The row of a customer, locked.

CREATE OR REPLACE FUNCTION private.lock_entrants(p_workspace_id uuid, p_entries private.journey_entry[])
 RETURNS private.journey_entry[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_workspace_id::text, 21));
  -- A merge or an erasure waits, or is over and seen below.
  perform
  from (select distinct e.customer_id as id from unnest(p_entries) as e order by 1) as k
  cross join lateral (
    select from public.customers as c
    where c.workspace_id = p_workspace_id and c.id = k.id for key share
  ) as c;
  return array(
    select row(
      e.journey_id, e.version, coalesce(m.customer_id, e.customer_id), e.at, e.event_id, e.trigger, e.cause, e.depth
    )::private.journey_entry
    from unnest(p_entries) with ordinality
      as e (journey_id, version, customer_id, at, event_id, trigger, cause, depth, place)
    left join lateral (
      select n.customer_id
      from public.customer_merges as n
      where n.workspace_id = p_workspace_id and n.merged_customer_id = e.customer_id
      limit 1
    ) as m on true
    order by e.place
  );
end
$function$
  comment: Keeps others from entering and the customers from being merged until the transaction ends; those who were merged become their survivors.

CREATE OR REPLACE FUNCTION private.lock_involved_customers(p_entries private.ingest_entry[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_customer_ids uuid[] := private.involved_customers(p_entries);
begin
  perform
  from public.customers as c
  where c.workspace_id in (select k.workspace_id from unnest(p_entries) as k)
    and c.id = any (v_customer_ids)
  order by c.workspace_id, c.id
  for update;
  -- While this batch waited, a merge may have led an id elsewhere or a new id may have appeared.
  if private.involved_customers(p_entries) is distinct from v_customer_ids then
    raise exception 'Cannot lock customers: an identity moved meanwhile' using errcode = '40001';
  end if;
end
$function$
  comment: Locks, in order, the customers that identifies and aliases of the batch change; 40001 when these customers changed meanwhile.

CREATE OR REPLACE FUNCTION private.lock_journey(p_workspace_id uuid, p_journey_id uuid)
 RETURNS public.journeys
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_journey public.journeys;
begin
  perform private.lock_segment_lane(p_workspace_id);
  select j.* into v_journey
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.id = p_journey_id
  for update;
  return v_journey;
end
$function$
  comment: The journey, which nobody else changes and no fold uses until the transaction ends; null if there is none.

CREATE OR REPLACE FUNCTION private.lock_lanes(p_workspace_ids uuid[], p_destination_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform
  from (
    select distinct k.destination_id, k.workspace_id
    from unnest(p_workspace_ids, p_destination_ids) as k (workspace_id, destination_id)
    order by k.destination_id
  ) as k
  cross join lateral (
    select from private.lanes as l
    where l.workspace_id = k.workspace_id and l.destination_id = k.destination_id
    for update
  ) as l;
end
$function$
  comment: Locks the lanes of these pairs of workspace and destination, always in the same order.

CREATE OR REPLACE FUNCTION private.lock_own_invitation(p_id uuid)
 RETURNS public.invitations
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_invitation public.invitations;
begin
  perform from public.workspaces as w
  where w.id = (
    select i.workspace_id from public.invitations as i
    where i.id = p_id and i.email = (select private.own_address())
  )
  for no key update;
  select i.* into v_invitation
  from public.invitations as i
  where i.id = p_id and i.email = (select private.own_address())
    -- If several accounts have the address, the first to accept joins.
    and (i.accepted_by is null or i.accepted_by = (select auth.uid()))
  for update;
  if not found then
    raise sqlstate 'SP404' using message = 'Invitation does not exist';
  end if;
  return v_invitation;
end
$function$
  comment: An invitation of the calling user, locked after its workspace as private.delete_workspace does. SP404 for those of others.

CREATE OR REPLACE FUNCTION private.lock_ready_lanes(p_worker uuid, p_limit integer, p_only_proven boolean, p_now timestamp with time zone)
 RETURNS private.lane_credit[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_lanes private.lane_credit[];
  -- An owner that has not returned for longer than a request may take is gone.
  v_abandoned_at timestamptz := p_now - interval '20 seconds';
begin
  with ready as materialized (
    select
      l.workspace_id, l.destination_id, l.ready_at,
      -- The first lane of each workspace, then the second: more lanes do not give a larger share.
      row_number() over (partition by l.workspace_id order by l.ready_at) as turn
    from (
      select r.workspace_id, r.destination_id, r.ready_at
      from private.lanes as r
      where r.is_waiting and r.ready_at <= p_now
        and (r.in_flight = 0 or r.owner = p_worker or r.refilled_at < v_abandoned_at)
        and (not p_only_proven or (r.failures = 0 and r.last_success_at is not null))
      order by r.ready_at
      limit 1000
    ) as l
    order by turn, l.ready_at
    limit greatest(1, least(p_limit, 200))
  ),
  locked as materialized (
    select l.*
    from ready as r
    cross join lateral (
      select k.*, k.ctid as row_id from private.lanes as k
      where k.workspace_id = r.workspace_id and k.destination_id = r.destination_id
        and k.ready_at <= p_now
        and (k.in_flight = 0 or k.owner = p_worker or k.refilled_at < v_abandoned_at)
      for update skip locked
    ) as l
  ),
  measured as (
    select
      l.row_id, l.workspace_id, l.destination_id, l.due_at, l.manual_due_at,
      greatest(0, 1000 - l.in_flight) as manual_room,
      case
        when l.is_enabled and l.due_at <= p_now
          and greatest(l.open_until, l.limited_until, '-infinity') <= p_now
        then greatest(0, l.capacity - l.in_flight)
        else 0
      end as room,
      -- Only a tenth of a second's tokens accumulate, so no second exceeds its rate by much.
      case
        when l.rate_limit_per_second is not null
        then least(
          greatest(1, l.rate_limit_per_second / 10.0),
          l.tokens + l.rate_limit_per_second
            * greatest(0, extract(epoch from p_now - greatest(l.refilled_at, l.enabled_at)))
        )
      end as tokens,
      greatest(1, p_limit / w.workspaces / count(*) over (partition by l.workspace_id))::integer as share
    from locked as l
    cross join (select count(distinct k.workspace_id) as workspaces from locked as k) as w
  ),
  credits as (
    -- The fields of the type, in its order.
    select
      m.row_id, m.workspace_id, m.destination_id,
      least(m.share, m.room, floor(m.tokens)::integer) as credit,
      least(m.share, m.manual_room) as manual_credit, m.due_at, m.manual_due_at, m.tokens
    from measured as m
  )
  select array_agg(row(c.*)::private.lane_credit) into v_lanes from credits as c;
  return v_lanes;
end
$function$
  comment: Locks lanes that have something due, taking workspaces in turn, and returns how many rows each may hand out; leaves out lanes that another dispatcher works on.

CREATE OR REPLACE FUNCTION private.lock_ready_send_lanes(p_worker uuid, p_limit integer, p_only_proven boolean, p_now timestamp with time zone)
 RETURNS private.send_credit[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_lanes private.send_credit[];
  -- An owner that has not returned for longer than a request may take is gone.
  v_abandoned_at timestamptz := p_now - interval '20 seconds';
begin
  with ready as materialized (
    select
      l.workspace_id, l.sender_id, l.ready_at,
      -- The first lane of each workspace, then the second: more lanes do not give a larger share.
      row_number() over (partition by l.workspace_id order by l.ready_at) as turn
    from (
      select r.workspace_id, r.sender_id, r.ready_at
      from private.send_lanes as r
      where r.is_waiting and r.ready_at <= p_now
        and (r.in_flight = 0 or r.owner = p_worker or r.refilled_at < v_abandoned_at)
        and (not p_only_proven or (r.failures = 0 and r.last_success_at is not null))
      order by r.ready_at
      limit 1000
    ) as l
    order by turn, l.ready_at
    limit greatest(1, least(p_limit, 200))
  ),
  locked as materialized (
    select l.*
    from ready as r
    cross join lateral (
      select k.*, k.ctid as row_id from private.send_lanes as k
      where k.workspace_id = r.workspace_id and k.sender_id = r.sender_id
        and k.ready_at <= p_now
        and (k.in_flight = 0 or k.owner = p_worker or k.refilled_at < v_abandoned_at)
      for update skip locked
    ) as l
  ),
  measured as (
    select
      l.row_id, l.workspace_id, l.sender_id, l.due_at,
      greatest(0, l.capacity - l.in_flight) as room,
      -- Only a tenth of a second's tokens accumulate, so no second exceeds its rate by much.
      case
        when l.rate_per_second is not null
        then least(
          greatest(1, l.rate_per_second / 10.0),
          l.tokens + l.rate_per_second
            * greatest(0, extract(epoch from p_now - greatest(l.refilled_at, l.enabled_at)))
        )
      end as tokens,
      greatest(1, p_limit / w.workspaces / count(*) over (partition by l.workspace_id))::integer as share
    from locked as l
    cross join (select count(distinct k.workspace_id) as workspaces from locked as k) as w
  ),
  credits as (
    -- The fields of the type, in its order.
    select
      m.row_id, m.workspace_id, m.sender_id, least(m.share, m.room, floor(m.tokens)::integer) as credit,
      m.due_at, m.tokens
    from measured as m
  )
  select array_agg(row(c.*)::private.send_credit) into v_lanes from credits as c;
  return v_lanes;
end
$function$
  comment: Locks lanes that have something due, taking workspaces in turn, and returns how many rows each may hand out; leaves out lanes that another dispatcher works on.

CREATE OR REPLACE FUNCTION private.lock_segment_lane(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.segment_lanes (workspace_id) values (p_workspace_id) on conflict do nothing;
  perform from private.segment_lanes as l where l.workspace_id = p_workspace_id for update;
end
$function$
  comment: Waits until nobody folds the workspace, and keeps others from it until the transaction ends.

CREATE OR REPLACE FUNCTION private.lock_send_lanes(p_workspace_ids uuid[], p_sender_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform
  from (
    select distinct k.sender_id, k.workspace_id
    from unnest(p_workspace_ids, p_sender_ids) as k (workspace_id, sender_id)
    order by k.sender_id, k.workspace_id
  ) as k
  cross join lateral (
    select from private.send_lanes as l
    where l.workspace_id = k.workspace_id and l.sender_id = k.sender_id
    for update
  ) as l;
end
$function$
  comment: Locks the lanes of these pairs of workspace and sender, always in the same order.

CREATE OR REPLACE FUNCTION private.log_attempts(p_attempts public.deliveries[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_steps constant integer[] := private.duration_steps();
  v_ids uuid[];
begin
  with logged as (
    insert into public.deliveries
    select a.* from unnest(p_attempts) as a
    on conflict (workspace_id, attempted_at, id) do nothing
    returning
      workspace_id, id, destination_id, date_trunc('hour', attempted_at, 'UTC') as hour, ok,
      duration_ms, trigger
  ),
  -- The lock on the lane keeps the order of locks the same for all callers.
  counted as (
    insert into public.delivery_stats as s (workspace_id, destination_id, hour, ok, failed)
    select
      l.workspace_id, l.destination_id, l.hour,
      count(*) filter (where l.ok), count(*) filter (where not l.ok)
    from logged as l
    -- As for the health: a ping does not show how the destination handles events.
    where l.trigger <> 'test'
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (workspace_id, destination_id, hour) do update
    set ok = s.ok + excluded.ok, failed = s.failed + excluded.failed
  ),
  timed as (
    insert into public.delivery_durations as d (
      workspace_id, destination_id, hour, from_ms, attempts, total_ms, max_ms
    )
    select
      l.workspace_id, l.destination_id, l.hour, v_steps[width_bucket(l.duration_ms, v_steps)],
      count(*), sum(l.duration_ms), max(l.duration_ms)
    from logged as l
    where l.duration_ms is not null and l.trigger <> 'test'
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (workspace_id, destination_id, hour, from_ms) do update
    set
      attempts = d.attempts + excluded.attempts,
      total_ms = d.total_ms + excluded.total_ms,
      max_ms = greatest(d.max_ms, excluded.max_ms)
  )
  select coalesce(array_agg(l.id), '{}') into v_ids from logged as l;
  return v_ids;
end
$function$
  comment: Logs attempts and adds them to the totals, except pings, each once even if it is reported again; returns the ids that were new. The caller has locked their lanes.

CREATE OR REPLACE FUNCTION private.log_results(p_results private.attempt_result[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return private.log_attempts(array(
    select row(
      r.workspace_id, r.id, r.destination_id, r.message_id, r.message_created_at, r.event_type,
      r.attempt_number, r.trigger, r.ok, r.status_code, r.response_snippet, r.error,
      r.duration_ms, r.attempted_at, r.next_attempt_at
    )::public.deliveries
    from unnest(p_results) as r
    where r.action not in ('release', 'drop')
  ));
end
$function$
  comment: Logs the results that were attempts; returns the ids of those that were not logged before.

CREATE OR REPLACE FUNCTION private.log_steps(p_held jsonb, p_outcomes jsonb, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with moves as materialized (
    select
      (h ->> 'workspace_id')::uuid as workspace_id, (h ->> 'run_id')::uuid as run_id,
      (h ->> 'journey_id')::uuid as journey_id, (h ->> 'version')::integer as version,
      (m ->> 'visit')::integer as visit, m ->> 'step' as step, m ->> 'kind' as kind,
      (m ->> 'at')::timestamptz as at,
      (m -> 'outcome') || coalesce(p_outcomes -> ((h ->> 'run_id') || ':' || (m ->> 'visit')), '{}') as outcome
    from jsonb_array_elements(p_held) as h
    cross join lateral jsonb_array_elements(h -> 'moves') as m
  ),
  logged as (
    insert into public.run_steps (workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome)
    select m.workspace_id, m.run_id, m.visit, m.at, p_now, m.journey_id, m.version, m.step, m.kind, m.outcome
    from moves as m
  )
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select c.workspace_id, c.journey_id, c.version, c.step, c.kind, count(*)
  from (
    select m.workspace_id, m.journey_id, m.version, m.step, 'left:' || (m.outcome ->> 'way') as kind from moves as m
    union all
    select m.workspace_id, m.journey_id, m.version, m.step, 'skipped:' || (m.outcome ->> 'skipped')
    from moves as m where m.outcome ->> 'skipped' is not null
    union all
    select m.workspace_id, m.journey_id, m.version, m.outcome ->> 'to', 'came'
    from moves as m where m.outcome ->> 'to' is not null
    union all
    select (h ->> 'workspace_id')::uuid, (h ->> 'journey_id')::uuid, (h ->> 'version')::integer, s.step, 'goal'
    from jsonb_array_elements(p_held) as h
    cross join lateral (values (''), (h ->> 'step')) as s (step)
    where h ->> 'goal_at' is not null
  ) as c
  where c.kind is not null
  group by 1, 2, 3, 4, 5
$function$
  comment: Logs the steps that runs took, with their outcomes, and adds them to the figures.

CREATE OR REPLACE FUNCTION private.lost_sends(p_limit integer, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select jsonb_agg(jsonb_build_object(
    'workspace_id', e.workspace_id, 'sender_id', e.sender_id, 'send_id', e.send_id, 'claim', e.claim
  ) order by e.sender_id, e.send_id)
  from (
    select q.workspace_id, q.sender_id, q.send_id, q.claim
    from private.send_lanes as l
    cross join lateral (
      select w.* from private.send_queue as w
      where w.workspace_id = l.workspace_id and w.sender_id = l.sender_id
        and w.lease_until <= p_now
      limit p_limit
    ) as q
    where l.in_flight > 0
    limit p_limit
  ) as e
$function$
  comment: Up to p_limit rows of the queue whose lease has expired, as JSON; null if there are none.

CREATE OR REPLACE FUNCTION private.make_version(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_journey public.journeys;
  v_version public.journey_versions;
begin
  v_journey := private.lock_journey(p_workspace_id, p_journey_id);
  if v_journey.id is null then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  elsif v_journey.state in ('draining', 'stopped') then
    raise sqlstate 'SP409' using message = format('Cannot publish journey: it is %s', v_journey.state);
  end if;
  insert into public.journey_versions (workspace_id, journey_id, version, definition, plan, published_at, published_by)
  values (
    p_workspace_id, p_journey_id, coalesce(v_journey.version, 0) + 1, p_options -> 'definition',
    private.plan_journey(p_options -> 'definition'), clock_timestamp(), (p_options ->> 'published_by')::uuid
  )
  returning * into v_version;
  update public.journeys as j
  set
    version = v_version.version, published_at = v_version.published_at, updated_at = v_version.published_at,
    state = case when j.state = 'draft' then 'running' else j.state end
  where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  insert into private.journey_lanes (workspace_id, journey_id) values (p_workspace_id, p_journey_id)
  on conflict do nothing;
  perform private.write_interests(v_version);
  perform private.start_journey_jobs(v_version, p_options);
  return v_version.version;
end
$function$
  comment: Publishes a journey, see private.publish_journey.

CREATE OR REPLACE FUNCTION private.make_workspace_key(p_workspace_id uuid, p_purpose text, p_id integer DEFAULT 1)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_key bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  v_inner bytea := v_key || decode(repeat('00', 32), 'hex');
  v_outer bytea := v_inner;
begin
  for i in 0 .. 63 loop
    v_inner := set_byte(v_inner, i, get_byte(v_inner, i) # 54);
    v_outer := set_byte(v_outer, i, get_byte(v_outer, i) # 92);
  end loop;
  insert into private.workspace_keys (workspace_id, purpose, id, key, inner_pad, outer_pad)
  values (p_workspace_id, p_purpose, p_id, v_key, v_inner, v_outer);
end
$function$
  comment: Makes a key of a workspace: 244 random bits, from two UUIDs.

CREATE OR REPLACE FUNCTION private.make_workspace_keys()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.make_workspace_key(new.id, 'address');
  perform private.make_workspace_key(new.id, 'link');
  return null;
end
$function$
  comment: Makes the keys of a new workspace.

CREATE OR REPLACE FUNCTION private.match_events(p_compiled private.compiled_condition, p_workspace_id uuid, p_ats timestamp with time zone[], p_ids uuid[], p_now timestamp with time zone)
 RETURNS TABLE(received_at timestamp with time zone, id uuid)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET join_collapse_limit TO '1'
 SET from_collapse_limit TO '1'
AS $function$
begin
  return query execute format(
    'select e.received_at, e.id
     from unnest($3, $4) with ordinality as k (received_at, id, position)
     cross join lateral (
       select x.* from public.events as x
       where x.workspace_id = $1 and x.received_at = k.received_at and x.id = k.id limit 1
     ) as e
     cross join lateral (
       select x.customer_id from public.identities as x
       where x.workspace_id = $1 and x.id = e.identity_id limit 1
     ) as o
     cross join lateral (
       select x.* from public.customers as x where x.workspace_id = $1 and x.id = o.customer_id limit 1
     ) as c
     cross join (select z.timezone from public.workspaces as z where z.id = $1) as w
     %s where n%s.holds order by k.position',
    array_to_string(p_compiled.joins, ' '), p_compiled.root
  ) using p_workspace_id, p_now, p_ats, p_ids;
end
$function$
  comment: Those of the events that fulfil a condition, with their customers, in the given order.

CREATE OR REPLACE FUNCTION private.match_sql(p_match jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(string_agg(format(
    'coalesce(%s = %s, false)',
    private.path_sql('x.properties', m ->> 'property'),
    case
      when m ->> 'same_as' = 'run.id' then 'to_jsonb(r.id::text)'
      else private.path_sql('r.trigger', substr(m ->> 'same_as', length('trigger.') + 1))
    end
  ), ' and '), 'true')
  from jsonb_array_elements(coalesce(p_match, '[]')) as m
$function$
  comment: SQL of the properties that an event x must share with a run r.

CREATE OR REPLACE FUNCTION private.match_subscriptions(p_workspace_ids uuid[], p_event_types text[])
 RETURNS private.subscription[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return array(
    -- Each candidate is looked up by key: a join could be planned as a scan of all subscriptions.
    select distinct row(w.id, c.event_type, d.id, d.enabled)::private.subscription
    from (
      select t.workspace_id as id, array_agg(distinct t.event_type) as event_types
      from unnest(p_workspace_ids, p_event_types) as t (workspace_id, event_type)
      group by t.workspace_id
    ) as w
    cross join lateral (
      select t.event_type, t.event_type as pattern
      from unnest(w.event_types) as t (event_type)
      union all
      -- A prefix can only be as long as one of those that the workspace's destinations have.
      select t.event_type, left(t.event_type, l.length) || '*'
      from (
        select distinct s.prefix_length as length
        from private.destination_event_types as s
        where s.workspace_id = w.id and s.prefix_length is not null
      ) as l
      join unnest(w.event_types) as t (event_type) on char_length(t.event_type) >= l.length
    ) as c
    cross join lateral (
      select s.destination_id
      from private.destination_event_types as s
      where s.workspace_id = w.id and s.pattern = c.pattern
      offset 0
    ) as s
    cross join lateral (
      select o.id, o.enabled
      from public.destinations as o
      where o.workspace_id = w.id and o.id = s.destination_id
      limit 1
    ) as d
  );
end
$function$
  comment: Destinations that want these event types, as an exact type, by a prefix, or by *; each type is of the workspace at the same position.

CREATE OR REPLACE FUNCTION private.matched_destinations(p_workspace_id uuid, p_message_id uuid, p_created_at timestamp with time zone)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select array(
    select d.id
    from public.destinations as d
    where d.workspace_id = p_workspace_id
      and (
        exists (
          select from private.webhook_queue as q
          where q.workspace_id = p_workspace_id and q.destination_id = d.id
            and q.message_id = p_message_id
        )
        or exists (
          select from public.missed_messages as m
          where m.workspace_id = p_workspace_id and m.destination_id = d.id
            and m.message_created_at = p_created_at and m.message_id = p_message_id
        )
        or exists (
          select from public.canceled_messages as c
          where c.workspace_id = p_workspace_id and c.destination_id = d.id
            and c.message_created_at = p_created_at and c.message_id = p_message_id
        )
      )
    union
    select t.id
    from private.fan_outs as f
    cross join unnest(f.destination_ids || f.missed_ids) as t (id)
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
    union
    select n.destination_id
    from public.deliveries as n
    where n.workspace_id = p_workspace_id and n.message_id = p_message_id
      and n.attempted_at >= private.attempts_start(p_created_at)
  )
$function$
  comment: The destinations that a message of this time is or was for, those that only wait for it included.

CREATE OR REPLACE FUNCTION private.may_call_functions()
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_configured_for text := (select s.configured_for from private.dispatch_state as s);
begin
  if v_configured_for is null then
    if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is not null then
      raise warning 'Cannot wake a function: call ops.configure_dispatch(url, key) once';
    end if;
    return false;
  elsif v_configured_for <> private.database_identity() then
    raise warning 'Cannot wake a function: this database is a restored copy, call ops.configure_dispatch(url, key) for it';
    return false;
  end if;
  return true;
end
$function$
  comment: True if ops.configure_dispatch was called in this database, so that it may call functions.

CREATE OR REPLACE FUNCTION private.may_read_sends(p_workspace_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    p_workspace_id in (select private.member_workspace_ids())
    or coalesce(
      p_workspace_id = private.key_workspace_id(array['sends:read', 'sends:write']), false
    )
$function$
  comment: For functions with definer rights: true for members, and for keys that may read sends.

CREATE OR REPLACE FUNCTION private.measure_condition(p_workspace_id uuid, p_condition jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    private.stored_scope(p_workspace_id), p_condition
  );
  v_started_at timestamptz := clock_timestamp();
  v_total bigint := (select count(*) from public.customers as c where c.workspace_id = p_workspace_id);
  v_ids uuid[] := private.sample_customers(p_workspace_id, v_total, 50000);
  v_step integer := 500;
  v_from integer := 1;
  v_sampled_at timestamptz := clock_timestamp();
  v_spent double precision;
  v_matches uuid[] := '{}';
  v_is_exact boolean;
begin
  loop
    v_matches := v_matches || array(
      select e.customer_id
      from private.evaluate_compiled(
        v_compiled, p_workspace_id, v_ids[v_from:v_from + v_step - 1], p_now
      ) as e
      where e.is_true
    );
    v_from := v_from + v_step;
    v_spent := extract(epoch from clock_timestamp() - v_sampled_at);
    exit when v_from > cardinality(v_ids);
    -- The rest takes as long per customer as what was done, and is done whole if there is time.
    if v_spent / v_from * v_total < 1.2 then
      v_matches := private.count_exactly(v_compiled, p_workspace_id, p_now);
      v_from := v_total + 1;
      exit;
    end if;
    exit when clock_timestamp() - v_started_at > interval '1 second';
  end loop;
  v_is_exact := v_from > v_total;
  return jsonb_build_object(
    'count', case
      when v_is_exact then cardinality(v_matches)
      else round(cardinality(v_matches)::numeric * v_total / least(v_from - 1, cardinality(v_ids)))
    end,
    'is_exact', v_is_exact,
    'examples', to_jsonb(v_matches[1:10])
  );
end
$function$
  comment: Counts the customers that fulfil a condition, with ten of them: count, is_exact, examples. An estimate from a random sample when all of them would take over about a second.

CREATE OR REPLACE FUNCTION private.member_user_ids(p_workspace_id uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select array(
    select m.user_id from public.workspace_members as m
    where m.workspace_id = p_workspace_id
    order by m.user_id
  )
$function$
  grant execute on function to signalpost_key
  comment: The users who belong to a workspace.

CREATE OR REPLACE FUNCTION private.member_workspace_ids(p_roles text[] DEFAULT NULL::text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.workspace_id
  from public.workspace_members as m
  where m.user_id = (select auth.uid())
    and (p_roles is null or m.role = any (p_roles))
$function$
  grant execute on function to signalpost_user
  comment: The workspaces of the calling user; with p_roles, only those where the user has one of these roles.

CREATE OR REPLACE FUNCTION private.merge_dirt(p_dirt private.segment_truth[])
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_causes constant text[] := '{merge,event,segment,profile,consent,time}';
begin
  return array(
    select row(
      d.segment_id, d.customer_id, v_causes[min(array_position(v_causes, d.cause))], null, null
    )::private.segment_truth
    from unnest(p_dirt) as d
    group by d.segment_id, d.customer_id
  );
end
$function$
  comment: Each pair of segment and customer once, with the cause that a message names when there are several.

CREATE OR REPLACE FUNCTION private.merge_fields(p_survivor public.customers, p_merged public.customers, p_profile jsonb, p_attributes jsonb)
 RETURNS public.customers
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_new public.customers := private.change_fields(
    private.fill_blanks(p_survivor, p_merged), p_profile, p_attributes
  );
  v_own jsonb;
begin
  if private.are_attributes_too_large(v_new.attributes) then
    v_own := (private.change_fields(p_survivor, p_profile, p_attributes)).attributes;
    v_new.attributes := private.fit_attributes(
      v_own,
      -- Fields that the call set or removed must not come back from the merged record.
      p_merged.attributes - array(select jsonb_object_keys(coalesce(p_attributes, '{}')))
    );
  end if;
  return v_new;
end
$function$
  comment: The survivor of a merge with the call's own fields on top. If the attributes of the survivor and the call are within the limit, so is the result: attributes of the merged record that do not fit are only in the history of merges.

CREATE OR REPLACE FUNCTION private.merge_runs(p_workspace_id uuid, p_survivor_id uuid, p_merged_id uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_run_ids uuid[] := array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.customer_id in (p_survivor_id, p_merged_id) and r.state = 'active'
    order by r.id
    for update
  );
begin
  if cardinality(v_run_ids) > 0 then
    -- The one that entered first continues when two are in one journey with one key.
    perform private.end_runs(p_workspace_id, array(
      select d.id
      from (
        select r.id, r.is_parallel, row_number() over (
          partition by r.journey_id, r.key, r.is_parallel order by r.entered_at, r.entered_id, r.id
        ) as nth
        from public.journey_runs as r
        where r.workspace_id = p_workspace_id and r.id = any (v_run_ids)
      ) as d
      where not d.is_parallel and d.nth > 1
    ), 'merged', p_now);
    update public.journey_runs as r
    -- A worker that holds the run decides about somebody else.
    set customer_id = p_survivor_id, claim = null, lease_until = null
    where r.workspace_id = p_workspace_id and r.id = any (v_run_ids) and r.state = 'active'
      and r.customer_id = p_merged_id;
    perform private.wake_runs(p_workspace_id, v_run_ids, p_now);
  end if;
  update public.journey_runs as r set customer_id = p_survivor_id
  where r.workspace_id = p_workspace_id and r.customer_id = p_merged_id;
  with moved as (
    delete from private.journey_entries as e
    where e.workspace_id = p_workspace_id and e.customer_id = p_merged_id
    returning e.*
  )
  insert into private.journey_entries as l (workspace_id, journey_id, customer_id, key, times, last_at)
  select m.workspace_id, m.journey_id, p_survivor_id, m.key, m.times, m.last_at
  from moved as m
  order by m.journey_id, m.key
  on conflict (workspace_id, journey_id, customer_id, key) do update
  set times = l.times + excluded.times, last_at = greatest(l.last_at, excluded.last_at);
  with moved as (
    delete from private.journey_dates as d
    where d.workspace_id = p_workspace_id and d.customer_id = p_merged_id
    returning d.*
  )
  insert into private.journey_dates as d (workspace_id, journey_id, customer_id, due_at, entered_for)
  select m.workspace_id, m.journey_id, p_survivor_id, p_now, m.entered_for
  from moved as m
  order by m.journey_id
  on conflict (workspace_id, journey_id, customer_id) do update
  set due_at = p_now, entered_for = greatest(d.entered_for, excluded.entered_for);
end
$function$
  comment: Gives the runs, entries and timers of a merged customer to the survivor; of two runs in one journey with one key, the later ends with merged.

CREATE OR REPLACE FUNCTION private.message_states(p_workspace_id uuid, p_positions private.message_position[], p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS SETOF private.message_state
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  -- The fields of the type, in its order.
  select
    k.message_id, k.destination_id, d.name, coalesce(m.event_type, a.event_type), k.created_at, s.state,
    case when s.state = 'held' then case when d.enabled then 'breaker' else 'disabled' end end,
    coalesce(a.attempt_number, q.attempts, 0),
    case
      when q.message_id is null and f.is_queued then p_now
      when s.state = 'held' and not d.enabled then null
      when s.state = 'held' then greatest(q.due_at, l.open_until)
      when s.state in ('waiting', 'retrying') and q.is_manual then q.due_at
      when s.state in ('waiting', 'retrying') then greatest(q.due_at, l.limited_until)
    end,
    q.claim is not null,
    case when s.state = 'given_up' and (c.canceled_at < a.attempted_at) is not true then c.canceled_at end,
    a.id, a.attempted_at, a.status_code, a.error
  from unnest(p_positions) with ordinality as k (message_id, destination_id, created_at, position)
  left join lateral (
    select n.name, n.enabled from public.destinations as n
    where n.workspace_id = p_workspace_id and n.id = k.destination_id limit 1
  ) as d on true
  left join lateral (
    select n.limited_until, n.open_until from private.lanes as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id limit 1
  ) as l on true
  left join lateral (
    select n.event_type from public.webhook_messages as n
    where n.workspace_id = p_workspace_id and n.id = k.message_id
      and n.created_at = k.created_at limit 1
  ) as m on true
  left join lateral (
    select n.* from private.webhook_queue as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id
      and n.message_id = k.message_id limit 1
  ) as q on true
  left join lateral (
    select k.destination_id = any (n.destination_ids) as is_queued from private.fan_outs as n
    where n.workspace_id = p_workspace_id and n.message_id = k.message_id
      and k.destination_id = any (n.destination_ids || n.missed_ids) limit 1
  ) as f on true
  left join lateral (
    select true as is_missed from public.missed_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id
      and n.message_created_at = k.created_at and n.message_id = k.message_id limit 1
  ) as x on true
  left join lateral (
    select n.canceled_at from public.canceled_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id
      and n.message_created_at = k.created_at and n.message_id = k.message_id limit 1
  ) as c on true
  left join lateral (
    select o.*
    from (
      select n.id, n.event_type, n.attempt_number, n.ok, n.attempted_at, n.status_code, n.error
      from public.deliveries as n
      where n.workspace_id = p_workspace_id and n.message_id = k.message_id
        and n.destination_id = k.destination_id
        and n.attempted_at >= private.attempts_start(k.created_at)
      -- Few attempts: an index in the order of time would be walked through those of others.
      offset 0
    ) as o
    order by o.attempted_at desc, o.id desc limit 1
  ) as a on true
  cross join lateral (
    select case
      when q.message_id is not null and q.claim is null and not q.is_manual
        and (not d.enabled or l.open_until is not null) then 'held'
      when q.tries > 0 then 'retrying'
      when q.message_id is not null or f.is_queued then 'waiting'
      when x.is_missed or not f.is_queued then 'missed'
      when a.ok then 'delivered'
      else 'given_up'
    end as state
  ) as s
  where coalesce(m.event_type, a.event_type) is not null
    -- Not of the position where a search stopped.
    and (
      q.message_id is not null or a.id is not null or f.is_queued is not null or x.is_missed
      or c.canceled_at is not null
    )
  order by k.position
$function$
  comment: The state of each message at its destination. waiting: its attempt is due. retrying: an attempt failed, another follows. held: by the circuit breaker, or because the destination is disabled. given_up: no attempt follows, or it was canceled. missed: the destination was disabled when it was created. Leaves out messages that are no longer stored.

CREATE OR REPLACE FUNCTION private.move_customer(p_survivor_id uuid, p_merged public.customers, p_cause text, p_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_merged jsonb := jsonb_build_object(
    'customer_id', p_merged.id,
    'external_ids', private.newest_ids(p_merged.workspace_id, p_merged.id, 'external'),
    'external_ids_count', private.count_ids(p_merged.workspace_id, p_merged.id, 'external'),
    'anon_ids', private.newest_ids(p_merged.workspace_id, p_merged.id, 'anon'),
    'anon_ids_count', private.count_ids(p_merged.workspace_id, p_merged.id, 'anon')
  );
  v_identity_ids bigint[];
begin
  with moved as (
    update public.identities as i
    set customer_id = p_survivor_id
    where i.workspace_id = p_merged.workspace_id and i.customer_id = p_merged.id
    returning i.id, i.created_at
  )
  select array_agg(m.id order by m.created_at, m.id) into v_identity_ids from moved as m;

  update public.device_tokens as t
  set customer_id = p_survivor_id
  where t.workspace_id = p_merged.workspace_id and t.customer_id = p_merged.id;

  update public.customer_merges as m
  set customer_id = p_survivor_id
  where m.workspace_id = p_merged.workspace_id and m.customer_id = p_merged.id;

  update public.sends as s
  set customer_id = p_survivor_id
  where s.workspace_id = p_merged.workspace_id and s.customer_id = p_merged.id;

  perform private.copy_opt_outs(p_merged.workspace_id, array[p_merged.email], c.email, p_at)
  from public.customers as c
  where c.workspace_id = p_merged.workspace_id and c.id = p_survivor_id
    and p_merged.email is not null and c.email is not null;

  delete from public.customers as c
  where c.workspace_id = p_merged.workspace_id and c.id = p_merged.id;

  insert into public.customer_merges
    (workspace_id, customer_id, merged_customer_id, cause, identity_ids, profile, merged_at)
  values (
    p_merged.workspace_id, p_survivor_id, p_merged.id, p_cause, coalesce(v_identity_ids, '{}'),
    to_jsonb(p_merged) - array['workspace_id', 'id'] || jsonb_build_object(
      'created_at', private.rfc3339(p_merged.created_at),
      'updated_at', private.rfc3339(p_merged.updated_at),
      'last_seen_at', private.rfc3339(p_merged.last_seen_at)
    ),
    p_at
  );
  perform private.merge_runs(p_merged.workspace_id, p_survivor_id, p_merged.id, p_at);
  perform private.note_merge(p_merged.workspace_id, p_survivor_id, p_merged.id);
  return v_merged;
end
$function$
  comment: Moves identities, device tokens and merge history of the merged customer to the survivor, deletes the record and keeps its profile in the history; returns what messages say about it. Costs the same however many events there are. Both rows must be locked by the caller, who writes the survivor.

CREATE OR REPLACE FUNCTION private.move_runs(p_held jsonb, p_now timestamp with time zone)
 RETURNS public.journey_runs[]
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  with moved as (
    update public.journey_runs as r
    set
      state = case when h.end_reason is null then 'active' else 'ended' end,
      reason = h.end_reason,
      exited_at = h.exited_at,
      step = h.step,
      visit = h.visit,
      stepped_at = h.stepped_at,
      stepped_id = h.stepped_id,
      wake_at = case when h.end_reason is null then h.wake_at end,
      due_at = case
        when h.end_reason is not null then 'infinity'
        -- Something happened since the worker read the facts.
        when r.wakes <> h.wakes then least(h.due_at, p_now)
        else coalesce(h.due_at, 'infinity')
      end,
      is_passed_by = h.is_passed_by,
      goal_at = coalesce(r.goal_at, h.goal_at),
      claim = null,
      lease_until = null
    from jsonb_to_recordset(p_held) as h (
      workspace_id uuid, run_id uuid, step text, visit integer, stepped_at timestamptz, stepped_id uuid,
      wake_at timestamptz, due_at timestamptz, is_passed_by boolean, goal_at timestamptz, end_reason text,
      exited_at timestamptz, wakes integer
    )
    where r.workspace_id = h.workspace_id and r.id = h.run_id
    returning r as run
  )
  select coalesce(array_agg(m.run), '{}') from moved as m
$function$
  comment: Puts runs where the results say, ends their claims, and returns them.

CREATE OR REPLACE FUNCTION private.move_versions(p_job jsonb, p_steps jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_job private.journey_jobs;
  v_runs jsonb;
begin
  select j.* into v_job
  from private.journey_jobs as j
  where j.workspace_id = (p_job ->> 'workspace_id')::uuid and j.id = (p_job ->> 'id')::uuid
  for update skip locked;
  if not found then
    return 0;
  end if;
  select jsonb_agg(jsonb_build_array(r.id, s.step)) into v_runs
  from (
    select n.id, n.version, n.step
    from public.journey_runs as n
    where n.workspace_id = v_job.workspace_id and n.journey_id = v_job.journey_id and n.state = 'active'
      and n.version < v_job.version
    order by n.id
    limit 1000
    for update
  ) as r
  join jsonb_to_recordset(p_steps) as s (version integer, "from" text, step text)
    on s.version = r.version and s."from" = r.step;
  if v_runs is null then
    delete from private.journey_jobs as j where j.workspace_id = v_job.workspace_id and j.id = v_job.id;
    return 0;
  end if;
  perform private.end_runs(v_job.workspace_id, array(
    select (r ->> 0)::uuid from jsonb_array_elements(v_runs) as r where r ->> 1 is null
  ), 'removed', p_now);
  update public.journey_runs as r
  set
    version = v_job.version, step = n.step, due_at = p_now, claim = null, lease_until = null,
    -- A wait is measured from when the run came to it; another step is new.
    stepped_at = case when n.step = r.step then r.stepped_at else p_now end,
    stepped_id = case when n.step = r.step then r.stepped_id else '00000000-0000-0000-0000-000000000000' end
  from (select (e ->> 0)::uuid as id, e ->> 1 as step from jsonb_array_elements(v_runs) as e) as n
  where r.workspace_id = v_job.workspace_id and r.id = n.id and n.step is not null and r.state = 'active';
  perform private.announce_runs(
    v_job.workspace_id, jsonb_build_array(jsonb_build_array(v_job.journey_id, p_now)), p_now
  );
  return jsonb_array_length(v_runs);
end
$function$
  grant execute on function to signalpost_automation
  comment: Moves up to 1,000 runs to the version of a job {workspace_id, id}; p_steps says where each [{version, from, step}] goes, null for out. Deletes the job when none is left. Returns how many.

CREATE OR REPLACE FUNCTION private.moved_tables()
 RETURNS TABLE(name regclass, workspace_column text, is_copied boolean, is_taken_out boolean, skips text[])
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    t.name, case t.name when 'public.workspaces'::regclass then 'id' else 'workspace_id' end,
    coalesce(r.is_copied, false), coalesce(r.is_taken_out, false), coalesce(r.skips, '{}')
  from (
    select t as name from private.tenant_tables() as t
    union all
    values ('private.erasures'::regclass), ('public.workspaces'::regclass)
  ) as t
  join pg_catalog.pg_class as c on c.oid = t.name
  left join private.move_rules as r on to_regclass(r.table_name) = t.name
  -- Unlogged tables do not survive a crash either.
  where c.relpersistence = 'p'
    and t.name <> all (array[
      'private.moved_addresses', 'private.directory', 'private.workspace_moves'
    ]::regclass[])
  order by t.name::text
$function$
  comment: Every table whose rows move with their workspace, and how: see private.move_rules.

CREATE OR REPLACE FUNCTION private.needed_text(p_leaf jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_leaf ? 'event' then (
      select string_agg(
        case l.key when 'gte' then '>= ' when 'gt' then '> ' when 'lte' then '<= ' when 'lt' then '< '
          else '= ' end || l.value,
        ', ' order by l.key
      )
      from jsonb_each_text(
        coalesce(p_leaf -> 'sum', p_leaf -> 'min', p_leaf -> 'max', p_leaf -> 'count', '{"gte": 1}')
          - 'property'
      ) as l
    )
    when p_leaf ? 'field' or p_leaf ? 'property' then concat_ws(' ', p_leaf ->> 'op', (p_leaf -> 'value')::text)
    when p_leaf ? 'segment' then 'member'
    when p_leaf ? 'journey' then p_leaf ->> 'state'
    when p_leaf ? 'topic' then
      case when coalesce((p_leaf ->> 'subscribed')::boolean, true) then 'subscribed' else 'not subscribed' end
    when p_leaf ? 'bucket' then format('>= %s, < %s', p_leaf ->> 'from', p_leaf ->> 'to')
  end
$function$
  comment: Describes what a leaf asks for, as text: ">= 2".

CREATE OR REPLACE FUNCTION private.newest_identity(p_workspace_id uuid, p_customer_id uuid)
 RETURNS public.identities
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select i.*
  from public.identities as i
  where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id
  order by i.created_at desc, i.id desc
  limit 1
$function$
  comment: The identity of a customer that was added last.

CREATE OR REPLACE FUNCTION private.newest_ids(p_workspace_id uuid, p_customer_id uuid, p_kind text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select coalesce(jsonb_agg(n.value order by n.created_at, n.id), '[]')
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = p_workspace_id and d.customer_id = p_customer_id and d.kind = p_kind
      order by d.created_at desc, d.id desc
      limit 100
    ) as n
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The newest 100 ids of one kind that lead to a customer, in the order they were added.

CREATE OR REPLACE FUNCTION private.next_erasure_step(p_subject text, p_position integer DEFAULT 0)
 RETURNS private.erasure_steps
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.*
  from private.erasure_steps as s
  where s.subject = p_subject and s.position > p_position
  order by s.position
  limit 1
$function$
  comment: The step after a position, the first by default; null after the last.

CREATE OR REPLACE FUNCTION private.next_fan_out()
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- From workspace to workspace through the index: one of them may have millions of rows.
  with recursive waiting as (
    (select f.workspace_id from private.fan_outs as f order by f.workspace_id limit 1)
    union all
    select (
      select f.workspace_id
      from private.fan_outs as f
      where f.workspace_id > w.workspace_id
      order by f.workspace_id
      limit 1
    )
    from waiting as w
    where w.workspace_id is not null
  )
  select w.workspace_id from waiting as w where w.workspace_id is not null order by random() limit 1
$function$
  comment: A random workspace with messages that are still to be queued, so that none is always the last.

CREATE OR REPLACE FUNCTION private.next_local_time(p_time time without time zone, p_zone text, p_from timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_day date := (p_from at time zone p_zone)::date;
  v_at timestamptz := private.first_instant(v_day + p_time, p_zone);
begin
  if v_at < p_from then
    v_at := private.first_instant(v_day + 1 + p_time, p_zone);
  end if;
  return v_at;
end
$function$
  comment: The first instant from p_from on at which it is a time of day in a zone.

CREATE OR REPLACE FUNCTION private.next_ready_at(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  select case
    when exists (select from private.lane_arrivals)
      or exists (select from private.fan_outs)
      or exists (select from public.jobs as j where j.finished_at is null)
      or exists (
        select
        from private.lanes as l
        cross join lateral (
          select from private.webhook_queue as w
          where w.destination_id = l.destination_id and w.lease_until <= p_now
          limit 1
        ) as q
        where l.in_flight > 0
      )
    then p_now
    else (select min(l.ready_at) from private.lanes as l where l.is_waiting)
  end
$function$
  grant execute on function to signalpost_dispatch
  comment: When there is work for a dispatcher next, as currently known; null for never.

CREATE OR REPLACE FUNCTION private.next_run_at(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  select least(
    (select min(l.due_at) from private.journey_lanes as l where l.is_open),
    (select min(a.due_at) from (select n.due_at from private.run_arrivals as n limit 1000) as a),
    (select min(r.lease_until) from public.journey_runs as r where r.claim is not null),
    (select min(j.due_at) from private.journey_jobs as j),
    (select min(d.due_at) from private.journey_dates as d where d.due_at < 'infinity')
  )
$function$
  grant execute on function to signalpost_automation
  comment: When there is work for a worker next, as currently known; null or infinity for never.

CREATE OR REPLACE FUNCTION private.next_runs(p_job private.journey_jobs, p_limit integer)
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_job.workspace_id and r.journey_id = p_job.journey_id
      and r.id > p_job.cursor and r.state = 'active'
    order by r.id
    limit p_limit
  )
$function$
  comment: The next p_limit active runs for a job.

CREATE OR REPLACE FUNCTION private.next_send_at(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  select case
    when exists (select from private.send_arrivals)
      or exists (
        select
        from private.send_lanes as l
        cross join lateral (
          select from private.send_queue as w
          where w.workspace_id = l.workspace_id and w.sender_id = l.sender_id
            and w.lease_until <= p_now
          limit 1
        ) as q
        where l.in_flight > 0
      )
    then p_now
    else (select min(l.ready_at) from private.send_lanes as l where l.is_waiting)
  end
$function$
  grant execute on function to signalpost_send
  comment: When there is work for send-dispatch next, as currently known; null for never.

CREATE OR REPLACE FUNCTION private.next_step_at(p_campaign public.campaigns, p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_due_at timestamptz := (
    select r.due_at from private.campaign_recipients as r
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id and r.state = 'pending'
    order by r.due_at
    limit 1
  );
  v_decide_at timestamptz := (
    select j.decide_at from private.campaign_jobs as j
    where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id
      and p_campaign.winner_variant is null
  );
begin
  -- While sends are on their way, to see their outcomes.
  if v_due_at is null or exists (
    select from private.send_queue as q
    where q.workspace_id = p_campaign.workspace_id and q.sender_id = p_campaign.sender_id
  ) then
    return p_now + interval '1 second';
  end if;
  return greatest(
    least(v_due_at - interval '10 seconds', coalesce(v_decide_at, 'infinity')), p_now + interval '1 second'
  );
end
$function$
  comment: When there is something to do for a campaign again: at once while sends wait, else before the next recipient is due.

CREATE OR REPLACE FUNCTION private.next_steps(p_step jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array(
    select n.step
    from (
      values (p_step ->> 'next'), (p_step ->> 'on_timeout'), (p_step ->> 'else'), (p_step #>> '{wait,on_missing}')
    ) as n (step)
    where n.step is not null
    union
    select w ->> 'next'
    from jsonb_array_elements(
      case when jsonb_typeof(p_step -> 'branch') = 'array' then p_step -> 'branch' else '[]' end
        || case when jsonb_typeof(p_step -> 'split') = 'array' then p_step -> 'split' else '[]' end
    ) as w
    where w ->> 'next' is not null
  )
$function$
  comment: The steps that can follow a step.

CREATE OR REPLACE FUNCTION private.normalize_address(p_channel text, p_address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- One channel so far. No dots or plus signs are removed: their meaning is the provider's.
  select nullif(lower(normalize(btrim(p_address, e' \t\n\r'))), '')
$function$
  comment: The form in which two spellings of one address are equal; null for none.

CREATE OR REPLACE FUNCTION private.note_arrivals()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.lane_arrivals (workspace_id, destination_ids, due_at, is_manual)
  select a.workspace_id, array_agg(distinct a.destination_id), min(a.due_at), a.is_manual
  from arrived as a
  group by a.workspace_id, a.is_manual;
  if found then
    perform private.wake_dispatcher();
  end if;
  return null;
end
$function$
  comment: Notes which lanes got rows, once per statement, and wakes a dispatcher.

CREATE OR REPLACE FUNCTION private.note_canceled(p_job public.jobs, p_message_ids uuid[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.canceled_messages (
    workspace_id, destination_id, message_id, message_created_at, canceled_at
  )
  select
    p_job.workspace_id, p_job.destination_id, m.id, private.uuid_v7_time(m.id),
    date_trunc('milliseconds', p_now)
  from unnest(p_message_ids) as m (id)
  on conflict do nothing
$function$
  comment: Records messages that a job has discarded.

CREATE OR REPLACE FUNCTION private.note_consent_changes(p_workspace_id uuid, p_channel text, p_addresses text[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from private.segment_parts as p where p.workspace_id = p_workspace_id and p.kind = 'topic'
  ) then
    insert into private.signals (workspace_id, kind, customer_id)
    select p_workspace_id, 'consent', c.id
    from unnest(p_addresses) as a (address)
    cross join lateral (
      select x.id from public.customers as x
      where x.workspace_id = p_workspace_id and x.email is not null and lower(x.email) = a.address
    ) as c;
    perform private.wake_folder();
  end if;
end
$function$
  comment: Notes the customers with these normalised addresses for the next fold, because their consent changed.

CREATE OR REPLACE FUNCTION private.note_customers(p_workspace_id uuid, p_kind text, p_customer_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.signals (workspace_id, kind, customer_id)
  select p_workspace_id, p_kind, c.id
  from unnest(p_customer_ids) as c (id)
  where exists (select from private.segment_lanes as l where l.workspace_id = p_workspace_id);
  if found then
    perform private.wake_folder();
  end if;
end
$function$
  comment: Notes for the next fold what happened to customers: profile, created, removed or consent.

CREATE OR REPLACE FUNCTION private.note_dates(p_workspace_id uuid, p_signals private.signals[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due integer;
begin
  insert into private.journey_dates as d (workspace_id, journey_id, customer_id, due_at)
  select distinct p_workspace_id, i.journey_id, s.customer_id, p_now
  from unnest(p_signals) as s
  join private.journey_interests as i
    on i.workspace_id = p_workspace_id and i.role = 'trigger' and i.kind = 'date'
  join public.journeys as j
    on j.workspace_id = i.workspace_id and j.id = i.journey_id and j.version = i.version and j.state = 'running'
  where s.kind in ('profile', 'created', 'merge')
  order by 2, 3
  on conflict (workspace_id, journey_id, customer_id) do update set due_at = least(d.due_at, excluded.due_at);
  get diagnostics v_due = row_count;
  if v_due > 0 then
    perform private.wake_worker('automation');
  end if;
end
$function$
  comment: Has a worker compute the dates of changed customers again, for the journeys that a date triggers.

CREATE OR REPLACE FUNCTION private.note_entries(p_entries private.ingest_entry[], p_created private.created_identity[], p_workspace_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  insert into private.signals (workspace_id, kind, customer_id)
  select distinct c.workspace_id, k.kind, c.customer_id
  from unnest(p_entries) as c
  cross join lateral (
    select case
      when c.identity_id in (select n.identity_id from unnest(p_created) as n) then 'created'
      when c.kind <> 'event' then 'profile'
    end as kind
  ) as k
  where c.workspace_id = any (p_workspace_ids) and k.kind is not null and c.customer_id is not null
    and not c.is_duplicate and c.repeats is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$function$
  comment: Notes the customers that a batch created, and whose profile or ids it may have changed; returns how many.

CREATE OR REPLACE FUNCTION private.note_events(p_entries private.ingest_entry[], p_inputs jsonb, p_workspace_ids uuid[], p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
declare
  v_count integer;
begin
  insert into private.signals (workspace_id, kind, identity_id, event_id, received_at, name, at, depth)
  select
    c.workspace_id, 'event', c.identity_id, c.event_id, p_at, c.name,
    least(coalesce(date_trunc('milliseconds', c.occurred_at), p_at), p_at), coalesce(c.depth, 0)
  from rows from (
    unnest(p_entries), jsonb_to_recordset(p_inputs) as (name text, occurred_at timestamptz, depth smallint)
  ) with ordinality as c
  join private.event_interests as i
    on i.workspace_id = any (p_workspace_ids) and i.workspace_id = c.workspace_id and i.event = c.name
  where c.kind = 'event' and not c.is_duplicate and c.repeats is null and c.refused_code is null
  order by c.ordinality;
  get diagnostics v_count = row_count;
  return v_count;
end
$function$
  comment: Notes the events of a batch that a segment depends on; returns how many.

CREATE OR REPLACE FUNCTION private.note_journey_stats(p_stats jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select s.workspace_id, s.journey_id, coalesce(s.version, r.version), s.step, s.kind, s.count
  from jsonb_to_recordset(p_stats) as s (
    workspace_id uuid, journey_id uuid, version integer, run_id uuid, step text, kind text, count bigint
  )
  left join lateral (
    select n.version from public.journey_runs as n
    where n.workspace_id = s.workspace_id and n.id = s.run_id limit 1
  ) as r on true
  where coalesce(s.version, r.version) is not null
$function$
  comment: Adds to the figures of steps, a list of {workspace_id, journey_id, version or run_id, step, kind, count}: kinds such as delivered, opened and clicked.

CREATE OR REPLACE FUNCTION private.note_list_change(p_workspace_id uuid, p_segment_id uuid, p_customer_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.segments as s
  set members = (
    select count(*) from public.segment_members as m
    where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id
  )
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  perform private.note_segment_change(p_workspace_id, p_segment_id, p_customer_ids);
end
$function$
  comment: Counts a static segment again, and has the segments that name it follow.

CREATE OR REPLACE FUNCTION private.note_merge(p_workspace_id uuid, p_survivor_id uuid, p_merged_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.signals (workspace_id, kind, customer_id, event_id)
  select p_workspace_id, 'merge', p_survivor_id, p_merged_id
  where exists (select from private.segment_lanes as l where l.workspace_id = p_workspace_id)
$function$
  comment: Notes that a customer was merged into another.

CREATE OR REPLACE FUNCTION private.note_runs(p_workspace_id uuid, p_runs public.journey_runs[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.signals (workspace_id, kind, customer_id, depth)
  select p_workspace_id, 'profile', r.customer_id, max(r.depth) + 1
  from unnest(p_runs) as r
  where exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'field' and p.ref = 'journey'
  )
  group by r.customer_id;
  if found then
    perform private.wake_folder();
  end if;
end
$function$
  comment: Notes for the next fold that runs began or ended, if a segment depends on journeys.

CREATE OR REPLACE FUNCTION private.note_segment_change(p_workspace_id uuid, p_segment_id uuid, p_customer_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.signals (workspace_id, kind, customer_id, name)
  select p_workspace_id, 'segment', c.id, p_segment_id::text
  from unnest(p_customer_ids) as c (id)
  where exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = p_segment_id::text
  ) or exists (
    select from private.journey_interests as i
    where i.workspace_id = p_workspace_id and i.kind = 'segment' and i.ref = p_segment_id::text
  );
  if found then
    perform private.wake_folder();
  end if;
end
$function$
  comment: Notes that the membership of customers changed outside of a fold, if another segment or a journey names this one.

CREATE OR REPLACE FUNCTION private.number_pattern(p_search_terms text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- Short numbers occur in every entry as counts or prices: their field names must be specific.
  select string_agg(format('%s"\s*:\s*(?:%s)\s*[,}]', n.name, n.ids), '|')
  from (
    select
      '"(?:(?:external|anon|anonymous|previous|user|customer)_?id|user|customer)' as name,
      string_agg(t.value, '|') as ids
    from unnest(p_search_terms) as t (value)
    where t.value ~ '^[0-9]+$'
    union all
    select 'id', string_agg(t.value, '|')
    from unnest(p_search_terms) as t (value)
    where t.value ~ '^[0-9]{5,}$'
  ) as n
  where n.ids is not null
$function$
  comment: A pattern that finds ids of digits that an entry has as a number, in a field whose name is that of an id, ignoring case; null when there are none.

CREATE OR REPLACE FUNCTION private.number_sql(p_comparison text, p_operand jsonb, p_value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    'coalesce(case when jsonb_typeof(%1$s) = ''number'' then (%1$s)::numeric %2$s %3$L::numeric end, false)',
    p_value, p_comparison, p_operand #>> '{}'
  )
$function$
  comment: SQL that compares a JSON value with a number; false for a value of another type.

CREATE OR REPLACE FUNCTION private.obstacle_text(p_obstacle text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format('its %s was deleted', split_part(p_obstacle, '_', 1))
$function$
  comment: The end of a sentence about an obstacle.

CREATE OR REPLACE FUNCTION private.operator_sql(p_op text, p_operand jsonb, p_value text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_text text := lower(p_operand #>> '{}');
  v_lower text := format('case when jsonb_typeof(%1$s) = ''string'' then lower(%1$s #>> ''{}'') end', p_value);
begin
  return case p_op
    when 'exists' then format('%s is not null', p_value)
    when 'not_exists' then format('%s is null', p_value)
    when 'eq' then format('coalesce(%s = %L::jsonb, false)', p_value, p_operand)
    when 'neq' then format('coalesce(%s <> %L::jsonb, true)', p_value, p_operand)
    when 'in' then format('coalesce(%s = any (%L::jsonb[]), false)', p_value, private.elements(p_operand))
    when 'not_in' then format('coalesce(%s <> all (%L::jsonb[]), true)', p_value, private.elements(p_operand))
    when 'contains' then format('coalesce(strpos(%s, %L) > 0, false)', v_lower, v_text)
    when 'not_contains' then format('coalesce(strpos(%s, %L) = 0, true)', v_lower, v_text)
    when 'starts_with' then format('coalesce(starts_with(%s, %L), false)', v_lower, v_text)
    when 'ends_with' then format(
      'coalesce(right(%s, %s) = %L, false)', v_lower, length(v_text), v_text
    )
    when 'gt' then private.number_sql('>', p_operand, p_value)
    when 'gte' then private.number_sql('>=', p_operand, p_value)
    when 'lt' then private.number_sql('<', p_operand, p_value)
    when 'lte' then private.number_sql('<=', p_operand, p_value)
    when 'before' then format(
      'coalesce(private.read_time(%s) < %L::timestamptz, false)', p_value, private.read_time(p_operand)
    )
    when 'after' then format(
      'coalesce(private.read_time(%s) > %L::timestamptz, false)', p_value, private.read_time(p_operand)
    )
  end;
end
$function$
  comment: SQL that is true or false and never null: whether the JSON value p_value (SQL, null when missing) fulfils the operator. Null for an unknown operator.

CREATE OR REPLACE FUNCTION private.own_address()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- The current address in Auth: a token may contain an earlier one.
  select lower(u.email)
  from auth.users as u
  where u.id = (select auth.uid()) and u.email_confirmed_at is not null and u.deleted_at is null
$function$
  comment: The confirmed e-mail address of the calling user, in lower case; null where there is none.

CREATE OR REPLACE FUNCTION private.own_invitations(p_before uuid, p_limit integer)
 RETURNS TABLE(id uuid, workspace_id uuid, workspace_name text, role text, invited_by text, created_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    i.id, i.workspace_id,
    (select w.name from public.workspaces as w where w.id = i.workspace_id), i.role,
    (select u.email from auth.users as u where u.id = i.invited_by and u.deleted_at is null),
    i.created_at, i.expires_at
  from public.invitations as i
  where i.email = (select private.own_address()) and i.id < p_before
    and i.accepted_by is null and i.declined_at is null and i.expires_at > now()
  order by i.id desc
  limit p_limit
$function$
  grant execute on function to signalpost_user
  comment: Up to p_limit open invitations of the calling user before the id, newest first, with the inviter's address.

CREATE OR REPLACE FUNCTION private.part_starts(p_entries private.ingest_entry[])
 RETURNS integer[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_starts integer[] := array[1];
  v_later record;
begin
  for v_later in
    select k.i, k.previous_i
    from (
      select
        c.ordinality::integer as i,
        lag(c.ordinality::integer) over repeats as previous_i,
        lag(c.kind) over repeats as previous_kind
      from unnest(p_entries) with ordinality as c
      where c.idempotency_key is not null and not c.is_duplicate
      window repeats as (partition by c.workspace_id, c.idempotency_key order by c.ordinality)
    ) as k
    where k.previous_kind in ('identify', 'alias', 'segment_alias')
    union all
    select u.i, u.previous_i
    from (
      select
        c.ordinality::integer as i, c.workspace_id, c.kind, c.external_id,
        max(c.ordinality::integer) filter (where c.kind = 'segment_alias') over (
          partition by c.workspace_id, c.external_id order by c.ordinality
          rows between unbounded preceding and 1 preceding
        ) as previous_i
      from unnest(p_entries) with ordinality as c
      where c.external_id is not null
    ) as u
    where u.kind in ('event', 'identify') and u.previous_i is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = u.workspace_id and d.kind = 'external' and d.value = u.external_id
      )
    order by i
  loop
    if v_later.previous_i >= v_starts[cardinality(v_starts)] then
      v_starts := v_starts || v_later.i;
    end if;
  end loop;
  return v_starts;
end
$function$
  comment: Positions where the batch must be parted: before an entry that repeats the key of an identify or alias, which is free if that is refused; and before an entry on an id that an alias of Segment's format may have added to a customer.

CREATE OR REPLACE FUNCTION private.partition_column(p_table text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a.attname
  from pg_catalog.pg_partitioned_table as t
  join pg_catalog.pg_attribute as a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
  where t.partrelid = format('public.%I', p_table)::regclass
$function$
  comment: The column that public.<p_table> is partitioned by.

CREATE OR REPLACE FUNCTION private.pass_by_runs(p_job private.journey_jobs, p_limit integer, p_now timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[] := private.next_runs(p_job, p_limit);
begin
  update public.journey_runs as r set is_passed_by = true
  where r.workspace_id = p_job.workspace_id and r.id = any (v_ids) and r.wake_at <= p_now;
  if cardinality(v_ids) = p_limit then
    return v_ids[p_limit];
  end if;
  update private.journey_lanes as l set is_open = true
  from public.journeys as j
  where l.workspace_id = p_job.workspace_id and l.journey_id = p_job.journey_id
    and j.workspace_id = l.workspace_id and j.id = l.journey_id and j.state in ('running', 'draining');
  return null;
end
$function$
  comment: Marks the next p_limit runs whose wait ended during a pause; after the last, the journey moves again. Returns where to continue, null at the end.

CREATE OR REPLACE FUNCTION private.pass_on_work(p_worker text, p_is_due boolean, p_is_late boolean, p_is_ending boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_is_ending then
    update private.work_wakes as w set watched_until = '-infinity'
    where w.worker = p_worker and w.slot = 1;
  end if;
  if p_is_due then
    perform private.send_worker_wake(p_worker, p_is_ending or p_is_late);
  end if;
  return p_is_due;
end
$function$
  comment: Wakes a function if work is due. p_is_late: work waits although a run looks for it, so one more helps. p_is_ending: the caller is a run that stops looking. Returns p_is_due.

CREATE OR REPLACE FUNCTION private.path_sql(p_document text, p_path text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format('nullif(%s #> %L::text[], ''null'')', p_document, string_to_array(p_path, '.')::text)
$function$
  comment: SQL of the JSON value at a path like "address.city" of a document; null when it is missing or null.

CREATE OR REPLACE FUNCTION private.pause_campaign(p_workspace_id uuid, p_campaign_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state <> 'sending' then
    perform private.refuse_campaign_state(v_campaign, 'pause');
  end if;
  perform private.halt_campaign(v_campaign, 'paused', 'requested', null, p_now);
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Pauses a campaign that is sending; SP409 in another state. Returns false if it does not exist.

CREATE OR REPLACE FUNCTION private.pg_net_problem()
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_problem text;
begin
  if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is null then
    v_problem := private.create_extension('pg_net');
  end if;
  if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is null then
    return coalesce(v_problem, 'it has no function net.http_post');
  end if;
  return null;
end
$function$
  comment: Reason why the database cannot call the dispatcher over HTTP; null when it can.

CREATE OR REPLACE FUNCTION private.phone_pattern(p_search_terms text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- Not with format(), which turns null into an empty pattern that finds everything.
  select '[:"][\s\u00a0.()\[\]+-]*(?:'
    || string_agg(regexp_replace(substr(t.value, 2), '(.)', '\1[\\s\\u00a0.()\\[\\]-]*', 'g'), '|')
    || ')[",}]'
  from unnest(p_search_terms) as t (value)
  where t.value ~ '^\+[0-9]+$'
$function$
  comment: A pattern that finds phone numbers in an entry, with any separators between the digits; null when there are none.

CREATE OR REPLACE FUNCTION private.pick_bucket(p_salt text, p_customer_id uuid)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select (
    'x' || lpad(left(encode(sha256(convert_to(p_salt || ':' || p_customer_id, 'UTF8')), 'hex'), 8), 16, '0')
  )::bit(64)::bigint * 100 / 4294967296.0
$function$
  comment: A number from 0 to below 100 that is stable for a customer and a salt.

CREATE OR REPLACE FUNCTION private.pick_recipients(p_campaign public.campaigns, p_until timestamp with time zone, p_limit integer)
 RETURNS private.campaign_pick[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  return array(
    with due as materialized (
      select r.ctid as row_id, r.*
      from private.campaign_recipients as r
      where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
        and r.state = 'pending' and r.due_at <= p_until
      order by r.due_at, r.customer_id
      limit p_limit
      for update
    ),
    -- A customer that was merged is now the survivor.
    current as materialized (
      select
        d.*, x.id as current_id, x.id <> d.customer_id as is_merged,
        private.address_hash(d.workspace_id, 'email', x.email) as current_hash
      from due as d
      left join lateral (
        select c.id, c.email
        from public.customers as c
        where c.workspace_id = d.workspace_id and c.id = coalesce((
          select m.customer_id from public.customer_merges as m
          where m.workspace_id = d.workspace_id and m.merged_customer_id = d.customer_id
          limit 1
        ), d.customer_id)
      ) as x on true
    )
    select row(
      c.row_id, c.customer_id, c.current_id, coalesce(c.variant, p_campaign.winner_variant), c.due_at,
      c.current_hash,
      case
        when c.current_id is null then 'customer_deleted'
        when c.is_merged and exists (
          select from private.campaign_recipients as o
          where o.workspace_id = c.workspace_id and o.campaign_id = c.campaign_id
            and o.customer_id = c.current_id
        ) then 'merged'
        -- One person, who is also here as another record that was merged into the same.
        when exists (
          select from public.customer_merges as m
          join private.campaign_recipients as o
            on o.workspace_id = c.workspace_id and o.campaign_id = c.campaign_id
            and o.customer_id = m.merged_customer_id
          where m.workspace_id = c.workspace_id and m.customer_id = c.current_id
            and o.customer_id <> c.customer_id
            and (o.state = 'queued' or (c.is_merged and o.state = 'pending' and o.customer_id < c.customer_id))
        ) then 'merged'
        when c.current_hash <> c.address_hash and (
          exists (
            select from private.campaign_recipients as o
            where o.workspace_id = c.workspace_id and o.campaign_id = c.campaign_id
              and o.address_hash = c.current_hash
          )
          or row_number() over (partition by c.current_hash order by c.customer_id) > 1
        ) then 'same_address'
      end
    )::private.campaign_pick
    from current as c
    order by c.due_at, c.customer_id
  );
end
$function$
  comment: Up to p_limit recipients that are due by a time, in order, with the customers that they are now, and why nothing is sent to some.

CREATE OR REPLACE FUNCTION private.pick_truths(p_truths private.segment_truth[], p_wanted private.segment_truth[])
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
begin
  return array(
    select t
    from unnest(p_truths) as t
    join unnest(p_wanted) as w on w.segment_id = t.segment_id and w.customer_id = t.customer_id
  );
end
$function$
  comment: Those of the answers that are about the wanted pairs of segment and customer.

CREATE OR REPLACE FUNCTION private.plan_journey(p_definition jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('branches', coalesce(jsonb_object_agg(
    s.key, to_jsonb(private.reached_branches(p_definition -> 'steps', s.key))
  ), '{}'))
  from jsonb_each(p_definition -> 'steps') as s
$function$
  comment: The plan of a definition: per step the branches whose answers a worker needs when it starts there.

CREATE OR REPLACE FUNCTION private.post_to_function(p_worker text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_url text;
  v_key text;
begin
  select s.decrypted_secret into v_url
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_url';
  select s.decrypted_secret into v_key
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_key';
  if v_url is null or v_key is null then
    raise warning 'Cannot wake "%": Vault has no address for it, call ops.configure_dispatch(url, key)',
      p_worker;
    return;
  end if;
  perform net.http_post(
    -- The functions of a project differ in the last part of their address.
    url => regexp_replace(v_url, '[^/]+/*$', p_worker),
    body => '{}',
    headers => jsonb_build_object('content-type', 'application/json', 'apikey', v_key),
    timeout_milliseconds => 5000
  );
exception when others then
  -- The transaction that created the work must not fail because of this: the schedule wakes the function.
  raise warning 'Cannot wake "%": %', p_worker, sqlerrm;
end
$function$
  comment: Calls a function through pg_net at commit, next to the address that ops.configure_dispatch was given.

CREATE OR REPLACE FUNCTION private.post_wake()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_url text;
  v_key text;
begin
  select s.decrypted_secret into v_url
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_url';
  select s.decrypted_secret into v_key
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_key';
  if v_url is null or v_key is null then
    raise warning 'Cannot wake the dispatcher: Vault has no address for it, call ops.configure_dispatch(url, key)';
    return;
  end if;
  -- The function responds at once. A long timeout would hold up all other requests of pg_net.
  perform net.http_post(
    url => v_url,
    body => '{}',
    headers => jsonb_build_object('content-type', 'application/json', 'apikey', v_key),
    timeout_milliseconds => 5000
  );
exception when others then
  -- Publishing must not fail because of this: the schedule wakes the dispatcher.
  raise warning 'Cannot wake the dispatcher: %', sqlerrm;
end
$function$
  comment: Calls the dispatcher through pg_net at commit, at the address that ops.configure_dispatch was given.

CREATE OR REPLACE FUNCTION private.preview_condition(p_workspace_id uuid, p_condition jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return null;
  end if;
  return private.measure_condition(
    p_workspace_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Counts the customers that a segment with the condition would have, with ten of them: see private.measure_condition.

CREATE OR REPLACE FUNCTION private.profile_fields()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '{email, phone, first_name, last_name, country, timezone, locale}'::text[]
$function$
  comment: The profile columns of a customer, in the order in which they are shown.

CREATE OR REPLACE FUNCTION private.publish_journey(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.make_version(p_workspace_id, p_journey_id, p_options);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Makes a version of {definition, inside?, published_by?}, with ids instead of keys, and lets customers enter it; returns its number. SP409 when the journey ends or has ended.

CREATE OR REPLACE FUNCTION private.publish_messages(p_messages private.new_message[], p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return private.store_messages(p_messages, (
    select private.match_subscriptions(array_agg(m.workspace_id), array_agg(m.event_type))
    from unnest(p_messages) as m
    where m.destination_id is null
  ), p_now);
end
$function$
  comment: Stores and queues messages for the destinations that subscribe to them now, see private.store_messages. Returns the ids of the stored messages.

CREATE OR REPLACE FUNCTION private.publish_runs(p_workspace_id uuid, p_event_type text, p_runs public.journey_runs[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_subscriptions private.subscription[];
begin
  if coalesce(cardinality(p_runs), 0) = 0 then
    return;
  end if;
  v_subscriptions := private.match_subscriptions(array[p_workspace_id], array[p_event_type]);
  if cardinality(v_subscriptions) = 0 then
    return;
  end if;
  perform private.store_messages(array(
    select row(
      p_workspace_id, p_event_type,
      private.run_payload(k.run, j.name, d.document) || case p_event_type
        when 'journey.entered' then jsonb_build_object(
          'trigger', (k.run).cause || jsonb_build_object('data', (k.run).trigger)
        )
        else jsonb_build_object(
          'reason', (k.run).reason, 'entered_at', private.rfc3339((k.run).entered_at),
          'exited_at', private.rfc3339((k.run).exited_at), 'goal_reached', (k.run).goal_at is not null
        )
      end,
      d.customer_id, null
    )::private.new_message
    from generate_subscripts(p_runs, 1) as g (place)
    cross join lateral (select p_runs[g.place] as run) as k
    join public.journeys as j on j.workspace_id = p_workspace_id and j.id = (k.run).journey_id
    left join private.customer_documents(
      p_workspace_id, array(select distinct n.customer_id from unnest(p_runs) as n)
    ) as d on d.customer_id = (k.run).customer_id
    order by g.place
  ), v_subscriptions, p_now);
end
$function$
  comment: Publishes journey.entered or journey.exited for runs, to the destinations that subscribe to it.

CREATE OR REPLACE FUNCTION private.publish_webhooks(p_held jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_outcomes jsonb;
begin
  select jsonb_object_agg(e.run_id || ':' || e.visit, '{"skipped": "destination_deleted"}'::jsonb) into v_outcomes
  from private.list_effects(p_held, 'webhook') as e
  where not exists (
    select from public.destinations as d
    where d.workspace_id = e.workspace_id and d.id::text = e.effect ->> 'destination'
  );
  perform private.store_messages(array(
    select row(
      e.workspace_id, 'journey.webhook', jsonb_build_object(
        'journey', jsonb_build_object('id', e.journey_id, 'name', j.name, 'version', e.version),
        'run_id', e.run_id, 'step', e.step, 'customer', c.document, 'data', coalesce(e.effect -> 'data', '{}')
      ), e.customer_id, (e.effect ->> 'destination')::uuid
    )::private.new_message
    from private.list_effects(p_held, 'webhook') as e
    join public.journeys as j on j.workspace_id = e.workspace_id and j.id = e.journey_id
    cross join lateral (
      select d.document from private.customer_documents(e.workspace_id, array[e.customer_id]) as d
    ) as c
    where not coalesce(v_outcomes, '{}') ? (e.run_id || ':' || e.visit)
  ), '{}', p_now);
  return coalesce(v_outcomes, '{}');
end
$function$
  comment: Queues the messages of webhook steps; returns what to add to the outcomes, by "<run>:<visit>".

CREATE OR REPLACE FUNCTION private.put_journey(p_workspace_id uuid, p_key text, p_journey jsonb, OUT id uuid, OUT is_created boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  -- Two calls with one new key: the second finds what the first created.
  perform private.lock_segment_lane(p_workspace_id);
  select j.id into put_journey.id
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.key = p_key;
  is_created := not found;
  if is_created then
    put_journey.id := private.insert_journey(p_workspace_id, p_journey || jsonb_build_object('key', p_key));
  else
    perform private.change_journey(
      p_workspace_id, put_journey.id,
      jsonb_build_object('description', null) || (p_journey - 'id') || jsonb_build_object('key', p_key)
    );
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Creates the journey with a key, or replaces all that callers write of it; returns its id and whether it is new.

CREATE OR REPLACE FUNCTION private.put_segment(p_workspace_id uuid, p_key text, p_segment jsonb, OUT id uuid, OUT is_created boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_kind text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  perform private.lock_segment_lane(p_workspace_id);
  select s.id, s.kind into put_segment.id, v_kind
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.key = p_key;
  is_created := not found;
  if is_created then
    put_segment.id := private.insert_segment(p_workspace_id, p_segment || jsonb_build_object('key', p_key));
    return;
  elsif v_kind <> coalesce(p_segment ->> 'kind', 'live') then
    raise sqlstate 'SP409' using message = 'The kind of a segment cannot be changed', column = 'kind';
  end if;
  perform private.change_segment(
    p_workspace_id, put_segment.id,
    jsonb_build_object('description', null) || (p_segment - 'id') || jsonb_build_object('key', p_key)
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Creates the segment with a key, or replaces all that callers write of it; returns its id and whether it is new.

CREATE OR REPLACE FUNCTION private.queue_again(p_destination public.destinations, p_message_ids uuid[], p_is_manual boolean, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  with queued as (
    insert into private.webhook_queue as q (
      workspace_id, destination_id, message_id, message_created_at, due_at, attempts, trigger, is_manual
    )
    select
      m.workspace_id, p_destination.id, m.id, m.created_at, p_now,
      coalesce((
        select max(d.attempt_number)
        from public.deliveries as d
        where d.workspace_id = m.workspace_id and d.message_id = m.id
          and d.destination_id = p_destination.id and d.attempted_at >= m.attempts_start
      ), 0),
      'replay', p_is_manual
    from unnest(p_message_ids) as i (id)
    cross join lateral (
      select
        n.workspace_id, n.id, n.created_at, private.attempts_start(n.created_at) as attempts_start
      from public.webhook_messages as n
      where n.workspace_id = p_destination.workspace_id and n.id = i.id
        and n.created_at = private.uuid_v7_time(i.id) and n.body is not null
      limit 1
    ) as m
    -- A waiting row becomes due now; a claimed one starts again after its attempt.
    on conflict (workspace_id, destination_id, message_id) do update
    set
      due_at = case when q.claim is null then excluded.due_at else q.due_at end,
      trigger = case when q.claim is null then 'replay' else q.trigger end,
      tries = case when q.claim is null then 0 else q.tries end,
      is_manual = q.is_manual or excluded.is_manual,
      is_replayed = q.claim is not null
    returning q.is_manual
  )
  -- The trigger has noted inserted rows, but not the waiting rows that became due.
  insert into private.lane_arrivals (workspace_id, destination_ids, due_at, is_manual)
  select distinct p_destination.workspace_id, array[p_destination.id], p_now, q.is_manual
  from queued as q;
  perform private.wake_dispatcher();
end
$function$
  comment: Queues messages that were made before, for a new run of attempts with trigger replay.

CREATE OR REPLACE FUNCTION private.queue_recipients(p_campaign public.campaigns, p_picks private.campaign_pick[], p_from timestamp with time zone, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  v_gap interval := coalesce(interval '1 minute' / p_campaign.per_minute, '0');
  v_sends jsonb;
  v_send_ids uuid[];
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', p_campaign.workspace_id,
    'key', format('campaign:%s:%s', p_campaign.id, p.customer_id),
    'template_id', case
      when p_campaign.variants = '[]' then p_campaign.template_id::text
      else p_campaign.variants -> p.variant::integer ->> 'template'
    end,
    'sender_id', p_campaign.sender_id, 'topic_id', p_campaign.topic_id, 'customer_id', p.current_id,
    'campaign_id', p_campaign.id, 'variant', coalesce(p.variant, 0), 'data', '{}'::jsonb,
    'due_at', greatest(p.due_at, p_from + v_gap * (p.position - 1)),
    'not_after', private.limit_time(p_campaign, p.due_at)
  ) order by p.position)
  into v_sends
  from (
    select u.*, row_number() over (order by u.ordinality) as position
    from unnest(p_picks) with ordinality as u
    where u.reason is null
  ) as p;
  if v_sends is not null then
    v_send_ids := array(
      select s.send_id from private.create_sends(v_sends, p_now) as s order by s.position
    );
  end if;
  update private.campaign_recipients as r
  set
    state = case when p.send_id is null then 'skipped' else 'queued' end, send_id = p.send_id,
    reason = p.reason, address_hash = coalesce(p.new_hash, r.address_hash)
  from (
    select
      u.row_id, u.reason,
      case when u.reason is null then u.address_hash end as new_hash,
      case
        when u.reason is null
        then v_send_ids[(count(*) filter (where u.reason is null) over (order by u.ordinality))::integer]
      end as send_id
    from unnest(p_picks) with ordinality as u
  ) as p
  -- Locked when they were picked, so they are still there.
  where r.ctid = p.row_id;
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select
    p_campaign.workspace_id, p_campaign.id, coalesce(p.variant, 0), 'skipped:' || p.reason, count(*)
  from unnest(p_picks) as p
  where p.reason is not null
  group by 3, 4;
end
$function$
  comment: Makes sends of recipients, with per_minute one after the other from p_from on; notes and counts those who get none.

CREATE OR REPLACE FUNCTION private.quiet_until(p_quiet_hours jsonb, p_zone text, p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_from time := (p_quiet_hours ->> 'from')::time;
  v_to time := (p_quiet_hours ->> 'to')::time;
  v_local timestamp := p_now at time zone p_zone;
  v_end timestamp;
begin
  if v_from is null or v_to is null or v_from = v_to then
    return null;
  end if;
  if not (case
    when v_from < v_to then v_local::time >= v_from and v_local::time < v_to
    else v_local::time >= v_from or v_local::time < v_to
  end) then
    return null;
  end if;
  v_end := v_local::date + v_to;
  if v_end <= v_local then
    v_end := v_end + interval '1 day';
  end if;
  -- On the day the clocks change it may be too early: then it is quiet still, and it waits again.
  return greatest(v_end at time zone p_zone, p_now + interval '1 minute');
end
$function$
  comment: The end of the quiet hours that p_now is in, by the clocks of a zone; null outside of them.

CREATE OR REPLACE FUNCTION private.reached_branches(p_steps jsonb, p_step text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  with recursive reached (step, is_first) as (
    select p_step, true
    union
    select n.step, false
    from reached as r
    cross join lateral unnest(private.next_steps(p_steps -> r.step)) as n (step)
    -- A worker reads the customer again after a wait or an update.
    where r.is_first or not p_steps -> r.step ?| array['wait', 'wait_for', 'update']
  )
  select array(
    select distinct r.step from reached as r where p_steps -> r.step ? 'branch' order by r.step
  )
$function$
  comment: The branches that a run can come to in one turn, starting at a step.

CREATE OR REPLACE FUNCTION private.read_duration(p_text text)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select make_interval(secs => left(p_text, -1)::bigint * case right(p_text, 1)
    when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400 when 'w' then 604800
  end)
$function$
  comment: The length of a duration such as "30s", "15m", "36h", "7d" or "2w", a day of 24 hours.

CREATE OR REPLACE FUNCTION private.read_effects(p_inputs jsonb, p_results jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'workspace_id', e.workspace_id,
    'send_id', e.effect ->> 'send_id',
    'outcome', case e.name
      when 'email_delivered' then 'delivered'
      when 'email_failed' then 'failed'
      when 'email_complained' then 'complained'
      when 'email_bounced' then
        case e.properties ->> 'bounce_type' when 'hard' then 'bounced' when 'soft' then 'soft_bounced' end
      when 'unsubscribed' then 'sent'
    end,
    'reason', e.properties ->> 'reason',
    'at', least(coalesce(e.occurred_at, p_now), p_now),
    'is_unsubscribed', e.name = 'unsubscribed',
    'topic', e.properties ->> 'topic',
    'source', case when e.effect ? 'send_id' then 'feedback' else 'event' end,
    'address', private.effect_address(
      e.workspace_id, (e.result ->> 'customer_id')::uuid, e.properties
    )
  )), '[]')
  from rows from (
    jsonb_to_recordset(p_inputs) as (
      workspace_id uuid, name text, occurred_at timestamptz, properties jsonb, effect jsonb
    ),
    jsonb_array_elements(p_results)
  ) as e (workspace_id, name, occurred_at, properties, effect, result)
  where e.effect is not null and (e.result ->> 'ok')::boolean
    and not coalesce((e.result ->> 'duplicate')::boolean, false)
$function$
  comment: The effects of those entries of a batch that have one and were stored by it, not before.

CREATE OR REPLACE FUNCTION private.read_entries(p_inputs jsonb, p_at timestamp with time zone)
 RETURNS private.ingest_entry[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- The parts of private.uuid_v7(p_at, i): calling it for each entry would double the cost.
  v_milliseconds bytea := substring(int8send((extract(epoch from p_at) * 1000)::bigint) from 3);
begin
  return (
    select array_agg(row(n.*)::private.ingest_entry order by e.i)
    from (
      select
        r.*,
        r.ordinality as i,
        case when r.idempotency_key is not null then
          min(r.ordinality) over (partition by r.workspace_id, r.idempotency_key)
        end as first_i
      from rows from (
        jsonb_to_recordset(p_inputs) as (
          workspace_id uuid, kind text, external_id text, anon_id text, previous_id text,
          idempotency_key text
        )
      ) with ordinality as r
    ) as e
    left join lateral (
      select s.event_id, s.customer_id
      from private.idempotency_keys as s
      where s.workspace_id = e.workspace_id
        and s.key = e.idempotency_key
        and s.created_at > p_at - interval '24 hours'
      limit 1
    ) as k on e.idempotency_key is not null
    cross join lateral (
      -- The fields of the type, in its order.
      select
        e.workspace_id,
        e.kind,
        e.external_id,
        e.anon_id,
        e.previous_id,
        e.idempotency_key,
        coalesce(k.event_id, encode(
          v_milliseconds || int2send((28672 + e.i)::smallint)
            || substring(uuid_send(gen_random_uuid()) from 9), 'hex'
        )::uuid) as event_id,
        null::bigint as identity_id,
        k.customer_id,
        nullif(e.first_i, e.i) as repeats,
        k.event_id is not null as is_duplicate,
        null::text as unmerged_reason,
        null::text as refused_code,
        null::text as refused_field
    ) as n
  );
end
$function$
  comment: The entries of a batch, in order, with their event ids; entries whose key was seen before have the ids of the first call.

CREATE OR REPLACE FUNCTION private.read_late_results(p_results text)
 RETURNS private.send_result[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return array(
    select r
    from jsonb_populate_recordset(null::private.send_result, p_results::jsonb) as r
    cross join lateral (
      select s.state from public.sends as s
      where s.workspace_id = r.workspace_id and s.queued_at = private.uuid_v7_time(r.send_id)
        and s.id = r.send_id
      for update
    ) as s
    where r.attempt is not null
      and not exists (
        select from private.send_queue as q
        where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id
          and q.send_id = r.send_id and q.claim = r.claim
      )
      -- A message that waits to be repeated gets another answer, unless the first one was yes.
      and (
        s.state = 'unknown' and r.action in ('sent', 'failed')
        or s.state in ('queued', 'sending') and r.action = 'sent'
      )
    order by r.position
  );
end
$function$
  comment: Those of the results whose claim has ended, and which settle a message that is still open; locks the messages.

CREATE OR REPLACE FUNCTION private.read_message_states(p_workspace_id uuid, p_message_id uuid)
 RETURNS SETOF private.message_state
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.*
  from (
    select private.uuid_v7_time(p_message_id) as created_at
    where p_workspace_id = private.key_workspace_id(array['deliveries:read', 'deliveries:write'])
      or p_workspace_id in (select private.member_workspace_ids())
    offset 0
  ) as m
  cross join lateral private.message_states(p_workspace_id, array(
    select row(p_message_id, d.id, m.created_at)::private.message_position
    from unnest(
      private.matched_destinations(p_workspace_id, p_message_id, m.created_at)
    ) as d (id)
  )) as s
  order by s.destination_name, s.destination_id
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The state of a message at every destination that it matched, for callers of the workspace; no rows for an unknown message.

CREATE OR REPLACE FUNCTION private.read_new_sends(p_sends jsonb, p_now timestamp with time zone)
 RETURNS private.new_send[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return array(
    -- The fields of the type, in its order.
    select row(
      r.ordinality::integer, private.uuid_v7(p_now, r.ordinality::integer), r.workspace_id, r.key,
      r.template_id, coalesce(r.sender_id, '00000000-0000-0000-0000-000000000000'), r.topic_id, r.customer_id, r.email, coalesce(r.is_test, false),
      coalesce(r.data, '{}'), r.campaign_id, r.journey_id, r.run_id, r.visit, r.step, r.variant,
      coalesce(r.depth, 0), r.not_after, coalesce(r.on_cap, 'skip'),
      greatest(coalesce(r.due_at, p_now), p_now)
    )::private.new_send
    from rows from (
      jsonb_to_recordset(p_sends) as (
        workspace_id uuid, key text, template_id uuid, sender_id uuid, topic_id uuid,
        customer_id uuid, email text, is_test boolean, data jsonb, campaign_id uuid,
        journey_id uuid, run_id uuid, visit integer, step text, variant smallint, depth smallint,
        not_after timestamptz, on_cap text, due_at timestamptz
      )
    ) with ordinality as r
    order by r.ordinality
  );
end
$function$
  comment: The messages of a JSON array, in its order, with their ids and the defaults.

CREATE OR REPLACE FUNCTION private.read_segment_alias(p_step private.ingest_step, p_created private.created_identity[], p_at timestamp with time zone)
 RETURNS private.ingest_step
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  p_step.kind := 'alias';
  if p_step.other_customer_id is null then
    p_step.kind := 'identify';
    p_step.other_identity_id := null;
    select d.id, d.customer_id into p_step.other_identity_id, p_step.other_customer_id
    from public.identities as d
    where d.workspace_id = p_step.workspace_id and d.kind = 'anon' and d.value = p_step.other_id
      and not exists (select from unnest(p_created) as c where c.identity_id = d.id and c.i > p_step.i);
    if p_step.other_customer_id is null then
      p_step.refused_code := 'not_found';
      p_step.refused_field := 'previous_id';
      return p_step;
    end if;
  end if;
  if p_step.customer_id is not null then
    return p_step;
  end if;

  p_step.customer_id := p_step.other_customer_id;
  if p_step.kind = 'identify' then
    p_step.is_creator := true;
    insert into public.customers (workspace_id, created_at, updated_at, last_seen_at)
    values (p_step.workspace_id, p_at, p_at, p_at)
    returning id into p_step.customer_id;
    insert into private.usage_deltas (workspace_id, at, customers)
    values (p_step.workspace_id, p_at, 1);
    perform private.note_customers(p_step.workspace_id, 'created', array[p_step.customer_id]);
  elsif private.count_ids(p_step.workspace_id, p_step.customer_id, 'external') >= private.id_limit() then
    p_step.refused_code := 'payload_too_large';
    p_step.refused_field := 'external_id';
    return p_step;
  end if;
  insert into public.identities (workspace_id, kind, value, customer_id, created_at)
  values (
    p_step.workspace_id, 'external', p_step.external_id, p_step.customer_id,
    p_at + p_step.i * interval '1 microsecond'
  )
  on conflict on constraint identities_workspace_id_kind_value_key do nothing
  returning id into p_step.identity_id;
  if not found then
    raise exception 'Cannot add an id: another call was first' using errcode = '40001';
  end if;
  return p_step;
end
$function$
  comment: Resolves an alias of Segment's format when its turn comes: an identify where the previous id is an anonymous one, else an alias. An unknown external id becomes one of the previous id's customer, or for an identify a customer of its own. 40001 when another transaction was first.

CREATE OR REPLACE FUNCTION private.read_send_at(p_workspace_id uuid, p_text text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_text ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then p_text::timestamptz
    else private.first_instant(p_text::timestamp, private.known_zone(w.timezone, 'UTC'))
  end
  from public.workspaces as w
  where w.id = p_workspace_id
$function$
  comment: The instant of a time; one without an offset is local to the workspace.

CREATE OR REPLACE FUNCTION private.read_send_results(p_results text)
 RETURNS private.send_result[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return array(
    select row(
      r.position, r.claim, r.workspace_id, r.sender_id, r.send_id, r.queued_at,
      -- Feedback may have been faster: nothing is sent a second time. An erased one is gone.
      case
        when s.id is null then 'drop'
        when s.state in ('sent', 'failed') and r.action <> 'sent' then 'settled'
        else r.action
      end,
      r.reason, r.provider_id, r.is_sender_failure, r.is_hard_bounce, r.paused_until, r.next_attempt_at, r.attempt,
      r.duration_ms, r.attempted_at
    )::private.send_result
    from jsonb_array_elements(p_results::jsonb) as e
    cross join lateral jsonb_populate_record(
      null::private.send_result,
      e || jsonb_build_object('queued_at', private.uuid_v7_time((e ->> 'send_id')::uuid))
    ) as r
    cross join lateral (
      select from private.send_queue as q
      where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
        and q.claim = r.claim
      for update
    ) as q
    left join lateral (
      select n.id, n.state from public.sends as n
      where n.workspace_id = r.workspace_id and n.queued_at = r.queued_at
        and n.id = r.send_id
      for update
    ) as s on true
    order by r.position
  );
end
$function$
  comment: The results whose claims are still valid, as private.send_result; locks their queue rows and messages.

CREATE OR REPLACE FUNCTION private.read_send_templates(p_refs text)
 RETURNS TABLE(workspace_id uuid, template_id uuid, version integer, subject text, html text, text text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select v.workspace_id, v.template_id, v.version, v.subject, v.html, v.text
  from jsonb_to_recordset(p_refs::jsonb) as r (workspace_id uuid, template_id uuid, version integer)
  join public.template_versions as v
    on v.workspace_id = r.workspace_id and v.template_id = r.template_id and v.version = r.version
$function$
  grant execute on function to signalpost_send
  comment: Contents of versions of templates: p_refs is a JSON array of { workspace_id, template_id, version }.

CREATE OR REPLACE FUNCTION private.read_steps(p_entries private.ingest_entry[], p_inputs jsonb, p_created private.created_identity[])
 RETURNS SETOF private.ingest_step
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
begin
  return query
  select
    c.ordinality::integer, c.workspace_id, c.kind, coalesce(k.i = c.ordinality, false), c.external_id, n.value,
    x.id, case when k.i is null or k.i <= c.ordinality then x.customer_id end,
    o.id, case when l.i is null or l.i <= c.ordinality then o.customer_id end,
    coalesce(l.i = c.ordinality and c.external_id is not null, false), l.last_i,
    c.profile, c.attributes, false, null::text, null::text, null::text
  from rows from (
    unnest(p_entries), jsonb_to_recordset(p_inputs) as (profile jsonb, attributes jsonb)
  ) with ordinality as c
  left join lateral (
    select d.id, d.customer_id
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.kind = 'external' and d.value = c.external_id
    limit 1
  ) as x on true
  cross join lateral (
    select
      case c.kind when 'identify' then 'anon' else 'external' end as kind,
      case c.kind when 'identify' then c.anon_id else c.previous_id end as value
  ) as n
  left join lateral (
    select d.id, d.customer_id
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.kind = n.kind and d.value = n.value
    limit 1
  ) as o on true
  left join unnest(p_created) as k on k.identity_id = x.id
  left join unnest(p_created) as l on l.identity_id = o.id
  where c.kind <> 'event' and not c.is_duplicate and c.repeats is null and c.refused_code is null
  order by c.ordinality;
end
$function$
  comment: The identifies and aliases of the batch in its order, each with the ids that it finds: what a later entry created, an earlier one does not know.

CREATE OR REPLACE FUNCTION private.read_time(p_value jsonb)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  -- Checked before the cast, which raises an error for anything else.
  select case
    when jsonb_typeof(p_value) = 'string' and (p_value #>> '{}') ~ (
      '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
      || '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?)?$'
    ) and left(p_value #>> '{}', 4) <> '0000' then
      case when substr(p_value #>> '{}', 9, 2)::integer <= extract(
        day from (left(p_value #>> '{}', 7) || '-01')::date + interval '1 month' - interval '1 day'
      ) then (p_value #>> '{}')::timestamptz end
  end
$function$
  comment: The instant that a JSON text names, with a date alone and without a zone in UTC; null for any other value.

CREATE OR REPLACE FUNCTION private.recheck_deletion_messages(p_limit integer, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  with due as materialized (
    select e.workspace_id, e.id
    from private.erasures as e
    where e.due_at <= p_now and e.step = 'deletion_message'
    order by e.due_at
    limit p_limit
  ),
  postponed as (
    update private.erasures as e
    set due_at = private.deletion_message_due_at(e.created_at, p_now)
    from due as d
    where e.workspace_id = d.workspace_id and e.id = d.id
      and private.is_awaited(e.workspace_id, e.deletion_message_id)
    returning 1
  )
  select count(*)::integer from postponed
$function$
  comment: Checks up to p_limit erasures whose deletion message was not delivered yet, all at once, so that they do not delay others; returns how many still wait.

CREATE OR REPLACE FUNCTION private.record_engagements(p_entries jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_inputs jsonb;
begin
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'workspace_id', s.workspace_id,
    'kind', 'event',
    'external_id', case i.kind when 'external' then i.value end,
    'anon_id', case i.kind when 'anon' then i.value end,
    'name', e.name,
    'occurred_at', private.rfc3339(e.at),
    'properties', private.send_properties(s) || coalesce(e.properties, '{}'),
    'idempotency_key', concat_ws(':', e.name, s.id, e.suffix),
    -- What follows from an event of this depth is one deeper: see private.note_events.
    'depth', nullif(s.depth, 0)
  )) order by e.ordinality)
  into v_inputs
  from rows from (
    jsonb_to_recordset(p_entries) as (
      workspace_id uuid, send_id uuid, name text, at timestamptz, properties jsonb, suffix text
    )
  ) with ordinality as e
  cross join lateral private.find_send(e.workspace_id, e.send_id) as s
  cross join lateral private.newest_identity(s.workspace_id, s.customer_id) as i
  where s.id is not null and i.id is not null and not s.is_test;
  if v_inputs is null then
    return 0;
  end if;
  perform private.ingest(v_inputs::text);
  return jsonb_array_length(v_inputs);
end
$function$
  comment: Stores events about sends: a JSON array of { workspace_id, send_id, name, at, properties, suffix }. The idempotency key is the name, the send and the suffix. Returns how many have a customer; 40001: send it again.

CREATE OR REPLACE FUNCTION private.record_hard_bounces(p_results private.send_result[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_bounced jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', r.workspace_id, 'send_id', r.send_id, 'email', s.email,
    'name', 'email_bounced', 'at', private.rfc3339(coalesce(r.attempted_at, p_now)),
    'properties', jsonb_build_object('bounce_type', 'hard', 'reason', r.attempt ->> 'response')
  ) order by r.workspace_id, r.position) into v_bounced
  from unnest(p_results) as r
  join public.sends as s
    on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
    and s.id = r.send_id
  where r.is_hard_bounce and r.action = 'failed';
  if v_bounced is null then
    return;
  end if;
  perform private.suppress(w.workspace_id, w.entries, p_now)
  from (
    select b.workspace_id, jsonb_agg(jsonb_build_object(
      'email', b.email, 'reason', 'hard_bounce', 'source', 'feedback'
    )) as entries
    from jsonb_to_recordset(v_bounced) as b (workspace_id uuid, email text)
    group by b.workspace_id
    order by b.workspace_id
  ) as w;
  perform private.record_engagements(v_bounced);
end
$function$
  comment: Suppresses addresses that a provider refused at once because they do not exist, and stores email_bounced.

CREATE OR REPLACE FUNCTION private.record_late_results(p_results text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_late private.send_result[] := private.read_late_results(p_results);
begin
  if cardinality(v_late) = 0 then
    return;
  end if;
  with settled as (
    update public.sends as s
    set
      state = r.action,
      reason = r.reason,
      provider_id = coalesce(s.provider_id, r.provider_id),
      attempts = s.attempts || jsonb_build_array(r.attempt),
      sent_at = case r.action when 'sent' then coalesce(s.sent_at, r.attempted_at) else s.sent_at end,
      finished_at = coalesce(s.finished_at, p_now)
    from unnest(v_late) as r
    where s.workspace_id = r.workspace_id and s.queued_at = private.uuid_v7_time(r.send_id)
      and s.id = r.send_id
    returning r.position
  )
  select coalesce(array_agg(r order by r.position), '{}') into v_late
  from unnest(v_late) as r
  where r.position in (select t.position from settled as t);
  perform private.give_back_caps(v_late, p_now);
  perform private.record_outcomes(v_late, p_now);
  perform private.record_hard_bounces(v_late, p_now);
end
$function$
  comment: Settles messages whose outcome was unknown, or that wait to be repeated, by results that arrive after their lease: sent, with its event, or failed. Another late result changes nothing.

CREATE OR REPLACE FUNCTION private.record_outcomes(p_results private.send_result[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_entries jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', r.workspace_id, 'send_id', r.send_id,
    'queued_at', r.queued_at,
    'name', case r.action when 'sent' then 'email_sent' else 'email_failed' end,
    'at', private.rfc3339(coalesce(r.attempted_at, p_now)),
    'properties', case
      when r.action = 'failed' then jsonb_build_object('reason', r.reason) else '{}'
    end
  ) order by r.position) into v_entries
  from unnest(p_results) as r
  join public.sends as s
    on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
    and s.id = r.send_id
  where r.action in ('sent', 'failed') and not s.is_test;
  if v_entries is not null then
    perform private.record_engagements(v_entries);
  end if;
end
$function$
  comment: Stores email_sent and email_failed on the timelines of the customers.

CREATE OR REPLACE FUNCTION private.record_receipt(p_receipt text, p_rejected text DEFAULT '[]'::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  -- Contains the time of receipt, so that the id determines the partition.
  v_id uuid := private.uuid_v7((p_receipt::jsonb ->> 'received_at')::timestamptz);
begin
  insert into public.inbound_receipts (
    workspace_id, source_id, id, received_at, is_verified, outcome, status_code, error,
    message_id, headers, body, body_bytes, accepted, duplicates, ignored, rejected, results,
    customer_ids, request_id
  )
  select
    r.workspace_id, r.source_id, v_id, r.received_at, r.is_verified, r.outcome, r.status_code,
    r.error, r.message_id, r.headers, r.body, r.body_bytes, r.accepted, r.duplicates, r.ignored,
    r.rejected, r.results,
    -- Kept apart from the results, which are cut: the body is about all of these customers.
    coalesce(r.customer_ids, '{}'), r.request_id
  from jsonb_to_record(p_receipt::jsonb) as r (
    workspace_id uuid, source_id uuid, received_at timestamptz, is_verified boolean,
    outcome text, status_code smallint, error text, message_id text, headers jsonb, body text,
    body_bytes integer, accepted integer, duplicates integer, ignored integer, rejected integer,
    results jsonb, customer_ids uuid[], request_id uuid
  );
  insert into private.usage_deltas (workspace_id, at, bytes)
  select r.workspace_id, r.received_at, octet_length(r.body)
  from public.inbound_receipts as r
  where r.id = v_id and r.received_at = private.uuid_v7_time(v_id) and r.body is not null
    and r.workspace_id = (p_receipt::jsonb ->> 'workspace_id')::uuid;
  if p_rejected <> '[]' then
    perform private.reject_entries(p_rejected, v_id);
  end if;
  return v_id;
end
$function$
  grant execute on function to signalpost_ingest
  comment: Keeps a request to a source (a JSON object) and its refused entries (an array), both or neither; returns the id of the receipt.

CREATE OR REPLACE FUNCTION private.record_sent(p_entries jsonb, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_news jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', s.workspace_id, 'send_id', s.id, 'at', least(e.at, p_now),
    'name', 'email_sent'
  ) order by s.id)
  into v_news
  from (
    select o.workspace_id, o.send_id, min(o.at) as at
    from jsonb_to_recordset(p_entries) as o (
      workspace_id uuid, send_id uuid, outcome text, at timestamptz
    )
    where o.outcome <> 'failed'
    group by o.workspace_id, o.send_id
  ) as e
  cross join lateral private.find_send(e.workspace_id, e.send_id) as s
  where s.state in ('queued', 'sending', 'unknown');
  -- Under the key of the sender's own record, so that the event is stored once.
  if v_news is not null then
    perform private.record_engagements(v_news);
  end if;
end
$function$
  comment: Stores email_sent for the sends whose outcome was open until one of these reports.

CREATE OR REPLACE FUNCTION private.record_visit(p_workspace_id uuid, p_send_id uuid, p_index integer, p_is_automated boolean, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_send public.sends := private.find_send(p_workspace_id, p_send_id);
  v_url text := v_send.links[p_index + 1];
  v_is_automated boolean;
begin
  if v_send.id is null or v_send.is_test or p_index is not null and v_url is null then
    return false;
  end if;
  v_is_automated := p_is_automated or private.is_scan(v_send, v_url, p_now);
  perform private.record_engagements(jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id,
    'send_id', p_send_id,
    'name', case when p_index is null then 'email_opened' else 'email_clicked' end,
    'at', p_now,
    'properties', jsonb_strip_nulls(jsonb_build_object(
      'url', v_url, 'automated', case when v_is_automated then true end
    )),
    -- Once a minute is enough: who reloads a message must not fill the timeline.
    'suffix', concat_ws(
      ':', p_index, case when v_is_automated then 'automated' end,
      floor(extract(epoch from p_now) / 60)
    )
  )));
  perform private.settle_sends(jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id, 'send_id', p_send_id, 'outcome', 'sent', 'at', p_now
  )), p_now);
  if not v_is_automated then
    update public.sends as s
    set
      opened_at = case when p_index is null then coalesce(s.opened_at, p_now) else s.opened_at end,
      clicked_at = case when p_index is not null then coalesce(s.clicked_at, p_now) else s.clicked_at end
    where s.workspace_id = p_workspace_id and s.queued_at = v_send.queued_at and s.id = p_send_id
      and case when p_index is null then s.opened_at is null else s.clicked_at is null end;
  end if;
  return true;
end
$function$
  grant execute on function to signalpost_links
  comment: Records a click on the link at a position, or with a null position an open: an event, at most one a minute, and the first one of a person on the send. Returns false for a send that is gone. 40001: send it again.

CREATE OR REPLACE FUNCTION private.recover_missed(p_workspace_id uuid, p_destination_id uuid, p_since timestamp with time zone, OUT job_id uuid, OUT matched integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  select r.job_id, r.matched into job_id, matched
  from ops.recover_missed(p_destination_id, coalesce(p_since, '-infinity')) as r;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: ops.recover_missed for a caller of the workspace; without a time, all of them.

CREATE OR REPLACE FUNCTION private.refusal(p_code text, p_field text, p_value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return case
    when p_field = 'attributes' then private.attributes_refusal()
    when p_code = 'not_found' then format('Cannot merge: no customer has the %s "%s"', p_field, p_value)
    else format(
      'Cannot add the %s "%s": a customer must not have over %s ids of a kind',
      p_field, p_value, private.id_limit()
    )
  end;
end
$function$
  comment: Error message for the caller of a refused entry, about the given field and value.

CREATE OR REPLACE FUNCTION private.refuse_campaign_state(p_campaign public.campaigns, p_action text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  raise sqlstate 'SP409' using
    message = format('Cannot %s campaign: it is %s', p_action, p_campaign.state);
end
$function$
  comment: Raises SP409: the state of the campaign does not allow the action.

CREATE OR REPLACE FUNCTION private.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A batch of background work must not fail because of one workspace. A caller must know.
  if tg_op = any (string_to_array(tg_argv[0], ' '))
    and current_user not in ('signalpost_user', 'signalpost_key')
  then
    return null;
  end if;
  raise sqlstate 'SP503' using message = 'Workspace is being moved: nothing was stored';
end
$function$
  comment: Raises SP503 for a change of a workspace that is being moved, or skips it if its argument names the operation.

CREATE OR REPLACE FUNCTION private.refuse_circle(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if exists (
    with recursive named as (
      select (l.leaf ->> 'segment')::uuid as id
      from private.condition_leaves(p_condition) as l
      where l.leaf ? 'segment'
      union
      select p.ref::uuid
      from named as n
      join private.segment_parts as p
        on p.workspace_id = p_workspace_id and p.segment_id = n.id and p.kind = 'segment'
    )
    select from named as n where n.id = p_segment_id
  ) then
    raise sqlstate 'SP400' using
      message = 'must not depend on its own segment', column = 'condition';
  end if;
end
$function$
  comment: SP400 when a segment with this condition would name itself, directly or through others.

CREATE OR REPLACE FUNCTION private.refuse_journey_key(p_workspace_id uuid, p_journey_id uuid, p_key text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.journeys as j
    where j.workspace_id = p_workspace_id and j.key = p_key and j.id <> p_journey_id
  ) then
    raise sqlstate 'SP409' using
      message = format('Another journey has the key "%s"', p_key), column = 'key';
  end if;
end
$function$
  comment: SP409 when another journey of the workspace has the key.

CREATE OR REPLACE FUNCTION private.refuse_links(p_entries private.ingest_entry[])
 RETURNS private.ingest_entry[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_refused integer[];
begin
  with links as materialized (
    select
      c.ordinality::integer as i, c.workspace_id, c.customer_id,
      min(c.ordinality) over (partition by c.workspace_id, c.customer_id, c.anon_id) as first_i
    from unnest(p_entries) with ordinality as c
    where c.kind = 'identify' and not c.is_duplicate and c.repeats is null
      and c.external_id is not null and c.anon_id is not null and c.customer_id is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = c.workspace_id and d.kind = 'anon' and d.value = c.anon_id
      )
  ),
  counted as materialized (
    select o.*, private.count_ids(o.workspace_id, o.customer_id, 'anon') as ids
    from (select distinct l.workspace_id, l.customer_id from links as l) as o
  )
  select array_agg(n.i) into v_refused
  from (
    select
      l.i, l.workspace_id, l.customer_id,
      dense_rank() over (partition by l.workspace_id, l.customer_id order by l.first_i) as position
    from links as l
  ) as n
  join counted as o on o.workspace_id = n.workspace_id and o.customer_id = n.customer_id
  where o.ids + n.position > private.id_limit();
  for v_index in 1 .. coalesce(cardinality(v_refused), 0) loop
    p_entries[v_refused[v_index]].refused_code := 'payload_too_large';
    p_entries[v_refused[v_index]].refused_field := 'anon_id';
  end loop;
  return p_entries;
end
$function$
  comment: Refuses the identifies that would lead one anonymous id too many to a customer who is known already.

CREATE OR REPLACE FUNCTION private.refuse_obstacle(p_campaign public.campaigns, p_action text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_obstacle text := private.campaign_obstacle(p_campaign);
begin
  if v_obstacle is not null then
    raise sqlstate 'SP409' using
      message = format('Cannot %s campaign: %s', p_action, private.obstacle_text(v_obstacle));
  end if;
end
$function$
  comment: Raises SP409 when something that the campaign names was deleted.

CREATE OR REPLACE FUNCTION private.refuse_used_key(p_workspace_id uuid, p_segment_id uuid, p_key text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.segments as s
    where s.workspace_id = p_workspace_id and s.key = p_key and s.id <> p_segment_id
  ) then
    raise sqlstate 'SP409' using
      message = format('Another segment has the key "%s"', p_key), column = 'key';
  end if;
end
$function$
  comment: SP409 when another segment of the workspace has the key.

CREATE OR REPLACE FUNCTION private.refuse_used_topic(p_workspace_id uuid, p_topic_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'topics:write');
  -- No segment is written until the caller's transaction has deleted the topic.
  perform private.lock_segment_lane(p_workspace_id);
  if exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'topic' and p.ref = p_topic_id::text
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete topic: a segment depends on it';
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: SP409 when a segment depends on the topic.

CREATE OR REPLACE FUNCTION private.register_device_token(p_workspace_id uuid, p_external_id text, p_anon_id text, p_token text, p_platform text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_inputs jsonb := jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id, 'kind', 'event',
    'external_id', p_external_id, 'anon_id', p_anon_id
  ));
  v_entries private.ingest_entry[] := private.read_entries(v_inputs, v_at);
  v_created private.created_identity[];
  v_subscriptions private.subscription[];
  v_customer_id uuid;
begin
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  v_entries := private.resolve_entries(v_entries);
  if (v_entries[1]).identity_id is null then
    v_created := private.create_identities(v_entries, v_at);
    v_entries := private.resolve_entries(v_entries);
    v_subscriptions := private.customer_subscriptions(array[p_workspace_id]);
    perform private.store_messages(
      private.customer_messages(
        private.created_customers(v_created, v_subscriptions), v_subscriptions
      ),
      v_subscriptions
    );
  end if;

  -- A merge locks its customers first, so after this lock no merge can miss the token.
  v_customer_id := (v_entries[1]).customer_id;
  perform
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = v_customer_id
  for no key update;
  v_entries := private.resolve_entries(v_entries);
  if (v_entries[1]).customer_id is distinct from v_customer_id then
    raise exception 'Cannot register device token: its customer was merged meanwhile'
      using errcode = '40001';
  end if;

  perform private.give_device_token(p_workspace_id, v_customer_id, p_token, p_platform);
  perform private.touch_customers(v_entries, v_at);
  return v_customer_id;
end
$function$
  grant execute on function to signalpost_ingest
  comment: Gives the token to the customer of an id, also if another one had it, and returns the customer's id; an unknown id creates the customer as an event does. 40001 and 40P01: send it again.

CREATE OR REPLACE FUNCTION private.reject_entries(p_entries text, p_receipt_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_day timestamptz := date_trunc('day', v_at, 'UTC');
begin
  perform private.count_rejections(
    array(select distinct (e ->> 'workspace_id')::uuid from jsonb_array_elements(p_entries::jsonb) as e),
    v_day
  );
  with sent as materialized (
    select
      e.*,
      octet_length(e.entry) as bytes,
      row_number() over sent_before as place,
      sum(octet_length(e.entry)) over sent_before as bytes_so_far
    from rows from (
      jsonb_to_recordset(p_entries::jsonb) as (
        workspace_id uuid, origin text, source_id uuid, entry text,
        is_truncated boolean, part smallint, headers jsonb, message_id text, code text, error text,
        field text, request_id uuid
      )
    ) with ordinality as e (
      workspace_id, origin, source_id, entry, is_truncated, part, headers, message_id, code, error,
      field, request_id, i
    )
    window sent_before as (partition by e.workspace_id order by e.i)
  ),
  room as materialized (
    select
      w.id as workspace_id, p.rejected_entries_per_day - s.kept as entries,
      p.rejected_bytes_per_day - s.kept_bytes as bytes
    from public.rejected_entry_stats as s
    join public.workspaces as w on w.id = s.workspace_id
    join public.plans as p on p.id = w.plan_id
    where s.workspace_id in (select t.workspace_id from sent as t) and s.day = v_day
  ),
  kept as (
    insert into public.rejected_entries (
      workspace_id, id, rejected_at, origin, source_id, receipt_id, entry, is_truncated, part,
      headers, message_id, code, error, field, request_id
    )
    select
      e.workspace_id, private.uuid_v7(v_at, e.i::integer), v_at, e.origin, e.source_id, p_receipt_id,
      e.entry, coalesce(e.is_truncated, false), e.part, coalesce(e.headers, '{}'),
      e.message_id, e.code, e.error, e.field, e.request_id
    from sent as e
    join room as r on r.workspace_id = e.workspace_id
    where e.place <= r.entries and e.bytes_so_far <= r.bytes
    returning workspace_id
  ),
  counts as (
    select
      e.workspace_id, count(*) as sent,
      (select count(*) from kept as k where k.workspace_id = e.workspace_id) as kept,
      sum(e.bytes) filter (where e.place <= r.entries and e.bytes_so_far <= r.bytes) as kept_bytes
    from sent as e
    join room as r on r.workspace_id = e.workspace_id
    group by e.workspace_id
  )
  update public.rejected_entry_stats as s
  set
    kept = s.kept + c.kept, kept_bytes = s.kept_bytes + coalesce(c.kept_bytes, 0),
    not_kept = s.not_kept + c.sent - c.kept
  from counts as c
  where s.workspace_id = c.workspace_id and s.day = v_day;
end
$function$
  grant execute on function to signalpost_ingest
  comment: Keeps refused entries (a JSON array) with their reasons, as many per day as the plan allows, and counts the others; p_receipt_id is the receipt they came with.

CREATE OR REPLACE FUNCTION private.remember_keys(p_entries private.ingest_entry[], p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_wanted integer;
  v_won integer;
begin
  with wanted as (
    select c.workspace_id, c.idempotency_key as key, c.event_id, c.customer_id
    from unnest(p_entries) as c
    where c.idempotency_key is not null and not c.is_duplicate and c.repeats is null
      and c.refused_code is null
  ),
  won as (
    insert into private.idempotency_keys as k (workspace_id, key, event_id, customer_id, created_at)
    select w.workspace_id, w.key, w.event_id, w.customer_id, p_at
    from wanted as w
    order by w.workspace_id, w.key
    on conflict (workspace_id, key) do update
    set event_id = excluded.event_id, customer_id = excluded.customer_id, created_at = p_at
    where k.created_at <= p_at - interval '24 hours'
    returning 1
  )
  select (select count(*) from wanted), (select count(*) from won) into v_wanted, v_won;

  if v_won < v_wanted then
    raise exception 'Cannot remember idempotency keys: another call was first' using errcode = '40001';
  end if;
end
$function$
  comment: Claims the idempotency keys of the batch; 40001 when another transaction claimed one meanwhile.

CREATE OR REPLACE FUNCTION private.remove_device_token(p_workspace_id uuid, p_token text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  delete from public.device_tokens as t
  where t.workspace_id = p_workspace_id and t.token = p_token;
  return found;
end
$function$
  grant execute on function to signalpost_ingest
  comment: Removes a token from the customer who has it; returns whether there was one.

CREATE OR REPLACE FUNCTION private.remove_from_segment(p_workspace_id uuid, p_segment_id uuid, p_ids jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_removed uuid[];
begin
  perform private.require_list(p_workspace_id, p_segment_id, p_ids);
  with removed as (
    delete from public.segment_members as m
    where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id and m.version = 0
      and m.customer_id in (
        select f.customer_id from private.find_listed(p_workspace_id, p_ids) as f
      )
    returning m.customer_id
  )
  select coalesce(array_agg(r.customer_id), '{}') into v_removed from removed as r;
  perform private.note_list_change(p_workspace_id, p_segment_id, v_removed);
  return private.list_result(p_workspace_id, p_ids, cardinality(v_removed));
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Removes customers from a static segment, see private.add_to_segment.

CREATE OR REPLACE FUNCTION private.remove_run(p_workspace_id uuid, p_run_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  if not exists (
    select from public.journey_runs as r where r.workspace_id = p_workspace_id and r.id = p_run_id
  ) then
    return false;
  end if;
  perform private.end_runs(p_workspace_id, array[p_run_id], 'removed', clock_timestamp());
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Takes a customer out of a journey; false if there is no such run, true also if it had ended.

CREATE OR REPLACE FUNCTION private.repair_lanes()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  -- Locks only lanes that need repair: a claim skips lanes that are locked. A run that has locked
  -- partitions leaves this to the next one, so that nobody waits for them longer.
  with passed_over as (
    select l.workspace_id, l.destination_id, w.due_at, w.manual_due_at
    from private.lanes as l
    cross join lateral (
      select
        (
          select min(q.due_at) from private.webhook_queue as q
          where q.destination_id = l.destination_id and not q.is_manual and q.claim is null
        ) as due_at,
        (
          select min(q.due_at) from private.webhook_queue as q
          where q.destination_id = l.destination_id and q.is_manual and q.claim is null
        ) as manual_due_at
    ) as w
    where not (select private.has_locked_tables())
      and (
        coalesce(l.due_at, 'infinity') > w.due_at
        or coalesce(l.manual_due_at, 'infinity') > w.manual_due_at
      )
    order by l.destination_id
    for update of l skip locked
  ),
  repaired as (
    update private.lanes as l
    set
      due_at = least(l.due_at, p.due_at),
      manual_due_at = least(l.manual_due_at, p.manual_due_at)
    from passed_over as p
    where l.workspace_id = p.workspace_id and l.destination_id = p.destination_id
    returning 1
  )
  select count(*)::integer from repaired
$function$
  comment: Marks lanes as due whose rows were skipped, for example because a transaction that held them was rolled back; returns how many.

CREATE OR REPLACE FUNCTION private.repair_send_lanes()
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_count integer;
begin
  if private.has_locked_tables() then
    return 0;
  end if;
  with passed_over as (
    select l.workspace_id, l.sender_id, w.due_at
    from private.send_lanes as l
    cross join lateral (
      select min(q.due_at) as due_at from private.send_queue as q
      where q.workspace_id = l.workspace_id and q.sender_id = l.sender_id and q.claim is null
    ) as w
    where coalesce(l.due_at, 'infinity') > w.due_at
    order by l.sender_id, l.workspace_id
    for update of l skip locked
  )
  update private.send_lanes as l
  set due_at = least(l.due_at, p.due_at)
  from passed_over as p
  where l.workspace_id = p.workspace_id and l.sender_id = p.sender_id;
  get diagnostics v_count = row_count;
  delete from private.send_lanes as l
  where l.is_deleted and l.in_flight = 0
    and not exists (
      select from private.send_queue as q
      where q.workspace_id = l.workspace_id and q.sender_id = l.sender_id
    );
  return v_count;
end
$function$
  comment: Marks lanes as due whose rows were passed over, and deletes those of deleted senders once they are empty; returns how many were marked. An hourly task.

CREATE OR REPLACE FUNCTION private.replace_ciphertexts(p_replacements text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_owner private.secret_owners;
  v_count integer;
  v_replaced integer := 0;
begin
  for v_owner in select o.* from private.secret_owners as o order by o.kind loop
    -- Rows that a rotation or another dispatcher has locked are left to the next run, so nobody
    -- waits for this in a circle.
    execute format(
      'with held as (
         select s.workspace_id, s.id, r.replacement
         from jsonb_to_recordset($1) as r (
           kind text, workspace_id uuid, id uuid, ciphertext text, replacement text
         )
         join %1$s as s
           on s.workspace_id = r.workspace_id and s.id = r.id and s.ciphertext = r.ciphertext
         where r.kind = $2
         for update of s skip locked
       )
       update %1$s as s
       set ciphertext = h.replacement
       from held as h
       where s.workspace_id = h.workspace_id and s.id = h.id',
      v_owner.table_name
    ) using p_replacements::jsonb, v_owner.kind;
    get diagnostics v_count = row_count;
    v_replaced := v_replaced + v_count;
  end loop;
  return v_replaced;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Replaces each ciphertext that is still there: p_replacements is a JSON array of { kind, workspace_id, id, ciphertext, replacement }. Returns how many were replaced.

CREATE OR REPLACE FUNCTION private.replay_delivery(p_workspace_id uuid, p_delivery_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'deliveries:write');
  perform from public.deliveries as d
  where d.workspace_id = p_workspace_id and d.id = p_delivery_id
    and d.attempted_at = private.uuid_v7_time(p_delivery_id);
  if not found then
    raise sqlstate 'SP404' using message = 'Delivery does not exist';
  end if;
  return private.send_again(p_workspace_id, p_delivery_id);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: ops.replay_delivery for a caller of the workspace; returns the message's id.

CREATE OR REPLACE FUNCTION private.replay_failed(p_workspace_id uuid, p_destination_id uuid, p_since timestamp with time zone, p_until timestamp with time zone, OUT job_id uuid, OUT matched integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  select r.job_id, r.matched into job_id, matched
  from ops.replay_failed(p_destination_id, p_since, coalesce(p_until, clock_timestamp())) as r;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: ops.replay_failed for a caller of the workspace.

CREATE OR REPLACE FUNCTION private.replay_runs(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_count integer;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  if not exists (
    select from public.journeys as j
    where j.workspace_id = p_workspace_id and j.id = p_journey_id and j.state in ('running', 'paused', 'draining')
  ) then
    raise sqlstate 'SP409' using message = 'Cannot replay runs: the journey does not run';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_workspace_id::text, 21));
  update public.journey_runs as r
  set
    state = 'active', reason = null, exited_at = null, step = p_options ->> 'from',
    stepped_at = v_now, stepped_id = '00000000-0000-0000-0000-000000000000',
    wake_at = null, due_at = v_now, claim = null, lease_until = null, is_passed_by = false
  from public.journey_versions as v
  where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id
    and r.id in (select e::uuid from jsonb_array_elements_text(p_options -> 'run_ids') as e)
    and v.workspace_id = r.workspace_id and v.journey_id = r.journey_id and v.version = r.version
    and v.definition -> 'steps' ? (p_options ->> 'from')
    and not r.is_holdout
    and exists (select from public.customers as c where c.workspace_id = r.workspace_id and c.id = r.customer_id)
    -- Not where the customer is inside again meanwhile.
    and (r.is_parallel or not exists (
      select from public.journey_runs as o
      where o.workspace_id = r.workspace_id and o.journey_id = r.journey_id and o.customer_id = r.customer_id
        and o.key = r.key and o.state = 'active' and o.id <> r.id
    ));
  get diagnostics v_count = row_count;
  perform private.announce_runs(
    p_workspace_id, jsonb_build_array(jsonb_build_array(p_journey_id, v_now)), v_now
  );
  return v_count;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Puts runs {run_ids} at a step {from}, those that ended too; visits count on, so that all is done once more. Leaves out runs whose version lacks the step, and customers who are inside again. Returns how many.

CREATE OR REPLACE FUNCTION private.replayable_destination(p_action text, p_destination_id uuid)
 RETURNS public.destinations
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_destination public.destinations;
begin
  select * into v_destination from public.destinations as d where d.id = p_destination_id;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot %s: no destination has the id "%s"', p_action, p_destination_id);
  elsif not v_destination.enabled then
    raise sqlstate 'SP409' using
      message = format('Cannot %s: destination "%s" is disabled', p_action, p_destination_id);
  end if;
  return v_destination;
end
$function$
  comment: The destination when it exists (else SP404) and is enabled (else SP409).

CREATE OR REPLACE FUNCTION private.request_caller_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(nullif(current_setting('signalpost.api_key_id', true), '')::uuid, (select auth.uid()))
$function$
  comment: The key or the user this transaction acts for.

CREATE OR REPLACE FUNCTION private.request_send(p_workspace_id uuid, p_send jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS TABLE(send_id uuid, is_new boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'sends:write');
  perform from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = (p_send ->> 'customer_id')::uuid;
  if not found then
    raise sqlstate 'SP404' using message = 'Customer does not exist';
  end if;
  return query
  select s.send_id, s.is_new
  from private.create_sends(jsonb_build_array(
    (p_send - array['email', 'is_test', 'depth'])
      || jsonb_build_object('workspace_id', p_workspace_id)
  ), p_now) as s;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Creates one message for a caller of the workspace: see private.create_sends. SP404 if the customer does not exist.

CREATE OR REPLACE FUNCTION private.request_workspace_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    private.acting_workspace_id('viewer'), private.key_workspace_id(),
    '00000000-0000-0000-0000-000000000000'
  )
$function$
  comment: The workspace this transaction acts in; the zero UUID when it acts in none.

CREATE OR REPLACE FUNCTION private.require_confirmed(p_campaign public.campaigns, p_number bigint)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_limit bigint := private.confirm_above(p_campaign.workspace_id);
  v_count bigint := coalesce(p_campaign.recipients, (
    -- Counting the audience reads it all: the number of members is often enough.
    select s.members from public.segments as s
    where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.segment_id
  ));
begin
  if v_count <= v_limit then
    return;
  elsif p_campaign.recipients is null then
    v_count := private.count_audience(p_campaign);
  end if;
  if v_count > v_limit and p_number is distinct from v_count then
    raise sqlstate 'SP409' using
      message = format(
        'Cannot send campaign: it has %s recipients. Over %s, the field "recipients" must have the number',
        v_count, v_limit
      ), column = 'recipients';
  end if;
end
$function$
  comment: Raises SP409 when a campaign has more recipients than campaign_confirm_above, and p_number is not their number.

CREATE OR REPLACE FUNCTION private.require_destination(p_workspace_id uuid, p_destination_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'destinations:write');
  perform from public.destinations as d where d.workspace_id = p_workspace_id and d.id = p_destination_id;
  if not found then
    raise sqlstate 'SP404' using message = 'Destination does not exist';
  end if;
end
$function$
  comment: Raises SP403 unless the caller may operate destinations of the workspace, SP404 unless this one is there.

CREATE OR REPLACE FUNCTION private.require_list(p_workspace_id uuid, p_segment_id uuid, p_ids jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_kind text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  if (
    select sum(jsonb_array_length(e.value)) > 10000 from jsonb_each(p_ids) as e
  ) then
    raise sqlstate 'SP413' using message = 'A call must not name over 10000 customers';
  end if;
  select s.kind into v_kind
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  for no key update;
  if v_kind is null then
    raise sqlstate 'SP404' using message = format('Unknown segment "%s"', p_segment_id);
  elsif v_kind = 'live' then
    raise sqlstate 'SP409' using message = 'The members of a live segment follow from its condition';
  end if;
end
$function$
  comment: Locks a static segment whose members the caller may change; SP403, SP404, SP409 or SP413 otherwise.

CREATE OR REPLACE FUNCTION private.require_message(p_workspace_id uuid, p_message_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'deliveries:write');
  perform from public.webhook_messages as m
  where m.workspace_id = p_workspace_id and m.id = p_message_id
    and m.created_at = private.uuid_v7_time(p_message_id);
  if not found then
    raise sqlstate 'SP404' using message = 'Message does not exist';
  end if;
end
$function$
  comment: Raises SP403 unless the caller may change deliveries of the workspace, SP404 unless this message is stored.

CREATE OR REPLACE FUNCTION private.require_room(p_kind text, p_workspace_id uuid, p_owner_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_kind private.limited_kinds;
  v_plan_id text;
  v_limit bigint;
  v_count bigint;
begin
  select k.* into v_kind from private.limited_kinds as k where k.kind = p_kind;
  select p.id, (to_jsonb(p) ->> ('max_' || p_kind))::bigint into v_plan_id, v_limit
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  execute format(
    'select count(*) from %s where workspace_id = $1 and %I = $2 and (%s)',
    v_kind.table_name, v_kind.owner_column, v_kind.condition
  ) into v_count using p_workspace_id, p_owner_id;
  if v_count > v_limit then
    raise sqlstate 'SPLIM' using message = format(
      'Cannot %s: the plan "%s" allows %s %s', v_kind.action, v_plan_id, v_limit,
      -- "1 destination", "1 live secret per source".
      case v_limit when 1 then regexp_replace(v_kind.noun, 's( per |$)', '\1') else v_kind.noun end
    );
  end if;
end
$function$
  comment: Raises SPLIM when an owner has more rows of a kind than the plan of the workspace allows. The caller holds a lock that keeps others from adding rows.

CREATE OR REPLACE FUNCTION private.require_room_of_user(p_user_id uuid, p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_plan public.plans;
begin
  select p.* into v_plan
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  -- Counts workspaces by creator, not by owner, so that handing them over does not allow more.
  if v_plan.max_workspaces_per_user < (
    select count(*)
    from public.workspaces as w
    where w.created_by = p_user_id and w.plan_id = v_plan.id and not private.is_erased(w.id)
  ) then
    raise sqlstate 'SPLIM' using message = format(
      'Cannot create workspace: the plan "%s" allows %s created by one user', v_plan.id,
      case v_plan.max_workspaces_per_user
        when 1 then '1 workspace' else v_plan.max_workspaces_per_user || ' workspaces'
      end
    );
  end if;
end
$function$
  comment: Raises SPLIM when the user created more workspaces of this one's plan than the plan allows; deleted ones do not count.

CREATE OR REPLACE FUNCTION private.require_sql(p_sql text, p_error text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if p_sql is null then
    raise sqlstate 'SP400' using message = p_error, column = 'condition';
  end if;
  return p_sql;
end
$function$
  comment: The SQL; SP400 with the given message when it is null: the condition cannot be compiled.

CREATE OR REPLACE FUNCTION private.require_writer(p_workspace_id uuid, p_least_role text, p_scope text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- Null is not a workspace: a plain comparison would let through a caller who acts in none.
  if p_workspace_id is null or p_workspace_id is distinct from coalesce(
    private.acting_workspace_id(p_least_role), private.key_workspace_id(array[p_scope])
  ) then
    raise sqlstate 'SP403' using message = 'Caller may not change this workspace';
  end if;
end
$function$
  comment: For functions with definer rights: raises SP403 unless this transaction is a session that acts in the workspace with p_least_role or higher, or a key of it with p_scope.

CREATE OR REPLACE FUNCTION private.resend_entries(p_workspace_id uuid, p_id uuid, p_entries text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_rejected_at timestamptz := private.uuid_v7_time(p_id);
  v_entries jsonb := (
    select jsonb_agg(a.e || jsonb_build_object('workspace_id', p_workspace_id) order by a.i)
    from jsonb_array_elements(p_entries::jsonb) with ordinality as a (e, i)
  );
  v_receipt_id uuid;
  v_results jsonb;
begin
  perform private.require_writer(p_workspace_id, 'member', 'track:write');
  select r.receipt_id into v_receipt_id
  from public.rejected_entries as r
  where r.workspace_id = p_workspace_id and r.rejected_at = v_rejected_at and r.id = p_id
    and r.resent_at is null
  for no key update;
  if not found then
    raise sqlstate 'SP409' using message = 'Cannot resend entry: it was already resent';
  end if;
  v_results := private.ingest_reports(v_entries::text);
  -- An entry that is rejected again stays as it is, to be tried again.
  if not jsonb_path_exists(v_results, '$[*] ? (@.ok == false)') then
    update public.rejected_entries as r
    set resent_at = clock_timestamp(), resent_event_id = (v_results -> 0 ->> 'event_id')::uuid
    where r.workspace_id = p_workspace_id and r.rejected_at = v_rejected_at and r.id = p_id;
    -- The body is now about these customers, and is erased with them.
    update public.inbound_receipts as r
    set customer_ids = array(
      select unnest(r.customer_ids)
      union
      select (e ->> 'customer_id')::uuid from jsonb_array_elements(v_results) as e
    )
    where r.workspace_id = p_workspace_id and r.id = v_receipt_id
      and r.received_at = private.uuid_v7_time(v_receipt_id);
  end if;
  return v_results;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Stores the entries that a rejected entry became (a JSON array for private.ingest_reports) and marks it as resent; returns the results. SP409 when it was already resent.

CREATE OR REPLACE FUNCTION private.reserve_caps(p_checks private.send_check[], p_now timestamp with time zone)
 RETURNS private.send_check[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_checks private.send_check[];
begin
  if not exists (select from unnest(p_checks) as c where c.decision = 'go' and c.is_capped) then
    return p_checks;
  end if;
  perform private.lock_cap_uses(p_checks, p_now);
  with wanted as materialized (
    select
      c.*,
      row_number() over (partition by c.workspace_id, c.address_hash order by c.send_id) as nth
    from unnest(p_checks) as c
    where c.decision = 'go' and c.is_capped
  ),
  limits as materialized (
    select n.workspace_id, (e ->> 'max')::integer as most, private.read_duration(e ->> 'per') as per
    from (select distinct w.workspace_id from wanted as w) as n
    cross join lateral private.send_settings_of(n.workspace_id) as g
    cross join lateral jsonb_array_elements(g.caps) as e
  ),
  blocked as materialized (
    -- For each cap that is full: when the first of its places is free again.
    select w.workspace_id, w.send_id, max(n.first_at + p.per) as until
    from wanted as w
    join limits as p on p.workspace_id = w.workspace_id
    join private.cap_uses as u
      on u.workspace_id = w.workspace_id and u.channel = 'email' and u.address_hash = w.address_hash
    cross join lateral (
      select count(*) as used, coalesce(min(a.used_at), p_now) as first_at
      from unnest(u.send_ids, u.used_ats) as a (send_id, used_at)
      where a.used_at > p_now - p.per and a.send_id <> w.send_id
    ) as n
    where n.used + w.nth > p.most
    group by w.workspace_id, w.send_id
  )
  select array_agg(row(
    c.workspace_id, c.send_id,
    case
      when b.send_id is null then c.decision
      when c.on_cap = 'wait' and b.until <= coalesce(c.not_after, 'infinity') then 'wait'
      else 'skip'
    end,
    case when b.send_id is null then c.reason else 'capped' end,
    coalesce(b.until, c.until), c.address_hash, c.is_capped, c.on_cap, c.not_after
  )::private.send_check) into v_checks
  from unnest(p_checks) as c
  left join blocked as b on b.workspace_id = c.workspace_id and b.send_id = c.send_id;

  update private.cap_uses as u
  set
    send_ids = k.send_ids || n.send_ids,
    used_ats = k.used_ats || array_fill(p_now, array[cardinality(n.send_ids)]),
    last_used_at = p_now
  from (
    select c.workspace_id, c.address_hash, array_agg(c.send_id) as send_ids
    from unnest(v_checks) as c
    where c.decision = 'go' and c.is_capped
    group by c.workspace_id, c.address_hash
  ) as n
  cross join lateral private.kept_uses(n.workspace_id, n.address_hash, n.send_ids, p_now) as k
  where u.workspace_id = n.workspace_id and u.channel = 'email' and u.address_hash = n.address_hash;
  return v_checks;
end
$function$
  comment: The same decisions, but a message beyond a cap is skipped or waits; the others reserve their places, so that no two get the last one.

CREATE OR REPLACE FUNCTION private.resolve_condition(p_workspace_id uuid, p_condition jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if (select count(*) > 100 or max(l.level) > 8 from private.condition_leaves(p_condition) as l) then
    raise sqlstate 'SP400' using
      message = 'must not have over 100 leaves or 8 levels', column = 'condition';
  end if;
  return private.resolve_node(p_workspace_id, p_condition, 'condition');
end
$function$
  comment: The condition with ids of segments, topics and journeys instead of keys; SP400 when it names one that does not exist, or is too large.

CREATE OR REPLACE FUNCTION private.resolve_entries(p_entries private.ingest_entry[])
 RETURNS private.ingest_entry[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return (
    select array_agg(row(n.*)::private.ingest_entry order by c.ordinality)
    from unnest(p_entries) with ordinality as c
    left join lateral (
      select d.id, d.customer_id
      from public.identities as d
      where d.workspace_id = c.workspace_id
        and d.kind = case when c.external_id is null then 'anon' else 'external' end
        and d.value = coalesce(c.external_id, c.anon_id)
      limit 1
    ) as i on true
    cross join lateral (
      -- The fields of the type, in its order.
      select
        c.workspace_id,
        c.kind,
        c.external_id,
        c.anon_id,
        c.previous_id,
        c.idempotency_key,
        c.event_id,
        i.id as identity_id,
        coalesce(case when c.is_duplicate then c.customer_id end, i.customer_id) as customer_id,
        c.repeats,
        c.is_duplicate,
        c.unmerged_reason,
        c.refused_code,
        c.refused_field
    ) as n
  );
end
$function$
  comment: The entries with the identity each arrived on and the customer it leads to now; null where the id is unknown.

CREATE OR REPLACE FUNCTION private.resolve_node(p_workspace_id uuid, p_node jsonb, p_path text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_kind text := case when p_node ? 'all' then 'all' when p_node ? 'any' then 'any' end;
begin
  if v_kind is not null then
    return jsonb_build_object(v_kind, (
      select coalesce(jsonb_agg(private.resolve_node(
        p_workspace_id, e.value, format('%s.%s[%s]', p_path, v_kind, e.ordinality - 1)
      ) order by e.ordinality), '[]')
      from jsonb_array_elements(p_node -> v_kind) with ordinality as e
    ));
  elsif p_node ? 'not' then
    return jsonb_build_object(
      'not', private.resolve_node(p_workspace_id, p_node -> 'not', p_path || '.not')
    );
  elsif p_node ? 'segment' then
    return jsonb_build_object(
      'segment', private.find_segment_id(p_workspace_id, p_node ->> 'segment', p_path)
    );
  elsif p_node ? 'topic' then
    return p_node || jsonb_build_object(
      'topic', private.find_topic_id(p_workspace_id, p_node ->> 'topic', p_path)
    );
  elsif p_node ? 'journey' then
    return p_node || jsonb_build_object(
      'journey', private.find_journey_id(p_workspace_id, p_node ->> 'journey', p_path)
    );
  end if;
  return p_node;
end
$function$
  comment: A node with ids instead of keys.

CREATE OR REPLACE FUNCTION private.resolve_send(p_workspace_id uuid, p_names jsonb)
 RETURNS TABLE(template_id uuid, has_unsubscribe boolean, sender_id uuid, topic_id uuid, customer_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'sends:write');
  return query
  select t.id, v.has_unsubscribe, o.id, p.id, c.id
  from jsonb_to_record(p_names) as n (
    template_id uuid, template_key text, sender_id uuid, sender_key text, topic_id uuid,
    topic_key text, customer_id uuid, external_id text
  )
  left join public.templates as t
    on t.workspace_id = p_workspace_id and (t.id = n.template_id or t.key = n.template_key)
  left join public.template_versions as v
    on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
  left join public.senders as o
    on o.workspace_id = p_workspace_id and (o.id = n.sender_id or o.key = n.sender_key)
  left join public.topics as p
    on p.workspace_id = p_workspace_id and (p.id = n.topic_id or p.key = n.topic_key)
  left join public.identities as i
    on i.workspace_id = p_workspace_id and i.kind = 'external' and i.value = n.external_id
  left join public.customers as c
    on c.workspace_id = p_workspace_id and c.id = coalesce(n.customer_id, i.customer_id);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Ids of what a new message names by id or key: {template_id | template_key, sender_id | sender_key, topic_id | topic_key, customer_id | external_id}; null for each that does not exist.

CREATE OR REPLACE FUNCTION private.resolve_step(p_step private.ingest_step, p_created private.created_identity[], p_has_moved boolean, p_at timestamp with time zone)
 RETURNS private.ingest_step
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_has_moved then
    p_step := private.find_known(p_step);
  end if;
  if p_step.kind = 'segment_alias' then
    p_step := private.read_segment_alias(p_step, p_created, p_at);
  elsif p_step.kind = 'alias' and (p_step.customer_id is null or p_step.other_customer_id is null) then
    p_step.refused_code := 'not_found';
    p_step.refused_field :=
      case when p_step.customer_id is null then 'external_id' else 'previous_id' end;
  end if;
  if p_step.refused_code is not null then
    return p_step;
  end if;
  p_step.customer_id := coalesce(p_step.customer_id, p_step.other_customer_id);
  p_step.is_merge := coalesce(p_step.other_customer_id <> p_step.customer_id, false);
  if p_step.is_merge and p_step.kind = 'identify'
    and private.is_identified(p_step.workspace_id, p_step.other_customer_id)
  then
    p_step.is_merge := false;
    p_step.unmerged_reason := 'anon_id_belongs_to_another_customer';
  elsif p_step.is_merge
    and private.is_overfull(p_step.workspace_id, p_step.customer_id, p_step.other_customer_id)
  then
    p_step.refused_code := 'payload_too_large';
    p_step.refused_field := case p_step.kind when 'alias' then 'previous_id' else 'anon_id' end;
  end if;
  return p_step;
end
$function$
  comment: Decides which customer a step is about and whether it merges another one into it, or refuses it. Ids are looked up again when an earlier step has moved or added some.

CREATE OR REPLACE FUNCTION private.resume_campaign(p_workspace_id uuid, p_campaign_id uuid, p_options jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state <> 'paused' then
    perform private.refuse_campaign_state(v_campaign, 'resume');
  end if;
  perform private.refuse_obstacle(v_campaign, 'resume');
  if v_campaign.reason = 'confirmation' then
    perform private.require_confirmed(v_campaign, (p_options ->> 'recipients')::bigint);
  end if;
  update public.campaigns as c
  set state = 'sending', reason = null, explanation = null, updated_at = p_now
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id;
  -- A caller who resumes has seen the complaints: the check continues with later ones.
  update private.campaign_jobs as j
  set due_at = p_now, accepted_sent = t.sent, accepted_complained = t.complained
  from private.campaign_complaints(v_campaign) as t
  where j.workspace_id = p_workspace_id and j.campaign_id = p_campaign_id;
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Continues with a paused campaign; SP409 in another state, without what it names, and without { recipients } when their number was to be confirmed. Returns false if it does not exist.

CREATE OR REPLACE FUNCTION private.rfc3339(p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: RFC 3339 in UTC with milliseconds and Z: the form of every time in JSON.

CREATE OR REPLACE FUNCTION private.rotate_destination_secret(p_workspace_id uuid, p_destination_id uuid, p_ciphertext text, p_overlap interval DEFAULT '24:00:00'::interval, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_overlap is null or p_overlap not between interval '0' and interval '7 days' then
    raise sqlstate 'SP400' using
      message = 'Overlap must be between 0 and 7 days',
      column = 'overlap';
  end if;
  -- Two rotations at once would each leave a current secret.
  perform from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = p_destination_id
  for no key update;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot rotate the secret of destination "%s": it does not exist', p_destination_id);
  end if;
  -- An older secret never outlives the overlap it was given before.
  update private.destination_secrets as s
  set expires_at = least(s.expires_at, p_now + p_overlap)
  where s.workspace_id = p_workspace_id and s.destination_id = p_destination_id
    and coalesce(s.expires_at, 'infinity') > p_now;
  insert into private.destination_secrets (workspace_id, destination_id, ciphertext, created_at)
  values (p_workspace_id, p_destination_id, p_ciphertext, p_now);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Makes p_ciphertext the current secret of a destination, its first or its next; earlier ones stay valid for p_overlap (0 to 7 days).

CREATE OR REPLACE FUNCTION private.rotate_inbound_secret(p_workspace_id uuid, p_source_id uuid, p_ciphertext text, p_overlap interval DEFAULT '24:00:00'::interval, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_overlap is null or p_overlap not between interval '0' and interval '7 days' then
    raise sqlstate 'SP400' using
      message = 'Overlap must be between 0 and 7 days',
      column = 'overlap';
  end if;
  -- Two rotations at once would each leave a current secret.
  perform from public.inbound_sources as s
  where s.workspace_id = p_workspace_id and s.id = p_source_id
  for no key update;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot rotate the secret of source "%s": it does not exist', p_source_id);
  end if;
  update private.inbound_secrets as s
  set expires_at = least(s.expires_at, p_now + p_overlap)
  where s.workspace_id = p_workspace_id and s.source_id = p_source_id
    and coalesce(s.expires_at, 'infinity') > p_now;
  insert into private.inbound_secrets (workspace_id, source_id, ciphertext, created_at)
  values (p_workspace_id, p_source_id, p_ciphertext, p_now);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Makes p_ciphertext the current secret of a source, its first or its next; earlier ones stay valid for p_overlap (0 to 7 days).

CREATE OR REPLACE FUNCTION private.route_messages(p_ids uuid[], p_messages private.new_message[], p_subscriptions private.subscription[])
 RETURNS TABLE(id uuid, workspace_id uuid, destination_id uuid, enabled boolean, trigger text, is_deferred boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
begin
  return query
  with targets as materialized (
    select n.id, m.workspace_id, s.destination_id, s.enabled, 'event' as trigger
    from unnest(p_ids) with ordinality as n (id, position)
    join unnest(p_messages) with ordinality
      as m (workspace_id, event_type, payload, customer_id, destination_id, position)
      on m.position = n.position
    join unnest(p_subscriptions) as s
      on s.workspace_id = m.workspace_id and s.event_type = m.event_type
    where m.destination_id is null
      -- The state of a destination is sent to the others.
      and (
        m.event_type not in (
          select t.type from private.service_event_types as t where t.is_about_destination
        )
        or s.destination_id::text <> m.payload #>> '{destination,id}'
      )
    union all
    -- A ping is sent once, also to a disabled destination.
    select
      n.id, m.workspace_id, m.destination_id,
      m.event_type = 'ping' or coalesce((
        select d.enabled from public.destinations as d
        where d.workspace_id = m.workspace_id and d.id = m.destination_id
      ), false),
      case m.event_type when 'ping' then 'test' else 'event' end
    from unnest(p_ids) with ordinality as n (id, position)
    join unnest(p_messages) with ordinality
      as m (workspace_id, event_type, payload, customer_id, destination_id, position)
      on m.position = n.position
    where m.destination_id is not null
  ),
  -- Workspaces with the fewest rows come first. One whose messages already wait continues to wait,
  -- so that they stay in order.
  deferred as materialized (
    select l.workspace_id
    from (
      select t.workspace_id, sum(count(*)) over (order by count(*), t.workspace_id) as rows
      from targets as t
      where t.trigger = 'event'
      group by t.workspace_id
    ) as l
    where l.rows > private.fan_out_limit()
      or exists (select from private.fan_outs as f where f.workspace_id = l.workspace_id limit 1)
  )
  select t.*, t.trigger = 'event' and d.workspace_id is not null
  from targets as t
  left join deferred as d on d.workspace_id = t.workspace_id;
end
$function$
  comment: The destinations of each message, by its id at the same position, and whether their rows of the queue wait because there are too many for one transaction.

CREATE OR REPLACE FUNCTION private.run_erasures(p_now timestamp with time zone, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  loop
    exit when private.work_erasures(5000, p_now, p_until) = 0 or clock_timestamp() >= p_until;
  end loop;
end
$function$
  comment: Works on erasures until none is due, or the time is p_until.

CREATE OR REPLACE FUNCTION private.run_events(p_version public.journey_versions, p_runs public.journey_runs[])
 RETURNS TABLE(run_id uuid, name text, event jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_wanted record;
begin
  for v_wanted in
    select 'goal' as name, p_version.definition -> 'goal' as wanted, null as step
    union all
    select 'exit_on', p_version.definition -> 'exit_on', null
    union all
    select 'awaited', jsonb_build_object('since', 'step') || (p_version.definition -> 'steps' -> s.step -> 'wait_for'), s.step
    from (select distinct r.step from unnest(p_runs) as r) as s
  loop
    continue when v_wanted.wanted is null;
    return query
    select f.run_id, v_wanted.name, jsonb_build_object(
      'id', f.event_id, 'received_at', private.rfc3339(f.received_at)
    )
    from private.find_run_events(p_version.workspace_id, v_wanted.wanted, array(
      select r from unnest(p_runs) as r
      where (v_wanted.step is null or r.step = v_wanted.step) and (v_wanted.name <> 'goal' or r.goal_at is null)
    )) as f;
  end loop;
end
$function$
  comment: The events that runs wait for or end with: goal, exit_on and awaited.

CREATE OR REPLACE FUNCTION private.run_facts(p_runs public.journey_runs[], p_now timestamp with time zone)
 RETURNS TABLE(run_id uuid, facts jsonb, journey_name text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_version record;
begin
  for v_version in
    select v as version, j.name, k.runs
    from (
      select r.workspace_id, r.journey_id, r.version, array_agg(r) as runs
      from unnest(p_runs) as r
      group by 1, 2, 3
    ) as k
    join public.journeys as j on j.workspace_id = k.workspace_id and j.id = k.journey_id
    join public.journey_versions as v
      on v.workspace_id = k.workspace_id and v.journey_id = k.journey_id and v.version = k.version
  loop
    return query
    select d.run_id, d.facts, v_version.name
    from private.describe_runs(v_version.version, v_version.runs, p_now) as d;
  end loop;
end
$function$
  comment: The facts of runs of any versions, and the names of their journeys.

CREATE OR REPLACE FUNCTION private.run_frequent_tasks(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  perform private.run_tasks('10 seconds', p_now);
end
$function$
  comment: Runs the tasks of every 10 s: adds up usage, deletes expired keys and tokens, works on erasures. Called by pg_cron, and by the local stack.

CREATE OR REPLACE FUNCTION private.run_interests(p_definition jsonb)
 RETURNS TABLE(kind text, ref text, step text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select i.kind, i.ref, ''
  from private.condition_interests(p_definition -> 'exit_when') as i
  where p_definition ? 'exit_when'
  union
  select 'event', e.event, ''
  from (values (p_definition #>> '{exit_on,event}'), (p_definition #>> '{goal,event}')) as e (event)
  where e.event is not null
  union
  select 'event', s.value #>> '{wait_for,event}', s.key
  from jsonb_each(p_definition -> 'steps') as s
  where s.value ? 'wait_for'
  union
  select 'profile', '', s.key
  from jsonb_each(p_definition -> 'steps') as s
  where private.is_wait_local(s.value -> 'wait')
$function$
  comment: The changes that make a worker look at the runs of a definition again, some at one step only.

CREATE OR REPLACE FUNCTION private.run_payload(p_run public.journey_runs, p_journey_name text, p_customer jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'journey', jsonb_build_object('id', p_run.journey_id, 'name', p_journey_name, 'version', p_run.version),
    'run_id', p_run.id,
    -- Only the id is left of an erased customer.
    'customer', coalesce(p_customer, jsonb_build_object('id', p_run.customer_id))
  )
$function$
  comment: The part that all messages about a run have: journey, run_id and customer.

CREATE OR REPLACE FUNCTION private.run_segment_audit(p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform from ops.audit_segments(0.001, clock_timestamp());
  delete from public.segment_stats as s where s.hour < p_now - interval '400 days';
end
$function$
  comment: The audit of one customer in a thousand, and the end of hourly figures after 400 days. A task of every hour.

CREATE OR REPLACE FUNCTION private.run_task(p_task private.periodic_tasks, p_now timestamp with time zone, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_count integer;
begin
  if p_task.batch_size is null then
    execute 'select ' || p_task.call using null::integer, p_now, p_until;
    return;
  end if;
  -- A few batches: what is left is there for the next run.
  for v_round in 1 .. p_task.max_batches loop
    execute 'select ' || p_task.call into v_count using p_task.batch_size, p_now, p_until;
    exit when v_count < p_task.batch_size;
  end loop;
exception when sqlstate 'SP503' then
  -- It met a workspace that is being moved to another cell; the other tasks must still run.
  raise warning 'Cannot finish task "%": %', p_task.name, sqlerrm;
end
$function$
  comment: Runs a periodic task; what a workspace that is being moved prevents is left for the next run.

CREATE OR REPLACE FUNCTION private.run_tasks(p_every interval, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  -- Time enough for the batch that runs then: the local stack gives a statement 10 s.
  v_until timestamptz := clock_timestamp() + interval '4 seconds';
  v_task private.periodic_tasks;
begin
  for v_task in
    select t.* from private.periodic_tasks as t where t.every = p_every order by t.position
  loop
    perform private.run_task(v_task, p_now, v_until);
  end loop;
end
$function$
  comment: Runs the periodic tasks of an interval, in the order of their positions.

CREATE OR REPLACE FUNCTION private.sample_customers(p_workspace_id uuid, p_total bigint, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_total <= 500000 then
    return array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id order by random() limit p_limit
    );
  end if;
  -- Blocks of the table, which hold other workspaces too: more than needed, cut off in random order.
  return array(
    select s.id
    from (
      select c.id from public.customers as c tablesample system (10)
      where c.workspace_id = p_workspace_id limit 500000
    ) as s
    order by random() limit p_limit
  );
end
$function$
  comment: Customers of a workspace chosen at random, p_total being how many there are.

CREATE OR REPLACE FUNCTION private.schedule_work(p_step text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A job of its own: other tasks may take long or be cancelled, and a wake-up leaves at commit.
  perform cron.schedule('signalpost-wake', p_step, 'select private.wake_if_due()');
  perform cron.schedule('signalpost-wake-sends', p_step, 'select private.wake_sends_if_due()');
  if p_step = '10 seconds' then
    perform cron.schedule('signalpost-segments', '1 second', private.fold_command(0.9));
    perform cron.schedule('signalpost-campaigns', '1 second', private.campaign_command(0.9));
  else
    perform cron.schedule('signalpost-campaigns', p_step, private.campaign_command(58));
    perform cron.schedule('signalpost-segments', p_step, private.fold_command(58));
  end if;
  perform cron.schedule(
    'signalpost-wake-automation', case p_step when '10 seconds' then '1 second' else p_step end,
    'select private.wake_automation_if_due()'
  );
  perform cron.schedule('signalpost-frequent-tasks', p_step, 'select private.run_frequent_tasks()');
  perform cron.schedule('signalpost-hourly-tasks', '7 * * * *', 'select ops.run_hourly_tasks()');
  perform cron.schedule('signalpost-delete-cron-runs', '23 3 * * *', 'select private.delete_old_cron_runs()');
end
$function$
  comment: Creates or updates the jobs of pg_cron. p_step: how often to look for work.

CREATE OR REPLACE FUNCTION private.search_customers(p_workspace_id uuid, p_q text, p_before uuid, p_limit integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  v_from text := replace(lower(p_q), 'ς', 'σ');
  v_to text := v_from || chr(1114111);
  v_ids uuid[];
  v_rare uuid[];
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return;
  end if;
  v_ids := private.ids_called(p_workspace_id, p_q);
  v_rare := private.customers_beginning_with(p_workspace_id, p_q, 2000);
  if v_rare is not null then
    return query
    select distinct f.id
    from unnest(v_ids || v_rare) as f (id)
    where f.id < p_before
    order by f.id desc
    limit p_limit;
    return;
  end if;
  -- What many begin with fills the page from the newest customers: sorting all of them costs more.
  return query
  select c.id
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id < p_before
    and (
      c.id = any (v_ids)
      or starts_with(replace(lower(c.email), 'ς', 'σ'), v_from)
      or starts_with(replace(lower(c.last_name), 'ς', 'σ'), v_from)
      or starts_with(replace(lower(c.first_name || coalesce(' ' || c.last_name, '')), 'ς', 'σ'), v_from)
    )
  order by c.id desc
  limit p_limit;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Customers older than p_before whose e-mail address, name or last name begins with p_q, or whose id it is, newest first.

CREATE OR REPLACE FUNCTION private.secret_counts()
 RETURNS TABLE(key_id text, kind text, secrets bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query execute private.secrets_query(
    'select s.key_id, <kind>, count(*) from <table> as s group by s.key_id'
  );
end
$function$
  comment: Counts the secrets of each kind of owner under each encryption key.

CREATE OR REPLACE FUNCTION private.secret_key_ids()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  -- From one key to the next through the index, because every dispatcher asks at its start.
  return query execute private.secrets_query(
    'with recursive keys (key_id) as (
       (select s.key_id from <table> as s order by s.key_id limit 1)
       union all
       select (select min(s.key_id) from <table> as s where s.key_id > k.key_id)
       from keys as k
       where k.key_id is not null
     )
     select k.key_id from keys as k where k.key_id is not null',
    ' union '
  ) || ' order by 1';
end
$function$
  grant execute on function to signalpost_dispatch
  comment: The ids of all encryption keys in use, in order.

CREATE OR REPLACE FUNCTION private.secrets_query(p_query text, p_combine text DEFAULT ' union all '::text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select string_agg(
    '(' || replace(replace(replace(
      p_query, '<table>', o.table_name), '<owner>', o.owner_column), '<kind>', quote_literal(o.kind)
    ) || ')',
    p_combine order by o.kind
  )
  from private.secret_owners as o
$function$
  comment: One query over the secrets of all owners: p_query for each, with <table>, <owner> and <kind> filled in.

CREATE OR REPLACE FUNCTION private.segment_customers(p_workspace_id uuid, p_segment_id uuid, p_before uuid, p_limit integer)
 RETURNS TABLE(customer_id uuid, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
begin
  if private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return query
    select m.customer_id, m.since
    from public.segment_members as m
    where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id
      and m.version = (
        select s.version from public.segments as s
        where s.workspace_id = p_workspace_id and s.id = p_segment_id
      )
      and m.customer_id < coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      -- Merged and erased customers stay for the moment until the next fold.
      and exists (
        select from public.customers as c where c.workspace_id = m.workspace_id and c.id = m.customer_id
      )
    order by m.customer_id desc
    limit p_limit;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Members of a segment with an id below p_before (null: all), newest customers first.

CREATE OR REPLACE FUNCTION private.segment_documents(p_workspace_id uuid, p_customer_ids uuid[])
 RETURNS TABLE(customer_id uuid, document jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'segments:read', 'segments:write']) then
    return query
    select d.customer_id, d.document
    from private.customer_documents(p_workspace_id, p_customer_ids) as d;
  end if;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Customers as the api shows them, for readers of segments.

CREATE OR REPLACE FUNCTION private.segment_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    'select exists (
       select
       from public.segments as s
       join public.segment_members as m
         on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
         and m.customer_id = c.id
       where s.workspace_id = $1 and s.id = %L::uuid
     ) as holds, ''infinity''::timestamptz as until, null::jsonb as fact',
    p_leaf ->> 'segment'
  )
$function$
  comment: SQL of a leaf about membership of another segment, as it is stored.

CREATE OR REPLACE FUNCTION private.segment_uses(p_workspace_id uuid, p_segment_ids uuid[])
 RETURNS TABLE(segment_id uuid, used_by jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select i.id, coalesce(
    jsonb_agg(jsonb_build_object('kind', 'segment', 'id', s.id, 'name', s.name) order by s.id)
      filter (where s.id is not null), '[]'
  )
  from unnest(p_segment_ids) as i (id)
  left join private.segment_parts as p
    on p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = i.id::text
  left join public.segments as s on s.workspace_id = p.workspace_id and s.id = p.segment_id
  where private.is_readable(p_workspace_id, array['segments:read', 'segments:write'])
  group by i.id
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Lists the uses of each segment: a JSON list of kind, id and name.

CREATE OR REPLACE FUNCTION private.segmented_workspaces(p_workspace_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return array(
    select w.id
    from unnest(p_workspace_ids) as w (id)
    where exists (select from private.segment_lanes as l where l.workspace_id = w.id)
  );
end
$function$
  comment: The workspaces that have segments: the others need no signals.

CREATE OR REPLACE FUNCTION private.send_again(p_workspace_id uuid, p_delivery_id uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_action text := format('replay delivery "%s"', p_delivery_id);
  v_delivery public.deliveries;
begin
  select * into v_delivery
  from public.deliveries as d
  where d.workspace_id = p_workspace_id and d.id = p_delivery_id
    and d.attempted_at = private.uuid_v7_time(p_delivery_id);
  if not found then
    raise sqlstate 'SP404' using message = format('Cannot %s: it does not exist', v_action);
  elsif not exists (select from public.destinations as d where d.id = v_delivery.destination_id) then
    raise sqlstate 'SP409' using message = format('Cannot %s: its destination was deleted', v_action);
  elsif not exists (
    select from public.webhook_messages as m
    where m.workspace_id = v_delivery.workspace_id and m.id = v_delivery.message_id
      and m.created_at = v_delivery.message_created_at and m.body is not null
  ) then
    raise sqlstate 'SP409' using
      message = format('Cannot %s: its message was erased or is no longer kept', v_action);
  end if;
  perform private.queue_again(
    private.replayable_destination(v_action, v_delivery.destination_id),
    array[v_delivery.message_id], true, p_now
  );
  return v_delivery.message_id;
end
$function$
  comment: ops.replay_delivery where the workspace is known.

CREATE OR REPLACE FUNCTION private.send_contents(p_workspace_id uuid, p_send_id uuid)
 RETURNS TABLE(subject text, html text, text text, strict boolean, data jsonb, facts jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select v.subject, v.html, v.text, coalesce(t.strict, false), s.data, s.facts
  from public.sends as s
  join public.template_versions as v
    on v.workspace_id = s.workspace_id and v.template_id = s.template_id
    and v.version = s.template_version
  left join public.templates as t on t.workspace_id = v.workspace_id and t.id = v.template_id
  where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_send_id)
    and s.id = p_send_id and s.facts is not null and private.may_read_sends(p_workspace_id)
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The version and the facts that a message was rendered from; no row before that, or if the template was deleted.

CREATE OR REPLACE FUNCTION private.send_kinds(p_state text, p_reason text, p_feedback text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select k.kind
  from (
    values
      (case
        when p_state in ('sent', 'failed', 'unknown') then p_state
        when p_state = 'skipped' then 'skipped:' || coalesce(p_reason, 'unknown')
      end),
      (case
        when p_feedback in ('delivered', 'bounced', 'complained') then p_feedback
      end),
      -- A complaint shows that it arrived.
      (case when p_feedback = 'complained' then 'delivered' end)
  ) as k (kind)
  where k.kind is not null
$function$
  comment: The counts that a send with this state, reason and feedback is in.

CREATE OR REPLACE FUNCTION private.send_properties(p_send public.sends)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_strip_nulls(jsonb_build_object(
    'send_id', p_send.id,
    'template_id', p_send.template_id,
    'campaign_id', p_send.campaign_id,
    'journey_id', p_send.journey_id,
    'run_id', p_send.run_id,
    'topic', (
      select t.key from public.topics as t
      where t.workspace_id = p_send.workspace_id and t.id = p_send.topic_id
    ),
    'email', p_send.email
  ))
$function$
  comment: The properties that every event about a send has.

CREATE OR REPLACE FUNCTION private.send_settings_of(p_workspace_id uuid)
 RETURNS public.send_settings
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_settings public.send_settings;
begin
  select s.* into v_settings from public.send_settings as s where s.workspace_id = p_workspace_id;
  v_settings.workspace_id := p_workspace_id;
  v_settings.caps := coalesce(v_settings.caps, '[]');
  v_settings.track_opens := coalesce(v_settings.track_opens, true);
  v_settings.track_clicks := coalesce(v_settings.track_clicks, true);
  v_settings.campaign_confirm_above := coalesce(v_settings.campaign_confirm_above, 10000);
  v_settings.campaign_complaint_rate := coalesce(v_settings.campaign_complaint_rate, 0.5);
  return v_settings;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The settings of a workspace about messages, with the defaults where it has none.

CREATE OR REPLACE FUNCTION private.send_wake(p_is_needed boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_state private.dispatch_state;
begin
  perform pg_notify('webhook_dispatch', '');
  select s.* into v_state from private.dispatch_state as s;
  if v_state.configured_for is null then
    if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is not null then
      raise warning 'Cannot wake the dispatcher: call ops.configure_dispatch(url, key) once';
    end if;
    return;
  elsif v_state.configured_for <> private.database_identity() then
    raise warning 'Cannot wake the dispatcher: this database is a restored copy, call ops.configure_dispatch(url, key) for it';
    return;
  elsif v_state.watched_until > clock_timestamp() and not p_is_needed then
    return;
  end if;
  -- The last request is still on its way to a dispatcher.
  update private.dispatch_wakes as w
  set posted_at = clock_timestamp()
  where w.slot = (
    select f.slot
    from private.dispatch_wakes as f
    where not exists (
      select from private.dispatch_wakes as r
      where r.posted_at > clock_timestamp() - interval '1 second'
    )
    limit 1
    for update skip locked
  );
  if found then
    perform private.post_wake();
  end if;
end
$function$
  comment: Wakes a dispatcher at commit: by NOTIFY, and by a request if none is running or p_is_needed. At most one request per second.

CREATE OR REPLACE FUNCTION private.send_worker_wake(p_worker text, p_is_needed boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify(replace(p_worker, '-', '_'), '');
  if not private.may_call_functions() then
    return;
  elsif not p_is_needed and exists (
    select from private.work_wakes as w
    where w.worker = p_worker and w.slot = 1 and w.watched_until > clock_timestamp()
  ) then
    return;
  end if;
  -- The last request is still on its way to the function.
  update private.work_wakes as w
  set posted_at = clock_timestamp()
  where w.worker = p_worker and w.slot = (
    select f.slot
    from private.work_wakes as f
    where f.worker = p_worker and not exists (
      select from private.work_wakes as r
      where r.worker = p_worker and r.posted_at > clock_timestamp() - interval '1 second'
    )
    limit 1
    for update skip locked
  );
  if found then
    perform private.post_to_function(p_worker);
  end if;
end
$function$
  comment: Wakes a function at commit: by NOTIFY, and by a request if none of its runs looks for work or p_is_needed. At most one request per second.

CREATE OR REPLACE FUNCTION private.sender_health(p_workspace_id uuid, p_sender_ids uuid[])
 RETURNS TABLE(sender_id uuid, state text, pending bigint, next_attempt_at timestamp with time zone, ok_24h bigint, failed_24h bigint, last_success_at timestamp with time zone, last_failure_at timestamp with time zone, last_error text, rate_allowed double precision, rate_reached double precision, limited_by text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  select
    b.sender_id,
    case
      when not o.enabled then 'disabled'
      when l.last_failure_at > coalesce(l.last_success_at, '-infinity') then 'failing'
      when l.last_success_at is null then 'unused'
      else 'healthy'
    end,
    b.waiting + b.in_flight, case when b.waiting > 0 then greatest(b.oldest_at, b.ready_at) end,
    coalesce(s.ok, 0), coalesce(s.failed, 0), l.last_success_at, l.last_failure_at, l.last_error,
    b.rate_allowed, b.rate_reached, b.limited_by
  from unnest(p_sender_ids) as i (id)
  join public.senders as o on o.workspace_id = p_workspace_id and o.id = i.id
  join private.send_lanes as l on l.workspace_id = o.workspace_id and l.sender_id = o.id
  join ops.send_backlog as b on b.workspace_id = o.workspace_id and b.sender_id = o.id
  left join lateral (
    select sum(h.sent) as ok, sum(h.failed + h.retried + h.unknown) as failed
    from public.sender_stats as h
    where h.workspace_id = o.workspace_id and h.sender_id = o.id
      and h.hour > now() - interval '24 hours'
  ) as s on true
  where p_workspace_id = private.key_workspace_id(array['senders:read', 'senders:write'])
    or p_workspace_id in (select private.member_workspace_ids())
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The health of senders as the api shows it, for workspaces of the caller; totals cover whole hours. See ops.send_backlog for limited_by.

CREATE OR REPLACE FUNCTION private.serve_version(p_segment public.segments, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from private.segment_parts as p
    where p.workspace_id = p_segment.workspace_id and p.kind = 'segment' and p.ref = p_segment.id::text
  ) then
    perform private.note_segment_change(p_segment.workspace_id, p_segment.id, array(
      select m.customer_id
      from public.segment_members as m
      where m.workspace_id = p_segment.workspace_id and m.segment_id = p_segment.id
        and m.version in (p_segment.version, p_segment.computed_version)
      group by m.customer_id
      having count(*) = 1
    ));
  end if;
  update public.segments as s
  set state = 'ready', progress = 1, version = s.computed_version, members = s.computed_members
  where s.workspace_id = p_segment.workspace_id and s.id = p_segment.id;
  insert into public.segment_stats as t (workspace_id, segment_id, hour, members)
  select s.workspace_id, s.id, date_trunc('hour', p_now, 'UTC'), s.members
  from public.segments as s
  where s.workspace_id = p_segment.workspace_id and s.id = p_segment.id
  on conflict (workspace_id, segment_id, hour) do update set members = excluded.members;
  update private.segment_jobs as j set phase = 'cleanup'
  where j.workspace_id = p_segment.workspace_id and j.segment_id = p_segment.id;
end
$function$
  comment: Makes the newest version of a segment the one that counts, without messages; segments that name it follow.

CREATE OR REPLACE FUNCTION private.service_message(p_workspace_id uuid, p_event_type text, p_payload jsonb, p_destination_id uuid DEFAULT NULL::uuid)
 RETURNS private.new_message
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_message private.new_message;
begin
  if not exists (select from private.service_event_types as t where t.type = p_event_type) then
    raise exception 'Cannot send "%": private.service_event_types does not have it', p_event_type;
  end if;
  v_message.workspace_id := p_workspace_id;
  v_message.event_type := p_event_type;
  v_message.payload := p_payload;
  v_message.destination_id := p_destination_id;
  return v_message;
end
$function$
  comment: A message of the service that is not about a customer who still exists, for all destinations that subscribe to it or for one.

CREATE OR REPLACE FUNCTION private.session_state(p_user_id uuid, p_session_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
  grant execute on function to signalpost_key
  comment: Returns active when a token may still be used; else deleted, banned or signed_out, whichever happened since it was issued.

CREATE OR REPLACE FUNCTION private.set_consents(p_workspace_id uuid, p_changes jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_addresses text[];
begin
  with changes as (
    select distinct on (n.hash, n.topic_id) n.*
    from (
      select
        private.normalize_address('email', c.address) as address,
        private.address_hash(p_workspace_id, 'email', c.address) as hash,
        coalesce(c.topic_id, private.all_topics()) as topic_id, c.subscribed, c.source,
        c.ordinality
      from rows from (
        jsonb_to_recordset(p_changes) as (address text, topic_id uuid, subscribed boolean, source text)
      ) with ordinality as c (address, topic_id, subscribed, source, ordinality)
    ) as n
    where n.hash is not null
    order by n.hash, n.topic_id, n.ordinality desc
  ),
  changed as (
    insert into private.consents as k (
      workspace_id, channel, address_hash, topic_id, subscribed, source, changed_at
    )
    select p_workspace_id, 'email', c.hash, c.topic_id, c.subscribed, c.source, p_now
    from changes as c
    order by c.hash, c.topic_id
    -- Said again, it still counts as newer than a word about all topics.
    on conflict (workspace_id, channel, address_hash, topic_id) do update
    set
      subscribed = excluded.subscribed, source = excluded.source,
      changed_at = greatest(k.changed_at, excluded.changed_at)
    returning k.address_hash
  )
  select array_agg(distinct c.address) into v_addresses
  from changed as d
  join changes as c on c.hash = d.address_hash;
  if v_addresses is not null then
    perform private.note_consent_changes(p_workspace_id, 'email', v_addresses, p_now);
  end if;
  return coalesce(cardinality(v_addresses), 0);
end
$function$
  comment: Records what the owners of addresses said: a JSON array of { address, topic_id, subscribed, source }, a null topic_id for all topics. Returns the number of addresses.

CREATE OR REPLACE FUNCTION private.set_customer_topic(p_workspace_id uuid, p_customer_id uuid, p_topic_id uuid, p_subscribed boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_address text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  select c.email into v_address
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_customer_id;
  if not found then
    return false;
  end if;
  if v_address is null then
    raise sqlstate 'SP409' using
      message = 'Cannot change a subscription: the customer has no e-mail address';
  end if;
  perform private.set_consents(p_workspace_id, jsonb_build_array(jsonb_build_object(
    'address', v_address, 'topic_id', p_topic_id, 'subscribed', p_subscribed, 'source', 'api'
  )));
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Subscribes the address of a customer to a topic, or withdraws it. Returns false if the customer does not exist. SP409 if the customer has no address.

CREATE OR REPLACE FUNCTION private.set_directory(p_workspace_id uuid, p_cell text, p_user_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.directory as d
  where d.workspace_id = p_workspace_id and d.user_id <> all (p_user_ids);
  insert into private.directory (workspace_id, user_id, cell)
  select p_workspace_id, u.id, p_cell from unnest(p_user_ids) as u (id)
  on conflict (workspace_id, user_id) do update set cell = excluded.cell
  where directory.cell <> excluded.cell;
end
$function$
  grant execute on function to signalpost_key
  comment: Writes the members of a workspace in another cell to the directory; without members it is removed.

CREATE OR REPLACE FUNCTION private.set_journey_state(p_workspace_id uuid, p_journey_id uuid, p_state text, p_options jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.change_journey_state(p_workspace_id, p_journey_id, p_state, p_options);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Moves a journey to running, paused, draining or stopped; {late: "skip"} passes by what fell due during a pause. SP409 for a change that does not exist; false if the journey does not exist.

CREATE OR REPLACE FUNCTION private.set_levels(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  loop
    update public.segments as s
    set level = n.level
    from (
      select p.segment_id, max(d.level) + 1 as level
      from private.segment_parts as p
      join public.segments as d on d.workspace_id = p.workspace_id and d.id::text = p.ref
      where p.workspace_id = p_workspace_id and p.kind = 'segment'
      group by p.segment_id
    ) as n
    where s.workspace_id = p_workspace_id and s.id = n.segment_id and s.level <> n.level;
    exit when not found;
  end loop;
end
$function$
  comment: Puts each segment above those that it names: the order in which a fold evaluates them.

CREATE OR REPLACE FUNCTION private.set_preferences(p_workspace_id uuid, p_send_id uuid, p_changes jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_send public.sends;
  v_changes jsonb;
  v_events jsonb;
begin
  -- In the order of private.ingest and of erasures: workspace, then send.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  select s.* into v_send
  from public.sends as s
  where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_send_id)
    and s.id = p_send_id
  for no key update;
  if not found or v_send.email is null then
    return false;
  end if;
  v_changes := coalesce(p_changes, jsonb_build_array(jsonb_build_object(
    'subscribed', false, 'topic_id', (
      select t.id from public.topics as t
      where t.workspace_id = p_workspace_id and t.id = v_send.topic_id
    )
  )));
  v_events := private.consent_events(v_send, v_changes, p_now);
  perform private.set_consents(p_workspace_id, (
    select jsonb_agg(jsonb_build_object(
      'address', v_send.email, 'topic_id', c.topic_id, 'subscribed', c.subscribed, 'source', 'link'
    ))
    from jsonb_to_recordset(v_changes) as c (topic_id uuid, subscribed boolean)
    where c.topic_id is null and not c.subscribed or exists (
      select from public.topics as t where t.workspace_id = p_workspace_id and t.id = c.topic_id
    )
  ), p_now);
  perform private.record_engagements(v_events);
  perform private.settle_sends(jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id, 'send_id', p_send_id, 'outcome', 'sent', 'at', p_now
  )), p_now);
  if exists (select from jsonb_to_recordset(v_events) as e (name text) where e.name = 'unsubscribed') then
    update public.sends as s
    set unsubscribed_at = coalesce(s.unsubscribed_at, p_now)
    where s.workspace_id = p_workspace_id and s.queued_at = v_send.queued_at and s.id = p_send_id;
  end if;
  return true;
end
$function$
  grant execute on function to signalpost_links
  comment: Records what the recipient of a send says: a JSON array of { topic_id, subscribed }, a null topic_id to withdraw everything. Null withdraws the topic of the send, or everything if it has none. Stores an event for what changes. Returns false for a send that is gone. 40001: send it again.

CREATE OR REPLACE FUNCTION private.settle_sends(p_entries jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_settled integer;
begin
  perform private.record_sent(p_entries, p_now);
  with reports as (
    select distinct on (o.workspace_id, o.send_id)
      o.workspace_id, o.send_id, o.reason, least(o.at, p_now) as at,
      case o.outcome when 'sent' then null when 'failed' then 'bounced' else o.outcome end as feedback,
      bool_or(o.outcome <> 'failed') over (partition by o.workspace_id, o.send_id) as is_sent
    from jsonb_to_recordset(p_entries) as o (
      workspace_id uuid, send_id uuid, outcome text, reason text, at timestamptz
    )
    order by o.workspace_id, o.send_id, private.feedback_rank(o.outcome) desc, o.at
  ),
  locked as (
    select
      r.*, s.queued_at, s.state in ('queued', 'sending', 'unknown') as is_open,
      private.feedback_rank(r.feedback) > private.feedback_rank(s.feedback) as is_newer
    from reports as r
    join public.sends as s
      on s.workspace_id = r.workspace_id and s.queued_at = private.uuid_v7_time(r.send_id)
      and s.id = r.send_id
    order by s.workspace_id, s.id
    for no key update of s
  ),
  settled as (
    update public.sends as s
    set
      state = case when not l.is_open then s.state when l.is_sent then 'sent' else 'failed' end,
      reason = case
        when not l.is_open then s.reason
        when not l.is_sent then coalesce(l.reason, 'rejected')
      end,
      sent_at = case when l.is_open and l.is_sent then coalesce(s.sent_at, l.at) else s.sent_at end,
      finished_at = coalesce(s.finished_at, p_now),
      feedback = case when l.is_newer then l.feedback else s.feedback end,
      feedback_reason = case when l.is_newer then l.reason else s.feedback_reason end,
      feedback_at = case when l.is_newer then l.at else s.feedback_at end
    from locked as l
    where s.workspace_id = l.workspace_id and s.queued_at = l.queued_at and s.id = l.send_id
      and (l.is_open or l.is_newer)
    returning 1
  )
  select count(*)::integer into v_settled from settled;
  return v_settled;
end
$function$
  comment: Takes reports about sends: a JSON array of { workspace_id, send_id, outcome, reason, at }, with outcome sent, soft_bounced, delivered, bounced, complained or failed. A send whose outcome is open becomes sent by any sign of life, or failed; feedback only moves forward. Returns how many changed. 40001: send it again.

CREATE OR REPLACE FUNCTION private.show_time(p_time jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_time #>> '{}' in ('infinity', '-infinity') then 'null'::jsonb
    else to_jsonb(private.rfc3339((p_time #>> '{}')::timestamptz))
  end
$function$
  comment: A time of Postgres as JSON shows it; JSON null for never.

CREATE OR REPLACE FUNCTION private.simulate_entry(p_run jsonb, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  return (
    select coalesce(e.reason, 'entered')
    from private.enter_runs((p_run ->> 'workspace_id')::uuid, array[row(
      (p_run ->> 'journey_id')::uuid, 2147483647, (p_run ->> 'customer_id')::uuid, p_now,
      (p_run ->> 'event_id')::uuid, coalesce(p_run -> 'trigger', '{}'), '{"simulation": true}', 0
    )::private.journey_entry], p_now) as e
  );
end
$function$
  grant execute on function to signalpost_automation
  comment: Has the customer of a simulation {workspace_id, journey_id, customer_id, trigger?, event_id?} enter; returns entered, or the reason why not.

CREATE OR REPLACE FUNCTION private.simulate_event(p_run jsonb, p_event jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_workspace_id uuid := (p_run ->> 'workspace_id')::uuid;
  v_at timestamptz := (p_event ->> 'at')::timestamptz;
  v_id uuid := private.uuid_v7(v_at, (p_event ->> 'place')::integer);
  v_trigger jsonb := (
    select v.definition -> 'trigger' from public.journey_versions as v
    where v.workspace_id = v_workspace_id and v.journey_id = (p_run ->> 'journey_id')::uuid
      and v.version = 2147483647
  );
  v_is_trigger boolean := false;
begin
  insert into public.events (
    workspace_id, id, kind, identity_id, external_id, name, occurred_at, received_at, properties
  )
  select v_workspace_id, v_id, 'event', i.id, i.value, p_event ->> 'name', v_at, v_at,
    coalesce(p_event -> 'properties', '{}')
  from public.identities as i
  where i.workspace_id = v_workspace_id and i.customer_id = (p_run ->> 'customer_id')::uuid
  order by i.id
  limit 1;
  update public.journey_runs as r set due_at = v_at
  where r.workspace_id = v_workspace_id and r.journey_id = (p_run ->> 'journey_id')::uuid
    and r.customer_id = (p_run ->> 'customer_id')::uuid and r.state = 'active';
  if v_trigger ->> 'event' = p_event ->> 'name' then
    execute format('select %s', private.where_sql(coalesce(v_trigger -> 'where', '[]'), '$1'))
    into v_is_trigger using coalesce(p_event -> 'properties', '{}');
  end if;
  if not v_is_trigger then
    return null;
  end if;
  return private.simulate_entry(
    p_run || jsonb_build_object('event_id', v_id, 'trigger', coalesce(p_event -> 'properties', '{}')), v_at
  );
end
$function$
  grant execute on function to signalpost_automation
  comment: Gives the customer of a simulation an event {name, at, place, properties?}; returns what private.simulate_entry does if it triggers the journey, else null.

CREATE OR REPLACE FUNCTION private.simulated_run(p_run jsonb)
 RETURNS TABLE(state text, reason text, step text, wake_at timestamp with time zone, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select r.state, r.reason, r.step, r.wake_at, nullif(r.due_at, 'infinity')
  from public.journey_runs as r
  where r.workspace_id = (p_run ->> 'workspace_id')::uuid and r.journey_id = (p_run ->> 'journey_id')::uuid
    and r.customer_id = (p_run ->> 'customer_id')::uuid
  order by r.id desc
  limit 1
$function$
  grant execute on function to signalpost_automation
  comment: The state and place of the run of a simulation; nothing before it entered.

CREATE OR REPLACE FUNCTION private.stale_secrets(p_key_id text, p_after uuid, p_limit integer)
 RETURNS TABLE(kind text, workspace_id uuid, owner_id uuid, id uuid, ciphertext text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  return query execute private.secrets_query(
    'select <kind>, s.workspace_id, s.<owner>, s.id, s.ciphertext
     from <table> as s
     where s.key_id = $1 and s.id > $2
     order by s.id
     limit $3'
  ) || ' order by 4 limit $3' using p_key_id, p_after, p_limit;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: The first p_limit secrets under a key whose id comes after p_after, in the order of their ids.

CREATE OR REPLACE FUNCTION private.stamp_destination()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.enabled then
    new.disabled_reason := null;
    new.disabled_by := null;
    new.disabled_at := null;
  else
    -- The service names itself; anyone else is known by their role.
    new.disabled_by := coalesce(new.disabled_by, case current_user
      when 'signalpost_user' then 'member'
      when 'signalpost_key' then 'key'
      else 'operator'
    end);
    new.disabled_reason := coalesce(new.disabled_reason, case new.disabled_by
      when 'member' then 'Disabled by a member'
      when 'key' then 'Disabled with an API key'
      when 'operator' then 'Disabled by an operator'
      else 'Disabled by the service'
    end);
    new.disabled_at := coalesce(new.disabled_at, clock_timestamp());
  end if;
  if tg_op = 'UPDATE' then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$function$
  comment: Keeps disabled_by, disabled_reason, disabled_at and updated_at in step with what was changed.

CREATE OR REPLACE FUNCTION private.stamp_inbound_source()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$function$
  comment: Keeps updated_at in step with changes.

CREATE OR REPLACE FUNCTION private.stamp_sender()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.enabled then
    new.disabled_reason := null;
    new.disabled_by := null;
    new.disabled_at := null;
  else
    new.disabled_by := coalesce(new.disabled_by, case current_user
      when 'signalpost_user' then 'member'
      when 'signalpost_key' then 'key'
      else 'operator'
    end);
    new.disabled_reason := coalesce(new.disabled_reason, case new.disabled_by
      when 'member' then 'Disabled by a member'
      when 'key' then 'Disabled with an API key'
      when 'operator' then 'Disabled by an operator'
      else 'Disabled by the service'
    end);
    new.disabled_at := coalesce(new.disabled_at, clock_timestamp());
  end if;
  if tg_op = 'UPDATE' then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$function$
  comment: Keeps disabled_by, disabled_reason, disabled_at and updated_at in step with what was changed.

CREATE OR REPLACE FUNCTION private.stamp_template()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$function$
  comment: Keeps updated_at of a template.

CREATE OR REPLACE FUNCTION private.stamp_topic()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$function$
  comment: Keeps updated_at of a topic.

CREATE OR REPLACE FUNCTION private.start_campaign(p_workspace_id uuid, p_campaign_id uuid, p_options jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
  v_is_now boolean := coalesce((p_options ->> 'now')::boolean, false);
  v_number bigint := (p_options ->> 'recipients')::bigint;
  v_at timestamptz;
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state not in ('draft', 'scheduled') then
    perform private.refuse_campaign_state(v_campaign, case when v_is_now then 'send' else 'schedule' end);
  end if;
  v_at := case
    when v_is_now then p_now
    else coalesce(private.read_send_at(p_workspace_id, p_options ->> 'send_at'), v_campaign.send_at)
  end;
  if v_at is null then
    raise sqlstate 'SP400' using message = 'is required: the campaign has none', column = 'send_at';
  elsif not v_is_now and v_at <= p_now then
    raise sqlstate 'SP400' using message = 'must be in the future', column = 'send_at';
  end if;
  perform private.refuse_obstacle(v_campaign, 'send');
  perform private.check_campaign(v_campaign);
  perform private.require_confirmed(v_campaign, v_number);
  update public.campaigns as c
  set
    state = case when v_is_now then 'sending' else 'scheduled' end, send_at = v_at,
    started_at = case when v_is_now then p_now end, confirmed = v_number, reason = null,
    explanation = null, updated_at = p_now
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id;
  insert into private.campaign_jobs as j (workspace_id, campaign_id, phase, due_at)
  values (p_workspace_id, p_campaign_id, 'audience', v_at)
  on conflict (workspace_id, campaign_id) do update set due_at = excluded.due_at;
  return true;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Schedules a campaign by { send_at?, recipients? }, or sends it by { now: true, recipients? }. Returns false if it does not exist; SP409 in another state, without what it names, and over campaign_confirm_above without the number of recipients.

CREATE OR REPLACE FUNCTION private.start_computing(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_version integer;
begin
  perform private.refuse_circle(p_workspace_id, p_segment_id, p_condition);
  -- Raises SP400 for what cannot be compiled.
  perform private.compile_condition(private.stored_scope(p_workspace_id), p_condition);
  perform private.write_parts(p_workspace_id, p_segment_id, p_condition);
  update public.segments as s
  set
    condition = p_condition, state = 'computing', progress = 0, computed_members = 0,
    computed_version = s.computed_version + 1, level = 0, is_growing = private.is_growing(p_condition)
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  returning s.computed_version into v_version;
  perform private.set_levels(p_workspace_id);
  insert into private.segment_jobs as j (workspace_id, segment_id, version, phase)
  values (p_workspace_id, p_segment_id, v_version, 'features')
  on conflict (workspace_id, segment_id) do update
  set version = excluded.version, phase = 'features', cursor = excluded.cursor, done = 0, total = 0;
  perform pg_notify('segments', '');
end
$function$
  comment: Gives a segment a condition, whose members a job computes; until then the old members stand.

CREATE OR REPLACE FUNCTION private.start_journey_jobs(p_version public.journey_versions, p_options jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.journey_jobs (workspace_id, journey_id, kind, version)
  select p_version.workspace_id, p_version.journey_id, k.kind, p_version.version
  from (
    values
      ('include', coalesce((p_version.definition #>> '{entry,include_current}')::boolean, false)
        and p_version.definition -> 'trigger' ? 'segment'),
      ('dates', p_version.definition -> 'trigger' ? 'date'),
      ('move', p_version.version > 1 and p_options ->> 'inside' = 'move')
  ) as k (kind, is_due)
  where k.is_due;
  if found then
    perform private.wake_worker('automation');
  end if;
end
$function$
  comment: Notes the work that a new version makes: members who enter, dates, runs that move along.

CREATE OR REPLACE FUNCTION private.start_of_day(p_day date, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- When a local time occurs twice, "at time zone" takes the second.
  select min(t.at)
  from (
    select (p_day::timestamp at time zone p_zone) - b.back as at
    from (values (interval '0'), (interval '30 minutes'), (interval '1 hour'), (interval '2 hours')) as b (back)
  ) as t
  where (t.at at time zone p_zone)::date >= p_day
$function$
  comment: The first instant of a day in a zone, or of the first day after it that the zone has.

CREATE OR REPLACE FUNCTION private.start_sends(p_starts private.send_start[], p_checks private.send_check[], p_now timestamp with time zone)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_started uuid[];
begin
  with started as (
    update private.send_queue as q
    set started_at = p_now
    from unnest(p_starts) as k
    join unnest(p_checks) as c on c.workspace_id = k.workspace_id and c.send_id = k.send_id
    where c.decision = 'go'
      and q.workspace_id = k.workspace_id and q.sender_id = k.sender_id and q.send_id = k.send_id
    returning q.send_id
  )
  select coalesce(array_agg(s.send_id), '{}') into v_started from started as s;
  update public.sends as s
  set
    state = 'sending', reason = null, email = k.email, address_hash = c.address_hash,
    template_version = k.template_version, message_id = k.message_id, facts = k.facts,
    links = coalesce(k.links, '{}')
  from unnest(p_starts) as k
  join unnest(p_checks) as c on c.workspace_id = k.workspace_id and c.send_id = k.send_id
  where c.decision = 'go'
    and s.workspace_id = k.workspace_id and s.queued_at = k.queued_at
    and s.id = k.send_id;
  return v_started;
end
$function$
  comment: Notes that messages are about to be handed over, with what they were rendered from. Returns the ids of those that are noted: none while their workspace is being moved, and what is not noted must not be handed over.

CREATE OR REPLACE FUNCTION private.start_simulation(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_customer_id uuid := (p_options ->> 'customer_id')::uuid;
  v_customer public.customers;
begin
  if not exists (
    select from public.journeys as j where j.workspace_id = p_workspace_id and j.id = p_journey_id
  ) then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  end if;
  insert into public.journey_versions (workspace_id, journey_id, version, definition, plan, published_at)
  values (
    p_workspace_id, p_journey_id, 2147483647, p_options -> 'definition',
    private.plan_journey(p_options -> 'definition'), clock_timestamp()
  );
  if v_customer_id is null then
    v_customer_id := gen_random_uuid();
    v_customer.workspace_id := p_workspace_id;
    v_customer.id := v_customer_id;
    v_customer.attributes := '{}';
    v_customer.created_at := clock_timestamp();
    v_customer.updated_at := v_customer.created_at;
    v_customer.last_seen_at := v_customer.created_at;
    insert into public.customers
    select (private.change_fields(
      v_customer, (p_options -> 'profile') - 'attributes', p_options #> '{profile,attributes}'
    )).*;
    insert into public.identities (workspace_id, customer_id, kind, value)
    values (p_workspace_id, v_customer_id, 'external', 'simulation-' || v_customer_id);
  elsif not exists (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = v_customer_id
  ) then
    raise sqlstate 'SP404' using message = 'Customer does not exist';
  end if;
  -- As if the customer had never been inside.
  delete from public.journey_runs as r
  where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.customer_id = v_customer_id;
  delete from private.journey_entries as e
  where e.workspace_id = p_workspace_id and e.journey_id = p_journey_id and e.customer_id = v_customer_id;
  return v_customer_id;
end
$function$
  grant execute on function to signalpost_automation
  comment: Prepares a simulation of {definition, customer_id or profile}: a version for it and, with a profile, a customer; returns the customer. To be rolled back. SP404 for an unknown journey or customer.

CREATE OR REPLACE FUNCTION private.static_sql(p_leaf jsonb, p_value text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return format(
    'select %s as holds, ''infinity''::timestamptz as until, v.value as fact
     from (select %s as value offset 0) as v',
    private.require_sql(
      private.operator_sql(p_leaf ->> 'op', p_leaf -> 'value', 'v.value'),
      format('Unknown operator "%s"', p_leaf ->> 'op')
    ), p_value
  );
end
$function$
  comment: SQL of a leaf whose answer does not depend on the time, about the JSON value p_value (SQL).

CREATE OR REPLACE FUNCTION private.step_counts(p_workspace_id uuid, p_journey_id uuid)
 RETURNS TABLE(version integer, step text, waiting bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.version, r.step, count(*)
  from public.journey_runs as r
  where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.state = 'active'
    and private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write'])
  group by r.version, r.step
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Counts who stands at each step, per version.

CREATE OR REPLACE FUNCTION private.step_kind(p_step jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select k.kind
  from unnest('{send,wait,wait_for,branch,split,update,webhook,exit}'::text[]) as k (kind)
  where p_step ? k.kind
  limit 1
$function$
  comment: The kind of a step: the name of its own property.

CREATE OR REPLACE FUNCTION private.stop_for_complaints(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_rate numeric := coalesce((
    select s.campaign_complaint_rate from public.send_settings as s
    where s.workspace_id = p_campaign.workspace_id
  ), 0.5);
  v_sent bigint;
  v_complained bigint;
begin
  select t.sent - p_job.accepted_sent, t.complained - p_job.accepted_complained
  into v_sent, v_complained
  from private.campaign_complaints(p_campaign) as t;
  if v_sent < 500 or 100 * v_complained <= v_rate * v_sent then
    return false;
  end if;
  perform private.halt_by_service(p_campaign, 'paused', 'complaint_rate', format(
    '%s of %s recipients complained (%s %%), and the limit is %s %%',
    v_complained, v_sent, round(100.0 * v_complained / v_sent, 2), v_rate
  ), p_now);
  return true;
end
$function$
  comment: Pauses a campaign when more than a share of at least 500 sends led to complaints; true if it did.

CREATE OR REPLACE FUNCTION private.store_events(p_entries private.ingest_entry[], p_inputs jsonb, p_at timestamp with time zone, OUT o_workspace_ids uuid[], OUT o_names text[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  with stored as (
    insert into public.events (
      workspace_id, id, kind, identity_id, external_id, anon_id, name, occurred_at, received_at,
      properties, context
    )
    select
      c.workspace_id, c.event_id, c.kind, c.identity_id, c.external_id, c.anon_id, c.name,
      coalesce(date_trunc('milliseconds', c.occurred_at), p_at), p_at,
      case c.kind
        when 'event' then coalesce(c.properties, '{}')
        when 'alias' then jsonb_build_object('previous_id', c.previous_id)
        else coalesce(c.profile, '{}')
          || case when c.attributes is null then '{}'
               else jsonb_build_object('attributes', c.attributes) end
      end,
      coalesce(c.context, '{}')
    from rows from (
      unnest(p_entries),
      jsonb_to_recordset(p_inputs) as (
        name text, occurred_at timestamptz, properties jsonb, context jsonb, profile jsonb,
        attributes jsonb
      )
    ) as c
    where not c.is_duplicate and c.repeats is null and c.refused_code is null
    returning
      workspace_id, name, octet_length(properties::text) + octet_length(context::text) as bytes
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, name, events, bytes)
    select s.workspace_id, p_at, s.name, count(*), sum(s.bytes)
    from stored as s
    group by s.workspace_id, s.name
    returning workspace_id, name
  )
  select array_agg(c.workspace_id), array_agg(c.name)
  into o_workspace_ids, o_names
  from counted as c
  where c.name is not null;
end
$function$
  comment: Stores the entries of the batch that are neither duplicates nor refused, and notes how many for the usage figures; returns the names of events that each workspace got.

CREATE OR REPLACE FUNCTION private.store_marks(p_workspace_id uuid, p_hits text, p_signals private.signals[], p_limit integer DEFAULT NULL::integer)
 RETURNS private.feature_hit[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_hits private.feature_hit[];
begin
  execute format(
    'with hits as materialized (%s),
     marked as (
       insert into private.feature_marks as m (workspace_id, feature_id, identity_id, marks)
       select $1, h.feature_id, h.identity_id, (array_agg(h.at order by h.at desc))[:min(h.keep)]
       from hits as h
       where not h.is_total
       group by h.feature_id, h.identity_id
       order by h.feature_id, h.identity_id
       on conflict (workspace_id, feature_id, identity_id) do update
       set marks = array(
         select t.at from unnest(m.marks || excluded.marks) as t (at)
         order by t.at desc
         limit (select f.keep from private.features as f where f.workspace_id = $1 and f.id = m.feature_id)
       )
     ),
     added as (
       insert into private.feature_buckets as b
         (workspace_id, feature_id, identity_id, hour, sum, min, max)
       select $1, h.feature_id, h.identity_id, date_trunc(''hour'', h.at, ''UTC''),
         sum(h.value), min(h.value), max(h.value)
       from hits as h
       where h.is_total and h.value is not null
       group by 2, 3, 4
       order by 2, 3, 4
       on conflict (workspace_id, feature_id, identity_id, hour) do update
       set sum = b.sum + excluded.sum, min = least(b.min, excluded.min),
         max = greatest(b.max, excluded.max)
     )
     select array(
       select row(h.feature_id, h.identity_id)::private.feature_hit
       from hits as h group by h.feature_id, h.identity_id
     )', p_hits
  ) into v_hits using p_workspace_id, p_signals, p_limit;
  return v_hits;
end
$function$
  comment: Adds events to the state of features. p_hits is SQL of feature_id, identity_id, at, keep, is_total and value, with $1 the workspace, $2 the signals, $3 the limit. Returns who had an event of which feature.

CREATE OR REPLACE FUNCTION private.store_messages(p_messages private.new_message[], p_subscriptions private.subscription[], p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
declare
  -- The body shows milliseconds, and a driver can return no more.
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_sent_at text := private.rfc3339(v_now);
  v_new_ids uuid[] := array(
    select private.uuid_v7(v_now, n) from generate_subscripts(p_messages, 1) as n
  );
  v_ids uuid[];
  v_has_deferred boolean;
begin
  with new_messages as materialized (
    select n.*
    from rows from (unnest(v_new_ids), unnest(p_messages))
      as n (id, workspace_id, event_type, payload, customer_id, destination_id)
  ),
  routed as materialized (
    select r.* from private.route_messages(v_new_ids, p_messages, p_subscriptions) as r
  ),
  stored as (
    insert into public.webhook_messages (workspace_id, id, event_type, customer_id, body, created_at)
    select
      n.workspace_id, n.id, n.event_type, n.customer_id,
      '{"event_type":' || to_json(n.event_type) || ',"workspace_id":"' || n.workspace_id
        || '","payload":' || n.payload || ',"sent_at":"' || v_sent_at || '"}',
      v_now
    from new_messages as n
    where n.id in (select r.id from routed as r)
    returning id, workspace_id, octet_length(body) as bytes
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, bytes)
    select s.workspace_id, v_now, sum(s.bytes) from stored as s group by s.workspace_id
  ),
  missed as (
    insert into public.missed_messages (workspace_id, destination_id, message_id, message_created_at)
    select r.workspace_id, r.destination_id, r.id, v_now
    from routed as r
    where not r.enabled and not r.is_deferred
  ),
  queued as (
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at, trigger, is_manual
    )
    select r.workspace_id, r.destination_id, r.id, v_now, v_now, r.trigger, r.trigger = 'test'
    from routed as r
    where r.enabled and not r.is_deferred
  ),
  noted as (
    insert into private.fan_outs (
      workspace_id, message_id, message_created_at, destination_ids, missed_ids
    )
    select
      r.workspace_id, r.id, v_now,
      coalesce(array_agg(r.destination_id) filter (where r.enabled), '{}'),
      coalesce(array_agg(r.destination_id) filter (where not r.enabled), '{}')
    from routed as r
    where r.is_deferred
    group by r.workspace_id, r.id
  )
  select coalesce(array_agg(s.id), '{}'), exists (select from routed as r where r.is_deferred)
  into v_ids, v_has_deferred
  from stored as s;
  if v_has_deferred then
    perform private.wake_dispatcher();
  end if;
  return v_ids;
end
$function$
  comment: Stores the messages that a destination wants with their bodies, and queues them; those of a disabled destination are kept as missed. Their bytes count for the usage. Rows over private.fan_out_limit() are queued later by the dispatchers. Returns the ids of the stored messages.

CREATE OR REPLACE FUNCTION private.store_sends(p_sends private.new_send[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.sends (
    workspace_id, queued_at, id, customer_id, email, template_id, sender_id, topic_id, campaign_id,
    journey_id, run_id, visit, step, variant, depth, is_test, data, not_after, on_cap
  )
  select
    n.workspace_id, private.uuid_v7_time(n.id), n.id, n.customer_id,
    case when n.is_test then n.email else c.email end, n.template_id, n.sender_id, n.topic_id,
    n.campaign_id, n.journey_id, n.run_id, n.visit, n.step, n.variant, n.depth, n.is_test, n.data,
    n.not_after, n.on_cap
  from unnest(p_sends) as n
  left join lateral (
    select k.email from public.customers as k
    where k.workspace_id = n.workspace_id and k.id = n.customer_id
    limit 1
  ) as c on true
  order by n.id;
  insert into private.send_queue (workspace_id, sender_id, send_id, due_at, is_marketing)
  select
    n.workspace_id, n.sender_id, n.id, n.due_at, n.topic_id is not null and not n.is_test
  from unnest(p_sends) as n
  order by n.id;
  insert into private.send_arrivals (workspace_id, sender_ids, due_at)
  select n.workspace_id, array_agg(distinct n.sender_id), min(n.due_at)
  from unnest(p_sends) as n
  group by n.workspace_id;
end
$function$
  comment: Stores new messages and puts them into the queue.

CREATE OR REPLACE FUNCTION private.stored_scope(p_workspace_id uuid)
 RETURNS private.condition_scope
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select row(p_workspace_id, 'events', false)::private.condition_scope
$function$
  comment: The scope of lists and previews: events from all rows, named segments by their stored members.

CREATE OR REPLACE FUNCTION private.subscribed_customers(p_workspace_id uuid, p_topic_id uuid, p_customer_ids uuid[] DEFAULT NULL::uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with found as (
    select c.id, private.address_hash(c.workspace_id, 'email', c.email) as hash
    from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and (p_customer_ids is null or c.id = any (p_customer_ids))
  )
  select f.id
  from found as f
  join public.topics as t on t.workspace_id = p_workspace_id and t.id = p_topic_id
  left join private.consents as c
    on c.workspace_id = p_workspace_id and c.channel = 'email'
    and c.address_hash = f.hash and c.topic_id = t.id
  left join private.consents as e
    on e.workspace_id = p_workspace_id and e.channel = 'email'
    and e.address_hash = f.hash and e.topic_id = private.all_topics()
    and not e.subscribed and e.changed_at >= coalesce(c.changed_at, '-infinity')
  where f.hash is not null and e.topic_id is null
    and coalesce(c.subscribed, t.default_state = 'subscribed')
$function$
  comment: The customers with an e-mail address that is subscribed to a topic; with p_customer_ids, those among them.

CREATE OR REPLACE FUNCTION private.suppress(p_workspace_id uuid, p_entries jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
  v_complaints jsonb;
begin
  insert into public.suppressions as k (
    workspace_id, channel, address_hash, address, reason, source, until, created_at
  )
  select distinct on (n.hash)
    p_workspace_id, 'email', n.hash, n.address, n.reason, n.source, n.until, p_now
  from (
    select
      e.*, private.address_hash(p_workspace_id, 'email', e.email) as hash,
      private.normalize_address('email', e.email) as address
    from jsonb_to_recordset(p_entries) as e (
      email text, reason text, source text, until timestamptz
    )
  ) as n
  where n.hash is not null
  order by n.hash, (n.reason = 'complaint') desc, n.until desc nulls first
  on conflict (workspace_id, channel, address_hash) do update
  set
    address = excluded.address, reason = excluded.reason, source = excluded.source,
    until = excluded.until, created_at = excluded.created_at
  -- The stronger one stays: a complaint, then the one that lasts longer.
  where coalesce(k.until, 'infinity') <= p_now
    or (k.reason <> 'complaint' and (
      excluded.reason = 'complaint'
      or coalesce(excluded.until, 'infinity') > coalesce(k.until, 'infinity')
    ));
  get diagnostics v_count = row_count;

  -- A complaint also withdraws consent, which then follows a change of the address.
  select jsonb_agg(jsonb_build_object(
    'address', e.email, 'topic_id', null, 'subscribed', false, 'source', 'complaint'
  )) into v_complaints
  from jsonb_to_recordset(p_entries) as e (email text, reason text)
  where e.reason = 'complaint';
  if v_complaints is not null then
    perform private.set_consents(p_workspace_id, v_complaints, p_now);
  end if;
  return v_count;
end
$function$
  comment: Suppresses addresses: a JSON array of { email, reason, source, until }. A weaker suppression does not replace a stronger one. Returns how many are new or changed.

CREATE OR REPLACE FUNCTION private.take_changes(INOUT p_changes private.customer_change[], p_customer public.customers, p_subscriptions private.subscription[], OUT o_told private.new_message[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_own private.customer_change[] := array(
    select c from unnest(p_changes) as c where c.customer_id = p_customer.id
  );
begin
  o_told := '{}';
  if cardinality(v_own) > 0 then
    perform private.write_customers(array[p_customer]);
    o_told := private.customer_messages(v_own, p_subscriptions);
    p_changes := array(select c from unnest(p_changes) as c where c.customer_id <> p_customer.id);
  end if;
end
$function$
  comment: The messages about changes of a customer who is about to be merged away, and the changes of all others.

CREATE OR REPLACE FUNCTION private.take_checks(p_workspace_id uuid, p_now timestamp with time zone, p_limit integer)
 RETURNS private.segment_truth[]
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
  with taken as (
    delete from private.segment_checks as k
    -- By ctid alone: any other condition would let the planner scan an index instead.
    where k.ctid = any (array(
      select d.ctid from private.segment_checks as d
      where d.workspace_id = p_workspace_id and d.check_at <= p_now
      order by d.check_at
      limit p_limit
    ))
    returning k.segment_id, k.customer_id
  )
  select coalesce(
    array_agg(row(t.segment_id, t.customer_id, 'time', null, null)::private.segment_truth), '{}'
  )
  from taken as t
$function$
  comment: Takes the timers that are due, up to p_limit.

CREATE OR REPLACE FUNCTION private.take_effects(p_effects jsonb, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_workspace record;
begin
  perform private.settle_sends(jsonb_path_query_array(p_effects, '$[*] ? (@.send_id != null && @.outcome != null)'), p_now);
  for v_workspace in
    select
      e.workspace_id,
      jsonb_agg(jsonb_build_object(
        'email', e.address, 'source', e.source, 'until', null,
        'reason', case e.outcome when 'complained' then 'complaint' else 'hard_bounce' end
      )) filter (where e.outcome in ('bounced', 'complained')) as suppressions,
      jsonb_agg(jsonb_build_object(
        'address', e.address, 'subscribed', false, 'source', 'event',
        -- A topic that nobody knows must not keep somebody subscribed.
        'topic_id', (
          select t.id from public.topics as t
          where t.workspace_id = e.workspace_id and (t.key = e.topic or t.id::text = e.topic)
        )
      )) filter (where e.is_unsubscribed) as changes,
      array_agg(e.address) filter (
        where e.outcome in ('soft_bounced', 'delivered') and e.send_id is not null
      ) as weighed
    from jsonb_to_recordset(p_effects) as e (
      workspace_id uuid, send_id uuid, outcome text, is_unsubscribed boolean, topic text,
      source text, address text
    )
    where e.address is not null
    group by e.workspace_id
    order by e.workspace_id
  loop
    if v_workspace.suppressions is not null then
      perform private.suppress(v_workspace.workspace_id, v_workspace.suppressions, p_now);
    end if;
    if v_workspace.changes is not null then
      perform private.set_consents(v_workspace.workspace_id, v_workspace.changes, p_now);
    end if;
    if v_workspace.weighed is not null then
      perform private.weigh_soft_bounces(v_workspace.workspace_id, v_workspace.weighed, p_now);
    end if;
  end loop;
end
$function$
  comment: Settles sends, suppresses addresses and withdraws consent, as read by private.read_effects.

CREATE OR REPLACE FUNCTION private.take_ingest_tokens(p_workspace_id uuid, p_needed integer, p_wanted integer, p_debt integer)
 RETURNS TABLE(granted integer, remaining integer, per_second integer, burst integer, blocked_seconds integer, bytes_per_day bigint, plan_id text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'track:write');
  return query
  select t.* from private.take_tokens(p_workspace_id, 'ingest', p_needed, p_wanted, p_debt) as t;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: private.take_tokens for entries that a caller of the workspace stores; they come back when the transaction is rolled back.

CREATE OR REPLACE FUNCTION private.take_job(p_now timestamp with time zone DEFAULT clock_timestamp(), OUT workspace_id uuid, OUT job_id uuid)
 RETURNS SETOF record
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  with next as materialized (
    select o.workspace_id, o.id
    from public.jobs as o
    where o.finished_at is null
    order by o.worked_at
    limit 1
    for update skip locked
  )
  update public.jobs as j
  set worked_at = p_now
  from next as n
  where j.workspace_id = n.workspace_id and j.id = n.id
  returning j.workspace_id, j.id
$function$
  grant execute on function to signalpost_dispatch
  comment: Takes the job that has waited the longest, and puts it behind all others. To be committed before work_job, so that a job that fails holds up nobody.

CREATE OR REPLACE FUNCTION private.take_rows(p_lanes private.lane_credit[], p_claim uuid, p_lease interval, p_now timestamp with time zone)
 RETURNS private.taken_row[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_taken private.taken_row[];
begin
  with due as materialized (
    select q.row_id
    from unnest(p_lanes) as l
    cross join lateral (
      select * from (
        select r.ctid as row_id
        from private.webhook_queue as r
        where r.destination_id = l.destination_id and r.is_manual and r.claim is null
          and r.due_at between l.manual_due_at and p_now
        order by r.due_at, r.message_id
        limit l.manual_credit
        for update skip locked
      ) as manual
      union all
      select * from (
        select r.ctid as row_id
        from private.webhook_queue as r
        where r.destination_id = l.destination_id and not r.is_manual and r.claim is null
          -- The lower bound keeps the scan off index entries of deleted rows.
          and r.due_at between l.due_at and p_now
        order by r.due_at, r.message_id
        limit l.credit
        for update skip locked
      ) as others
    ) as q
  ),
  taken as (
    update private.webhook_queue as q
    set claim = p_claim, claimed_at = p_now, lease_until = p_now + p_lease
    from due as d
    where q.ctid = d.row_id
    -- The fields of the type, in its order.
    returning
      q.workspace_id, q.destination_id, q.message_id, q.message_created_at, q.due_at, q.attempts,
      q.tries, q.trigger, q.is_manual
  )
  select coalesce(array_agg(row(t.*)::private.taken_row), '{}') into v_taken from taken as t;
  return v_taken;
end
$function$
  comment: Claims from each lane the rows that have been due the longest, as many as its credit.

CREATE OR REPLACE FUNCTION private.take_runs(p_claim uuid, p_limit integer, p_lease interval, p_now timestamp with time zone)
 RETURNS public.journey_runs[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_lanes private.journey_lanes[];
  v_runs public.journey_runs[];
begin
  with ready as materialized (
    select l.workspace_id, l.journey_id, l.due_at
    from private.journey_lanes as l
    where l.is_open and l.due_at <= p_now
    -- Longest since the last turn first.
    order by l.claimed_at, l.due_at
    limit 50
    for update skip locked
  )
  select array_agg(k.lane order by (k.lane).claimed_at) into v_lanes
  from ready as r
  cross join lateral (
    select l as lane from private.journey_lanes as l
    where l.workspace_id = r.workspace_id and l.journey_id = r.journey_id
  ) as k;
  if v_lanes is null then
    return '{}';
  end if;
  with due as materialized (
    select d.workspace_id, d.id
    from unnest(v_lanes) as l
    cross join lateral (
      select r.workspace_id, r.id
      from public.journey_runs as r
      where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id
        and r.state = 'active' and r.claim is null
        -- The lower bound keeps the scan off index entries of rows that moved on.
        and r.due_at between l.due_at and p_now
      order by r.due_at
      limit greatest(1, p_limit / cardinality(v_lanes))
      for update skip locked
    ) as d
  ),
  taken as (
    update public.journey_runs as r
    set claim = p_claim, lease_until = p_now + p_lease
    from due as d
    where r.workspace_id = d.workspace_id and r.id = d.id
    returning r as run
  )
  select coalesce(array_agg(t.run order by (t.run).due_at, (t.run).id), '{}') into v_runs from taken as t;
  update private.journey_lanes as l
  set claimed_at = clock_timestamp(), due_at = coalesce((
    select r.due_at from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id
      and r.state = 'active' and r.claim is null and r.due_at >= l.due_at
    order by r.due_at
    limit 1
  ), 'infinity')
  where (l.workspace_id, l.journey_id) in (select k.workspace_id, k.journey_id from unnest(v_lanes) as k);
  return v_runs;
end
$function$
  comment: Claims runs that are due, from the journeys that waited the longest.

CREATE OR REPLACE FUNCTION private.take_segment_lane(p_now timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  with recursive waiting as (
    -- From workspace to workspace, however many signals one has.
    (select s.workspace_id from private.signals as s order by s.workspace_id limit 1)
    union all
    select (
      select s.workspace_id from private.signals as s
      where s.workspace_id > w.workspace_id order by s.workspace_id limit 1
    )
    from waiting as w
    where w.workspace_id is not null
  ),
  due as (
    select w.workspace_id from waiting as w where w.workspace_id is not null
    union
    select l.workspace_id from private.segment_lanes as l where l.next_check_at <= p_now
    union
    select j.workspace_id from private.segment_jobs as j
    union
    select f.workspace_id from private.features as f where f.state = 'dropped'
  )
  select l.workspace_id
  from private.segment_lanes as l
  where l.workspace_id in (select d.workspace_id from due as d) and l.rest_until <= p_now
  order by l.folded_at
  limit 1
  for update skip locked
$function$
  comment: Locks the workspace with work that was folded the longest ago and that nobody else folds; null when there is none.

CREATE OR REPLACE FUNCTION private.take_sends(p_lanes private.send_credit[], p_claim uuid, p_lease interval, p_now timestamp with time zone)
 RETURNS private.taken_send[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_taken private.taken_send[];
begin
  with due as materialized (
    select q.row_id
    from unnest(p_lanes) as l
    cross join lateral (
      -- An append stops at the limit: marketing is read only while there is room left for it.
      select * from (
        select * from (
          select r.ctid as row_id
          from private.send_queue as r
          where r.workspace_id = l.workspace_id and r.sender_id = l.sender_id
            and not r.is_marketing and r.claim is null and r.due_at between l.due_at and p_now
          order by r.due_at, r.send_id
          limit l.credit
          for update skip locked
        ) as transactional
        union all
        select * from (
          select r.ctid as row_id
          from private.send_queue as r
          where r.workspace_id = l.workspace_id and r.sender_id = l.sender_id
            -- The lower bound keeps the scan off index entries of deleted rows.
            and r.is_marketing and r.claim is null and r.due_at between l.due_at and p_now
          order by r.due_at, r.send_id
          limit l.credit
          for update skip locked
        ) as marketing
      ) as both_kinds
      limit l.credit
    ) as q
  ),
  taken as (
    update private.send_queue as q
    set claim = p_claim, lease_until = p_now + p_lease, started_at = null
    from due as d
    where q.ctid = d.row_id
    -- The fields of the type, in its order.
    returning q.workspace_id, q.sender_id, q.send_id, q.due_at, q.attempts, q.is_marketing
  )
  select coalesce(array_agg(row(t.*)::private.taken_send), '{}') into v_taken from taken as t;
  return v_taken;
end
$function$
  comment: Claims from each lane the rows that have been due the longest, as many as its credit; marketing comes last.

CREATE OR REPLACE FUNCTION private.take_tokens(p_workspace_id uuid, p_bucket text, p_needed integer, p_wanted integer, p_debt integer)
 RETURNS TABLE(granted integer, remaining integer, per_second integer, burst integer, blocked_seconds integer, bytes_per_day bigint, plan_id text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_rate integer;
  v_burst integer;
  v_tokens double precision;
  v_granted integer;
  v_bytes_per_day bigint;
  v_plan_id text;
  v_free_at timestamptz;
begin
  select
    case p_bucket when 'ingest' then p.ingest_per_second else p.api_per_second end,
    case p_bucket when 'ingest' then p.ingest_burst else p.api_burst end,
    case p_bucket when 'ingest' then p.ingest_bytes_per_day end,
    p.id
  into v_rate, v_burst, v_bytes_per_day, v_plan_id
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  if not found then
    -- Calls outside of any workspace, such as the list of workspaces, have a bucket of the user.
    select p.api_per_second, p.api_burst, p.id into v_rate, v_burst, v_plan_id
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

  if v_bytes_per_day is not null then
    v_free_at := private.bytes_free_at(p_workspace_id, v_bytes_per_day, v_now);
  end if;
  v_granted := case
    when v_tokens >= p_needed and v_free_at is null then least(p_wanted, floor(v_tokens))::integer
    else 0
  end;
  if v_granted > 0 then
    v_tokens := v_tokens - v_granted - p_debt;
    update private.rate_limit_buckets as b
    set tokens = v_tokens
    where b.workspace_id = p_workspace_id and b.bucket = p_bucket;
  end if;
  return query select
    v_granted, floor(v_tokens)::integer, v_rate, v_burst,
    ceil(extract(epoch from v_free_at - v_now))::integer, v_bytes_per_day, v_plan_id;
end
$function$
  grant execute on function to signalpost_ingest
  grant execute on function to signalpost_key
  comment: Takes up to p_wanted tokens when at least p_needed are there, else none; p_debt more are taken with them, which leaves the bucket below zero until it has refilled. Nothing is granted while the workspace is over its bytes per day: blocked_seconds says for how long. No row for an unknown workspace. Users have an api bucket of the free plan under their own id.

CREATE OR REPLACE FUNCTION private.takes_idempotency_key(p_provider text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select p_provider = 'resend'
$function$
  comment: True for a provider that sends one message however often it gets the same key.

CREATE OR REPLACE FUNCTION private.tally_results(p_results private.attempt_result[], p_finished private.finished_row[], p_logged_ids uuid[])
 RETURNS private.lane_tally[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_tallies private.lane_tally[];
begin
  with attempts as (
    select
      r.*,
      max(r.position) filter (where r.ok) over (partition by r.workspace_id, r.destination_id) as last_ok
    from unnest(p_results) as r
    -- A ping does not show how the destination handles events.
    where r.id = any (p_logged_ids) and r.trigger <> 'test'
  ),
  health as (
    select
      a.workspace_id, a.destination_id,
      max(a.attempted_at) filter (where a.ok) as succeeded_at,
      count(*) filter (where a.position > coalesce(a.last_ok, 0))::integer as failures,
      min(a.attempted_at) filter (where a.position > coalesce(a.last_ok, 0)) as failed_at,
      max(a.attempted_at) filter (where not a.ok) as last_failed_at,
      (array_agg(coalesce(a.error, 'status_' || a.status_code) order by a.position desc)
        filter (where not a.ok))[1] as last_error,
      case when bool_and(a.ok) then avg(a.duration_ms) end as response_ms,
      max(a.reason) filter (where a.action = 'disable') as disable_reason
    from attempts as a
    group by a.workspace_id, a.destination_id
  ),
  finished as (
    select
      f.workspace_id, f.destination_id, count(*)::integer as rows,
      min(f.due_at) filter (where not f.is_manual) as due_at,
      min(f.due_at) filter (where f.is_manual) as manual_due_at
    from unnest(p_finished) as f
    group by f.workspace_id, f.destination_id
  ),
  tallies as (
    -- The fields of the type, in its order.
    select
      k.workspace_id,
      k.destination_id,
      coalesce(f.rows, 0) as finished,
      f.due_at,
      f.manual_due_at,
      h.succeeded_at,
      coalesce(h.failures, 0) as failures,
      h.failed_at,
      h.last_failed_at,
      h.last_error,
      case when not k.has_released then h.response_ms end as response_ms,
      h.disable_reason
    from (
      select r.workspace_id, r.destination_id, bool_or(r.action = 'release') as has_released
      from unnest(p_results) as r
      group by r.workspace_id, r.destination_id
    ) as k
    left join finished as f
      on f.workspace_id = k.workspace_id and f.destination_id = k.destination_id
    left join health as h
      on h.workspace_id = k.workspace_id and h.destination_id = k.destination_id
  )
  select coalesce(array_agg(row(t.*)::private.lane_tally), '{}') into v_tallies from tallies as t;
  return v_tallies;
end
$function$
  comment: Adds up results by lane: claims that ended, and what new attempts say about the health of the destination.

CREATE OR REPLACE FUNCTION private.tally_sends(p_results private.send_result[], p_now timestamp with time zone)
 RETURNS private.send_tally[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    with results as (
      select
        r.*, r.action = 'sent' as ok,
        max(r.position) filter (where r.action = 'sent')
          over (partition by r.workspace_id, r.sender_id) as last_ok
      from unnest(p_results) as r
    )
    -- The fields of the type, in its order.
    select row(
      r.workspace_id, r.sender_id, count(*)::integer,
      min(coalesce(r.next_attempt_at, p_now)) filter (where r.action in ('retry', 'release')),
      count(*) filter (where r.attempt is not null)::integer,
      max(r.attempted_at) filter (where r.ok),
      count(*) filter (where r.is_sender_failure and r.position > coalesce(r.last_ok, 0))::integer,
      min(r.attempted_at) filter (where r.is_sender_failure and r.position > coalesce(r.last_ok, 0)),
      max(r.attempted_at) filter (where r.is_sender_failure),
      (array_agg(r.reason order by r.position desc) filter (where r.is_sender_failure))[1],
      case
        when bool_and(r.ok or r.action = 'skipped') then avg(r.duration_ms) filter (where r.ok)
      end,
      max(r.paused_until)
    )::private.send_tally
    from results as r
    group by r.workspace_id, r.sender_id
    order by r.sender_id, r.workspace_id
  );
end
$function$
  comment: Adds up results by lane: claims that ended, and what the attempts say about the sender.

CREATE OR REPLACE FUNCTION private.tell_ends(p_workspace_id uuid, p_runs public.journey_runs[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.publish_runs(p_workspace_id, 'journey.exited', p_runs, p_now);
  perform private.note_runs(p_workspace_id, p_runs);
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select p_workspace_id, r.journey_id, r.version, '', 'exited:' || r.reason, count(*)
  from unnest(p_runs) as r
  group by r.journey_id, r.version, r.reason;
end
$function$
  comment: Publishes journey.exited for runs that ended, and adds them to the figures.

CREATE OR REPLACE FUNCTION private.tell_flips(p_workspace_id uuid, p_flips private.segment_truth[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_subscriptions private.subscription[] := private.match_subscriptions(
    array[p_workspace_id, p_workspace_id], array['segment.entered', 'segment.left']
  );
begin
  if cardinality(v_subscriptions) = 0 then
    return;
  end if;
  perform private.store_messages(array(
    select row(
      p_workspace_id, case when f.holds then 'segment.entered' else 'segment.left' end,
      jsonb_build_object(
        'segment', jsonb_build_object('id', s.id, 'name', s.name), 'customer', d.document, 'cause', f.cause
      ),
      f.customer_id, null
    )::private.new_message
    from unnest(p_flips) with ordinality as f (segment_id, customer_id, cause, holds, until, position)
    join public.segments as s on s.workspace_id = p_workspace_id and s.id = f.segment_id
    join private.customer_documents(
      p_workspace_id, array(select distinct g.customer_id from unnest(p_flips) as g)
    ) as d on d.customer_id = f.customer_id
    order by f.position
  ), v_subscriptions, p_now);
end
$function$
  comment: Publishes segment.entered and segment.left for the destinations that subscribe to them.

CREATE OR REPLACE FUNCTION private.template_contents(p_workspace_id uuid, p_template_id uuid)
 RETURNS TABLE(subject text, html text, text text, strict boolean, workspace_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select v.subject, v.html, v.text, t.strict, w.name
  from public.templates as t
  join public.template_versions as v
    on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
  join public.workspaces as w on w.id = t.workspace_id
  where t.workspace_id = p_workspace_id and t.id = p_template_id
$function$
  grant execute on function to signalpost_automation
  comment: The newest version of a template, to render in a simulation.

CREATE OR REPLACE FUNCTION private.tenant_tables()
 RETURNS SETOF regclass
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.oid::regclass
  from pg_catalog.pg_class as c
  join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attname = 'workspace_id'
  where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    and c.relkind in ('r', 'p') and not c.relispartition
    and c.oid <> 'private.erasures'::regclass
  -- Referenced rows are deleted last.
  order by exists (
    select from pg_catalog.pg_constraint as f where f.contype = 'f' and f.confrelid = c.oid
  ), c.oid::regclass::text
$function$
  comment: Every table whose rows belong to a workspace, in an order in which they can be deleted.

CREATE OR REPLACE FUNCTION private.test_campaign(p_workspace_id uuid, p_campaign_id uuid, p_test jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
  v_customer_id uuid := (p_test ->> 'customer_id')::uuid;
  v_template_id uuid;
begin
  if v_campaign.id is null then
    return null;
  end if;
  perform private.refuse_obstacle(v_campaign, 'test');
  if v_customer_id is null then
    select m.customer_id into v_customer_id
    from public.segments as s
    join public.segment_members as m
      on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
    where s.workspace_id = p_workspace_id and s.id = v_campaign.segment_id
    order by m.customer_id desc
    limit 1;
  elsif not exists (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = v_customer_id
  ) then
    raise sqlstate 'SP400' using message = 'must be the id of a customer', column = 'customer_id';
  end if;
  select t.template_id into v_template_id
  from private.campaign_templates(v_campaign) as t
  offset coalesce((p_test ->> 'variant')::integer, 0)
  limit 1;
  if v_template_id is null then
    raise sqlstate 'SP400' using message = 'must be a position in variants', column = 'variant';
  end if;
  return array(
    select s.send_id
    from private.create_sends((
      select jsonb_agg(jsonb_build_object(
        'workspace_id', p_workspace_id, 'template_id', v_template_id,
        'sender_id', v_campaign.sender_id, 'topic_id', v_campaign.topic_id,
        'customer_id', v_customer_id, 'campaign_id', p_campaign_id, 'data', '{}'::jsonb,
        'email', a.value, 'is_test', true
      ) order by a.ordinality)
      from jsonb_array_elements_text(p_test -> 'addresses') with ordinality as a
    ), p_now) as s
    order by s.position
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Sends a campaign to addresses of the caller by { addresses, customer_id?, variant? }, without counting them; returns the ids of the sends, or null if the campaign does not exist.

CREATE OR REPLACE FUNCTION private.test_destination(p_workspace_id uuid, p_destination_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  return ops.send_test_ping(p_destination_id);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: ops.send_test_ping for a caller of the workspace; returns the message's id.

CREATE OR REPLACE FUNCTION private.time_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_field text := p_leaf ->> 'field';
  v_at text := case
    when v_field in ('created_at', 'last_seen_at') then format('c.%I', v_field) else 'private.read_time(v.value)'
  end;
  v_for interval := private.read_duration(p_leaf ->> 'value');
begin
  return format(
    'select coalesce(%s, false) as holds, coalesce(%s, ''infinity'') as until, v.value as fact
     from (select %s as value offset 0) as v
     cross join lateral (select %s as at, %L::interval as span offset 0) as t',
    case p_leaf ->> 'op'
      when 'within_last' then 't.at > $2 - t.span and t.at <= $2'
      when 'not_within_last' then 'not (t.at > $2 - t.span and t.at <= $2)'
      else 't.at > $2 and t.at <= $2 + t.span'
    end,
    case p_leaf ->> 'op'
      when 'within_next' then
        'case when t.at > $2 + t.span then t.at - t.span when t.at > $2 then t.at end'
      else 'case when t.at > $2 then t.at when t.at > $2 - t.span then t.at + t.span end'
    end,
    private.field_value_sql(v_field), v_at, v_for
  );
end
$function$
  comment: SQL of a leaf that compares a time of the profile with now.

CREATE OR REPLACE FUNCTION private.topic_sql(p_leaf jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    'select private.is_subscribed($1, ''email'', c.email, %L::uuid) = %L::boolean as holds,
       ''infinity''::timestamptz as until, null::jsonb as fact',
    p_leaf ->> 'topic', coalesce(p_leaf ->> 'subscribed', 'true')
  )
$function$
  comment: SQL of a leaf about a topic: whether the customer's address is subscribed.

CREATE OR REPLACE FUNCTION private.totals_start(p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- The first of the 400 days is shown as a whole day.
  select date_trunc('day', p_now - interval '400 days', 'UTC')
$function$
  comment: The time from which totals by hour and day are kept.

CREATE OR REPLACE FUNCTION private.touch_customers(p_entries private.ingest_entry[], p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A minute is exact enough, and skipping locked rows keeps this outside the order of locks.
  with due as (
    select distinct c.workspace_id, c.customer_id
    from unnest(p_entries) as c
    where not c.is_duplicate and c.refused_code is null and c.customer_id is not null
  ),
  free as (
    select p.workspace_id, p.id
    from public.customers as p
    join due as d on d.workspace_id = p.workspace_id and d.customer_id = p.id
    where p.last_seen_at < p_at - interval '1 minute'
    for no key update of p skip locked
  ),
  touched as (
    update public.customers as p
    set last_seen_at = p_at
    from free as f
    where p.workspace_id = f.workspace_id and p.id = f.id
    returning p.workspace_id, p.id
  )
  insert into private.signals (workspace_id, kind, customer_id)
  select t.workspace_id, 'seen', t.id
  from touched as t
  where exists (
    select from private.segment_parts as s
    where s.workspace_id = t.workspace_id and s.kind = 'field' and s.ref = 'last_seen_at'
  );
end
$function$
  comment: Sets last_seen_at of the customers of the batch where it is over a minute old, and notes it for segments that ask.

CREATE OR REPLACE FUNCTION private.try_message_now(p_workspace_id uuid, p_message_id uuid, p_destination_id uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_action text := format('try message "%s" now', p_message_id);
  v_states private.message_state[];
  v_disabled integer;
  v_destination public.destinations;
  v_ids uuid[] := '{}';
begin
  perform private.require_message(p_workspace_id, p_message_id);
  v_states := array(
    select s::private.message_state
    from private.read_message_states(p_workspace_id, p_message_id) as s
    where s.destination_id = coalesce(p_destination_id, s.destination_id)
      and s.state <> 'delivered'
  );
  for v_destination in
    select d.*
    from unnest(v_states) as s
    join public.destinations as d on d.workspace_id = p_workspace_id and d.id = s.destination_id
    where d.enabled
    order by d.id
  loop
    v_ids := v_ids || v_destination.id;
    -- An attempt that is in progress is the one that is asked for.
    if not exists (
      select from unnest(v_states) as s
      where s.destination_id = v_destination.id and s.is_in_progress
    ) then
      perform private.forget_missed(p_workspace_id, p_message_id, array[v_destination.id]);
      perform private.queue_again(v_destination, array[p_message_id], true, p_now);
      if not exists (
        select from private.webhook_queue as q
        where q.workspace_id = p_workspace_id and q.destination_id = v_destination.id
          and q.message_id = p_message_id
      ) then
        raise sqlstate 'SP409' using
          message = format('Cannot %s: it was erased or is no longer kept', v_action);
      end if;
    end if;
  end loop;
  if cardinality(v_ids) = 0 then
    select count(*) into v_disabled
    from unnest(v_states) as s
    join public.destinations as d on d.workspace_id = p_workspace_id and d.id = s.destination_id;
    raise sqlstate 'SP409' using message = format('Cannot %s: %s', v_action, case
      when v_disabled > 0 then 'its destination is disabled'
      else 'no destination waits for it'
    end);
  end if;
  delete from public.canceled_messages as c
  where c.workspace_id = p_workspace_id and c.destination_id = any (v_ids)
    and c.message_created_at = private.uuid_v7_time(p_message_id) and c.message_id = p_message_id;
  return v_ids;
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Sends a message at once to one destination or to all that did not receive it, also if it was given up, canceled or missed, or the circuit breaker is open; starts a new run of attempts. Returns the destinations. SP409 if there are none that are enabled.

CREATE OR REPLACE FUNCTION private.unlink_identity(p_step private.ingest_step, p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_customer_id uuid;
begin
  if p_step.last_i = p_step.i then
    delete from public.identities as d
    where d.workspace_id = p_step.workspace_id and d.id = p_step.other_identity_id;
    return;
  end if;
  -- A later entry of the batch uses it, and finds the customer that it would have created.
  insert into public.customers (workspace_id, created_at, updated_at, last_seen_at)
  values (p_step.workspace_id, p_at, p_at, p_at)
  returning id into v_customer_id;
  insert into private.usage_deltas (workspace_id, at, customers)
  values (p_step.workspace_id, p_at, 1);
  update public.identities as d
  set customer_id = v_customer_id
  where d.workspace_id = p_step.workspace_id and d.id = p_step.other_identity_id;
end
$function$
  comment: Takes back the anonymous id that a refused identify has led to its customer.

CREATE OR REPLACE FUNCTION private.update_campaign(p_workspace_id uuid, p_campaign_id uuid, p_changes jsonb, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Changes fields of a campaign: all of a draft or scheduled one, few later (SP409). Returns false if it does not exist.

CREATE OR REPLACE FUNCTION private.update_journey(p_workspace_id uuid, p_journey_id uuid, p_changes jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.change_journey(p_workspace_id, p_journey_id, p_changes);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Changes key, name, description or the draft of a journey; fields left out stay. Returns false if the journey does not exist.

CREATE OR REPLACE FUNCTION private.update_lane_health(p_tallies private.lane_tally[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_lane record;
begin
  for v_lane in
    select
      l.*, t.disable_reason, d as destination,
      l.failures = 0 as is_recovered,
      l.failures >= 10
        and l.last_failure_at - l.failing_since >= interval '12 hours'
        and greatest(l.last_success_at, l.enabled_at) <= p_now - interval '5 days' as is_hopeless
    from unnest(p_tallies) as t
    cross join lateral (
      select k.* from private.lanes as k
      where k.workspace_id = t.workspace_id and k.destination_id = t.destination_id
      limit 1
    ) as l
    join public.destinations as d on d.workspace_id = l.workspace_id and d.id = l.destination_id
    where l.is_enabled and (
      t.disable_reason is not null
      or (l.is_failing and l.failures = 0 and t.succeeded_at is not null)
      or (l.failures >= 5 and t.failures > 0)
    )
  loop
    if v_lane.is_recovered and v_lane.is_failing then
      update private.lanes as l set is_failing = false
      where l.workspace_id = v_lane.workspace_id and l.destination_id = v_lane.destination_id;
      perform private.announce_destination(v_lane.destination, 'destination.recovered', null, p_now);
    end if;
    if v_lane.disable_reason is not null then
      perform private.disable_destination(
        v_lane.workspace_id, v_lane.destination_id, v_lane.disable_reason, p_now
      );
    elsif v_lane.is_hopeless then
      perform private.disable_destination(
        v_lane.workspace_id, v_lane.destination_id, 'No success for 5 days', p_now
      );
    elsif v_lane.failures >= 5 and not v_lane.is_failing
      and p_now - v_lane.failing_since >= interval '5 minutes'
    then
      update private.lanes as l set is_failing = true
      where l.workspace_id = v_lane.workspace_id and l.destination_id = v_lane.destination_id;
      perform private.announce_destination(
        v_lane.destination, 'destination.failing', v_lane.last_error, p_now
      );
    end if;
  end loop;
end
$function$
  comment: Announces once that a destination is failing (5 failures over 5 minutes) or has recovered, and disables one that is gone or hopeless: no success for 5 days, and 10 failures or more over 12 hours.

CREATE OR REPLACE FUNCTION private.update_lanes(p_tallies private.lane_tally[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.lanes as l
  set
    in_flight = l.in_flight - t.finished,
    due_at = least(l.due_at, t.due_at),
    manual_due_at = least(l.manual_due_at, t.manual_due_at),
    last_success_at = greatest(l.last_success_at, t.succeeded_at),
    last_failure_at = greatest(l.last_failure_at, t.last_failed_at),
    last_error = coalesce(t.last_error, l.last_error),
    ahead = case when t.response_ms is null then 0 else least(24, floor(250 / greatest(t.response_ms, 1))) end,
    failures = n.failures,
    failing_since = case
      when n.failures = 0 then null
      when t.succeeded_at is not null then t.failed_at
      else coalesce(l.failing_since, t.failed_at)
    end,
    probes = case
      when n.trips then 1
      when n.recovers and l.probes * 2 < l.max_concurrency then l.probes * 2
      when n.recovers then null
      else l.probes
    end,
    open_until = case
      when n.trips then p_now + least(interval '5 minutes', interval '30 seconds' * power(2, least(l.trips, 10)))
      when n.recovers then null
      else l.open_until
    end,
    trips = case when n.trips then l.trips + 1 when n.recovers then 0 else l.trips end
  from unnest(p_tallies) as t
  cross join lateral (
    select k.*, k.ctid as row_id
    from private.lanes as k
    where k.workspace_id = t.workspace_id and k.destination_id = t.destination_id
    for update
  ) as o
  cross join lateral (
    select
      f.failures,
      t.succeeded_at is not null and t.failures = 0 and o.probes is not null as recovers,
      -- While it is open, only earlier requests end, and they change nothing.
      t.failures > 0
        and case
            when o.probes is null then f.failures >= 10
            -- After a successful probe the circuit is half open and has no such time.
            else coalesce(o.open_until <= p_now, true)
          end as trips
    from (
      select case when t.succeeded_at is null then o.failures else 0 end + t.failures as failures
    ) as f
  ) as n
  where l.ctid = o.row_id;
end
$function$
  comment: Records results on their lanes and updates the circuit breaker: 10 failures in a row open it for 30 s, doubling up to 5 minutes; then one probe, and twice as many after each success.

CREATE OR REPLACE FUNCTION private.update_segment(p_workspace_id uuid, p_segment_id uuid, p_changes jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  return private.change_segment(p_workspace_id, p_segment_id, p_changes);
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Changes key, name, description or condition of a segment; fields left out stay. A new condition is computed by a job. Returns false if the segment does not exist.

CREATE OR REPLACE FUNCTION private.update_send_lanes(p_tallies private.send_tally[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.send_lanes as l
  set
    in_flight = l.in_flight - t.finished,
    due_at = least(l.due_at, t.due_at),
    last_success_at = greatest(l.last_success_at, t.succeeded_at),
    last_failure_at = greatest(l.last_failure_at, t.last_failed_at),
    last_error = coalesce(t.last_error, l.last_error),
    paused_until = greatest(l.paused_until, t.paused_until),
    ahead = case when t.response_ms is null then 0 else least(24, floor(250 / greatest(t.response_ms, 1))) end,
    rate_from = case when n.is_new_window then p_now else l.rate_from end,
    rate_count = case when n.is_new_window then 0 else l.rate_count end + t.handed,
    rate_reached = case
      when not n.is_new_window then l.rate_reached
      -- A window without anything between two others means zero.
      when l.rate_from > p_now - interval '20 seconds'
      then l.rate_count / greatest(extract(epoch from p_now - l.rate_from), 10)
      else 0
    end,
    failures = n.failures,
    failing_since = case
      when n.failures = 0 then null
      when t.succeeded_at is not null then t.failed_at
      else coalesce(l.failing_since, t.failed_at)
    end,
    probes = case
      when n.trips then 1
      when n.recovers and l.probes * 2 < l.max_concurrency then l.probes * 2
      when n.recovers then null
      else l.probes
    end,
    open_until = case
      when n.trips then p_now + least(interval '5 minutes', interval '30 seconds' * power(2, least(l.trips, 10)))
      when n.recovers then null
      else l.open_until
    end,
    trips = case when n.trips then l.trips + 1 when n.recovers then 0 else l.trips end
  from unnest(p_tallies) as t
  cross join lateral (
    select k.*, k.ctid as row_id
    from private.send_lanes as k
    where k.workspace_id = t.workspace_id and k.sender_id = t.sender_id
    for update
  ) as o
  cross join lateral (
    select
      f.failures,
      o.rate_from <= p_now - interval '10 seconds' as is_new_window,
      t.succeeded_at is not null and t.failures = 0 and o.probes is not null as recovers,
      -- While it is open, only earlier attempts end, and they change nothing.
      t.failures > 0
        and case
            when o.probes is null then f.failures >= 10
            -- After a successful probe the circuit is half open and has no such time.
            else coalesce(o.open_until <= p_now, true)
          end as trips
    from (
      select case when t.succeeded_at is null then o.failures else 0 end + t.failures as failures
    ) as f
  ) as n
  where l.ctid = o.row_id;
end
$function$
  comment: Records results on their lanes and updates the circuit breaker: 10 failures of the sender in a row open it for 30 s, doubling up to 5 minutes; then one probe, and twice as many after each success.

CREATE OR REPLACE FUNCTION private.update_sender_health(p_tallies private.send_tally[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_lane record;
begin
  for v_lane in
    select l.*, o as sender, l.failures = 0 as is_recovered
    from unnest(p_tallies) as t
    cross join lateral (
      select k.* from private.send_lanes as k
      where k.workspace_id = t.workspace_id and k.sender_id = t.sender_id
      limit 1
    ) as l
    join public.senders as o on o.workspace_id = l.workspace_id and o.id = l.sender_id
    where (l.is_failing and l.failures = 0 and t.succeeded_at is not null)
      or (
        not l.is_failing and l.failures >= 5 and t.failures > 0
        and p_now - l.failing_since >= interval '5 minutes'
      )
  loop
    update private.send_lanes as l set is_failing = not v_lane.is_recovered
    where l.workspace_id = v_lane.workspace_id and l.sender_id = v_lane.sender_id;
    perform private.announce_sender(
      v_lane.sender,
      case when v_lane.is_recovered then 'sender.recovered' else 'sender.failing' end,
      case when not v_lane.is_recovered then v_lane.last_error end, p_now
    );
  end loop;
end
$function$
  comment: Announces once that a sender is failing (5 failures over 5 minutes), or has recovered.

CREATE OR REPLACE FUNCTION private.user_directory(p_user_id uuid)
 RETURNS TABLE(workspace_id uuid, cell text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.workspace_id, d.cell from private.directory as d where d.user_id = p_user_id
$function$
  grant execute on function to signalpost_key
  comment: The workspaces of a user that live in other cells. Returns rows in the first cell only, which has the directory.

CREATE OR REPLACE FUNCTION private.user_memberships(p_user_id uuid)
 RETURNS TABLE(workspace_id uuid, role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.workspace_id, m.role
  from public.workspace_members as m
  where m.user_id = p_user_id
  order by m.created_at, m.workspace_id
$function$
  grant execute on function to signalpost_key
  comment: The workspaces of a user with the role in each, the oldest membership first.

CREATE OR REPLACE FUNCTION private.uuid_v7(p_at timestamp with time zone DEFAULT clock_timestamp(), p_sequence integer DEFAULT NULL::integer)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- 48 bits of milliseconds, version 7, 12 bits of sequence or random, variant, 62 random bits.
  select encode(
    substring(int8send(floor(extract(epoch from p_at) * 1000)::bigint) from 3)
      || int2send((28672 + coalesce(p_sequence % 4096, (random() * 4095)::integer))::smallint)
      || substring(uuid_send(gen_random_uuid()) from 9),
    'hex'
  )::uuid
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: A version 7 UUID of the given moment. Ids of one moment sort by p_sequence (0 to 4095).

CREATE OR REPLACE FUNCTION private.uuid_v7_time(p_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select to_timestamp(
    ('x' || lpad(left(replace(p_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0
  )
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: The millisecond in which a version 7 UUID was created: the attempted_at of a delivery, hence its partition.

CREATE OR REPLACE FUNCTION private.variant_bounds(p_campaign public.campaigns)
 RETURNS double precision[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(w.upper / w.total order by w.position) filter (where w.position < w.count), '{}')
  from (
    select
      v.ordinality as position, count(*) over () as count,
      sum((v.value ->> 'weight')::double precision) over (order by v.ordinality) as upper,
      sum((v.value ->> 'weight')::double precision) over () as total
    from jsonb_array_elements(p_campaign.variants) with ordinality as v
  ) as w
$function$
  comment: The bounds between the parts of the variants, each from 0 to 1.

CREATE OR REPLACE FUNCTION private.vault_problem()
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_problem text;
begin
  if to_regclass('vault.decrypted_secrets') is null then
    v_problem := private.create_extension('supabase_vault');
  end if;
  if to_regclass('vault.decrypted_secrets') is null then
    return coalesce(v_problem, 'it has no view vault.decrypted_secrets');
  end if;
  perform vault.create_secret('a test', 'signalpost_test');
  perform s.decrypted_secret from vault.decrypted_secrets as s where s.name = 'signalpost_test';
  -- Undoes the test.
  raise sqlstate 'SP000';
exception
  when sqlstate 'SP000' then
    return null;
  when others then
    return sqlerrm;
end
$function$
  comment: Reason why Vault cannot keep a secret, for instance because the server has no key for it; null when it can.

CREATE OR REPLACE FUNCTION private.wake_automation_if_due(p_now timestamp with time zone DEFAULT clock_timestamp(), p_is_ending boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_next timestamptz := private.next_run_at(p_now);
begin
  return private.pass_on_work(
    'automation', coalesce(v_next <= p_now, false), coalesce(v_next < p_now - interval '2 seconds', false),
    p_is_ending
  );
end
$function$
  grant execute on function to signalpost_automation
  comment: Wakes automation when there is work for it now; returns whether there is. p_is_ending: the caller is a run that stops looking for work.

CREATE OR REPLACE FUNCTION private.wake_dispatcher()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  -- Skips slots that another transaction has locked, so nobody waits here.
  update private.dispatch_wakes as w
  set notified_at = clock_timestamp()
  where w.slot = (
    select f.slot
    from private.dispatch_wakes as f
    where f.notified_at <= clock_timestamp() - interval '10 milliseconds'
    limit 1
    for update skip locked
  );
  if found then
    perform private.send_wake();
  end if;
  return found;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Wakes a dispatcher unless that was done three times within the last 10 ms; returns whether it did.

CREATE OR REPLACE FUNCTION private.wake_folder()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Skips slots that another transaction has locked, so nobody waits here.
  update private.fold_wakes as w
  set notified_at = clock_timestamp()
  where w.slot = (
    select f.slot
    from private.fold_wakes as f
    where f.heard_until > clock_timestamp() and f.notified_at <= clock_timestamp() - interval '10 milliseconds'
    limit 1
    for update skip locked
  );
  if found then
    perform pg_notify('segments', '');
  end if;
end
$function$
  comment: Wakes at commit who listens for signals, unless that was done three times within the last 10 ms.

CREATE OR REPLACE FUNCTION private.wake_if_due(p_now timestamp with time zone DEFAULT clock_timestamp(), p_is_ending boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  if p_is_ending then
    update private.dispatch_state as s set watched_until = '-infinity';
  end if;
  if private.next_ready_at(p_now) <= p_now then
    perform private.send_wake(
      -- Work that waits this long means that the running dispatcher is behind: one more helps.
      p_is_ending or exists (
        select from private.lanes as l
        where l.is_waiting and l.ready_at < p_now - interval '2 seconds'
      )
    );
    return true;
  end if;
  return false;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Wakes a dispatcher when there is work for one now; returns whether there is. p_is_ending: the caller is a dispatcher that stops looking for work.

CREATE OR REPLACE FUNCTION private.wake_runs(p_workspace_id uuid, p_run_ids uuid[], p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_due jsonb;
begin
  with locked as materialized (
    select r.id
    from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.id = any (p_run_ids) and r.state = 'active'
    order by r.id
    for update
  ),
  woken as (
    update public.journey_runs as r
    set due_at = least(r.due_at, p_now), wakes = r.wakes + 1
    from locked as l
    where r.workspace_id = p_workspace_id and r.id = l.id
    returning r.journey_id
  )
  select jsonb_agg(jsonb_build_array(w.journey_id, p_now)) into v_due from woken as w;
  perform private.announce_runs(p_workspace_id, v_due, p_now);
  return coalesce(jsonb_array_length(v_due), 0);
end
$function$
  comment: Makes a worker look at runs now; one that holds them meanwhile looks again. Returns how many are active.

CREATE OR REPLACE FUNCTION private.wake_sends_if_due(p_now timestamp with time zone DEFAULT clock_timestamp(), p_is_ending boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
begin
  return private.pass_on_work(
    'send-dispatch',
    coalesce(private.next_send_at(p_now) <= p_now, false),
    exists (
      select from private.send_lanes as l
      where l.is_waiting and l.ready_at < p_now - interval '2 seconds'
    ),
    p_is_ending
  );
end
$function$
  grant execute on function to signalpost_send
  comment: Wakes send-dispatch when there is work for it now; returns whether there is. p_is_ending: the caller is a run that stops looking for work.

CREATE OR REPLACE FUNCTION private.wake_worker(p_worker text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Skips slots that another transaction has locked, so nobody waits here.
  update private.work_wakes as w
  set notified_at = clock_timestamp()
  where w.worker = p_worker and w.slot = (
    select f.slot
    from private.work_wakes as f
    where f.worker = p_worker and f.notified_at <= clock_timestamp() - interval '10 milliseconds'
    limit 1
    for update skip locked
  );
  if found then
    perform private.send_worker_wake(p_worker);
  end if;
  return found;
end
$function$
  comment: Wakes a function of private.work_wakes unless that was done three times within the last 10 ms; returns whether it did.

CREATE OR REPLACE FUNCTION private.watch_queue(p_for interval)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  update private.dispatch_state as s
  set watched_until = clock_timestamp() + p_for
  where s.watched_until < clock_timestamp() + p_for
$function$
  grant execute on function to signalpost_dispatch
  comment: Notes that a dispatcher looks for work itself for this long and once more a second later, so nobody needs to call one.

CREATE OR REPLACE FUNCTION private.watch_runs(p_for interval)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select private.watch_work('automation', p_for)
$function$
  grant execute on function to signalpost_automation
  comment: Notes that a run of automation looks for work itself for this long: see private.watch_work.

CREATE OR REPLACE FUNCTION private.watch_sends(p_for interval)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select private.watch_work('send-dispatch', p_for)
$function$
  grant execute on function to signalpost_send
  comment: Notes that a run of send-dispatch looks for work itself for this long: see private.watch_work.

CREATE OR REPLACE FUNCTION private.watch_work(p_worker text, p_for interval)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.work_wakes as w
  set watched_until = clock_timestamp() + p_for
  where w.worker = p_worker and w.slot = 1 and w.watched_until < clock_timestamp() + p_for
$function$
  comment: Notes that a run of a function looks for work itself for this long and once more a second later, so nobody needs to call one.

CREATE OR REPLACE FUNCTION private.weigh_soft_bounces(p_workspace_id uuid, p_addresses text[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address record;
begin
  for v_address in
    select h.hash, min(h.address) as address
    from (
      select a.address, private.address_hash(p_workspace_id, 'email', a.address) as hash
      from unnest(p_addresses) as a (address)
    ) as h
    where h.hash is not null
    group by h.hash
    order by h.hash
  loop
    -- Two bounces at once would each count without the other.
    perform pg_advisory_xact_lock(hashtextextended(encode(v_address.hash, 'hex'), 8));
    if private.count_soft_bounces(p_workspace_id, v_address.hash, p_now) >= 3 then
      perform private.suppress(p_workspace_id, jsonb_build_array(jsonb_build_object(
        'email', v_address.address, 'reason', 'soft_bounces', 'source', 'feedback',
        'until', p_now + interval '30 days'
      )), p_now);
    end if;
    -- A delivery may be reported after the bounces that it came between.
    delete from public.suppressions as s
    where s.workspace_id = p_workspace_id and s.channel = 'email'
      and s.address_hash = v_address.hash and s.reason = 'soft_bounces'
      and private.count_soft_bounces(p_workspace_id, v_address.hash, s.created_at) < 3;
  end loop;
end
$function$
  comment: Suppresses addresses for 30 days after three soft bounces in 7 days without a delivery in between, and lifts that if a delivery was reported late.

CREATE OR REPLACE FUNCTION private.welcome_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
begin
  -- Anonymous sign-ins and phone numbers have no address, hence no workspace.
  if coalesce(new.email, '') = ''
    -- Users sign up in the first cell; other cells have copies of their accounts.
    or private.cell_name() <> '00'
    or (tg_op = 'UPDATE' and old.email_confirmed_at is not null and coalesce(old.email, '') <> '')
    or exists (select from public.workspace_members as m where m.user_id = new.id)
  then
    return null;
  end if;
  insert into public.workspaces (name, created_by)
  values (left(split_part(new.email, '@', 1), 150) || '''s workspace', new.id)
  returning id into v_id;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_id, new.id, 'owner');
  return null;
end
$function$
  comment: Gives a new user a first workspace once the address is confirmed. Invitations change nothing before they are accepted.

CREATE OR REPLACE FUNCTION private.where_sql(p_conditions jsonb, p_properties text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select coalesce(string_agg(private.require_sql(
      private.operator_sql(
        w ->> 'op', w -> 'value', private.path_sql(p_properties, w ->> 'property')
      ),
      format('Unknown operator "%s" in where', w ->> 'op')
    ), ' and '), 'true')
    from jsonb_array_elements(p_conditions) as w
  );
end
$function$
  comment: SQL of the conditions that an event's properties must fulfil, all of them.

CREATE OR REPLACE FUNCTION private.window_sql(p_leaf jsonb, p_at text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select concat_ws(
    ' and ', 'true',
    case when p_leaf ? 'within' then
      format('%s > $2 - %L::interval', p_at, private.read_duration(p_leaf ->> 'within'))
    end,
    case when p_leaf ? 'since' then
      format('%s >= %L::timestamptz', p_at, private.read_time(p_leaf -> 'since'))
    end,
    case when p_leaf ? 'until' then
      format('%s < %L::timestamptz', p_at, private.read_time(p_leaf -> 'until'))
    end
  )
$function$
  comment: SQL that is true when a time is within the window of an event leaf.

CREATE OR REPLACE FUNCTION private.work_audience(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_job private.campaign_jobs := p_job;
  v_obstacle text := private.campaign_obstacle(p_campaign);
  v_limit bigint := private.confirm_above(p_campaign.workspace_id);
  v_recipients bigint;
begin
  if v_obstacle is not null then
    perform private.halt_by_service(
      p_campaign, case v_obstacle when 'segment_deleted' then 'cancelled' else 'paused' end,
      v_obstacle, private.obstacle_text(v_obstacle), p_now
    );
    return;
  elsif not private.is_computed(p_campaign) then
    update private.campaign_jobs as j set due_at = p_now + interval '1 second'
    where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
    return;
  end if;
  if v_job.base_at is null then
    v_job := private.begin_audience(p_campaign);
  end if;
  if not private.freeze_page(p_campaign, v_job, 10000) then
    update private.campaign_jobs as j set due_at = p_now
    where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
    return;
  end if;
  perform private.fold_counts_of(p_campaign.workspace_id, p_campaign.id);
  v_recipients := private.campaign_count(p_campaign, 'recipients');
  update public.campaigns as c set recipients = v_recipients, updated_at = p_now
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id;
  update private.campaign_jobs as j set phase = 'feed', due_at = p_now
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
  -- The audience has grown since somebody agreed to its number.
  if v_recipients > v_limit and v_recipients > 1.1 * coalesce(p_campaign.confirmed, 0) then
    perform private.halt_by_service(p_campaign, 'paused', 'confirmation', format(
      '%s recipients are over %s: the call that resumes must have the number', v_recipients, v_limit
    ), p_now);
  end if;
end
$function$
  comment: Fixes a page of the audience of a campaign; after the last, recipients become sends, or the campaign is paused for their number.

CREATE OR REPLACE FUNCTION private.work_campaign(p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
begin
  if p_job.phase in ('expire', 'cleanup') then
    perform private.work_deleting(p_job, p_now, 20000);
    return;
  end if;
  select c.* into v_campaign
  from public.campaigns as c
  where c.workspace_id = p_job.workspace_id and c.id = p_job.campaign_id
  for no key update;
  if v_campaign.state = 'scheduled' then
    update public.campaigns as c set state = 'sending', started_at = p_now, updated_at = p_now
    where c.workspace_id = v_campaign.workspace_id and c.id = v_campaign.id
    returning c.* into v_campaign;
  end if;
  case p_job.phase
    when 'audience' then perform private.work_audience(v_campaign, p_job, p_now);
    when 'feed' then perform private.work_sending(v_campaign, p_job, p_now);
    when 'cancel' then perform private.work_cancelling(v_campaign, p_job, p_now, 20000);
  end case;
end
$function$
  comment: One step of the work on a campaign whose job the caller has locked.

CREATE OR REPLACE FUNCTION private.work_campaigns(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  v_job private.campaign_jobs;
begin
  select j.* into v_job
  from private.campaign_jobs as j
  where j.due_at <= p_now
  order by j.due_at
  limit 1
  for update skip locked;
  if not found then
    return 0;
  end if;
  begin
    perform private.work_campaign(v_job, p_now);
  exception when others then
    -- One campaign must not hold up the others.
    raise warning 'Cannot continue with campaign "%": %', v_job.campaign_id, sqlerrm;
    update private.campaign_jobs as j
    set last_error = sqlerrm, due_at = p_now + interval '5 seconds'
    where j.workspace_id = v_job.workspace_id and j.campaign_id = v_job.campaign_id;
  end;
  return 1;
end
$function$
  comment: Does one step of the campaign that has been due the longest; returns 0 when none is due.

CREATE OR REPLACE FUNCTION private.work_cancelling(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone, p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_rows integer;
begin
  with left_over as materialized (
    select r.customer_id
    from private.campaign_recipients as r
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
      and r.state = 'pending'
    order by r.due_at, r.customer_id
    limit p_limit
    for update
  ),
  skipped as (
    update private.campaign_recipients as r set state = 'skipped', reason = 'cancelled'
    from left_over as l
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
      and r.customer_id = l.customer_id
    returning r.variant
  )
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select
    p_campaign.workspace_id, p_campaign.id,
    coalesce(
      s.variant, p_campaign.winner_variant, case when p_campaign.variants <> '[]' then -1 else 0 end
    ),
    'skipped:cancelled', count(*)
  from skipped as s
  group by 3;
  v_rows := (
    select count(*)
    from (
      select from private.campaign_recipients as r
      where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
        and r.state = 'pending'
      limit 1
    ) as r
  );
  if v_rows = 0 then
    -- Also when it was cancelled before the audience was whole.
    update public.campaigns as c set recipients = private.campaign_count(p_campaign, 'recipients')
    where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id and c.started_at is not null;
  end if;
  update private.campaign_jobs as j
  set
    phase = case when v_rows = 0 then 'expire' else j.phase end,
    due_at = case when v_rows = 0 then p_now + interval '90 days' else p_now end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$function$
  comment: Skips up to p_limit recipients of a cancelled campaign that still wait.

CREATE OR REPLACE FUNCTION private.work_deleting(p_job private.campaign_jobs, p_now timestamp with time zone, p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_rows integer;
begin
  delete from private.campaign_recipients as r
  where r.workspace_id = p_job.workspace_id and r.campaign_id = p_job.campaign_id and r.ctid = any (array(
    select s.ctid from private.campaign_recipients as s
    where s.workspace_id = p_job.workspace_id and s.campaign_id = p_job.campaign_id limit p_limit
  ));
  get diagnostics v_rows = row_count;
  if v_rows = p_limit then
    update private.campaign_jobs as j set due_at = p_now
    where j.workspace_id = p_job.workspace_id and j.campaign_id = p_job.campaign_id;
    return;
  end if;
  delete from private.campaign_jobs as j
  where j.workspace_id = p_job.workspace_id and j.campaign_id = p_job.campaign_id;
  if p_job.phase = 'cleanup' then
    delete from private.campaign_counts as c
    where c.workspace_id = p_job.workspace_id and c.campaign_id = p_job.campaign_id;
  end if;
end
$function$
  comment: Deletes up to p_limit recipients of a campaign that ended long ago or was deleted; ends the job after the last.

CREATE OR REPLACE FUNCTION private.work_erasure(p_erasure private.erasures, p_limit integer, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_function text := (
    select s.function_name from private.erasure_steps as s where s.step = p_erasure.step
  );
  v_progress private.erasure_progress;
begin
  execute format('select * from %s($1, $2, $3)', v_function)
  into v_progress using p_erasure, p_limit, p_now;
  if v_progress.is_finished then
    perform private.finish_erasure_step(p_erasure, p_now);
  elsif not v_progress.is_finished then
    update private.erasures as e
    set
      cursor = coalesce(v_progress.cursor, e.cursor),
      due_at = coalesce(v_progress.due_at, p_now)
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  end if;
  return greatest(1, v_progress.rows);
end
$function$
  comment: Works one batch of an erasure, and puts it behind all others of its workspace that are due; returns how many rows, at least 1.

CREATE OR REPLACE FUNCTION private.work_erasures(p_limit integer DEFAULT 5000, p_now timestamp with time zone DEFAULT clock_timestamp(), p_until timestamp with time zone DEFAULT 'infinity'::timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_workspace_id uuid;
  v_count integer := 0;
begin
  -- Two at once would look for the same keys.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.erasures', 0)) then
    return 0;
  end if;
  -- In random order, so that no workspace is always the last when time is short.
  for v_workspace_id in
    select e.workspace_id
    from private.erasures as e
    where e.due_at <= p_now
    group by e.workspace_id
    order by random()
  loop
    exit when v_count > 0 and clock_timestamp() >= p_until;
    v_count := v_count + private.work_workspace(v_workspace_id, p_limit, p_now);
  end loop;
  return v_count;
end
$function$
  comment: Works on p_limit rows of each workspace with an erasure that is due, until p_until; returns how many rows, 0 when nothing is due.

CREATE OR REPLACE FUNCTION private.work_fan_outs(p_limit integer DEFAULT 5000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_workspace_id uuid := private.next_fan_out();
  v_count integer;
begin
  -- One worker per workspace at a time: two would change the order of its messages.
  if v_workspace_id is null
    or not pg_try_advisory_xact_lock(hashtextextended(v_workspace_id::text, 8))
  then
    return 0;
  end if;
  with next as materialized (
    select f.message_id, f.rows_before
    from (
      select
        o.message_id,
        sum(cardinality(o.destination_ids) + cardinality(o.missed_ids)) over (
          order by o.message_id rows between unbounded preceding and 1 preceding
        ) as rows_before
      from (
        select * from private.fan_outs as n
        where n.workspace_id = v_workspace_id
        order by n.message_id
        limit p_limit
      ) as o
    ) as f
    where coalesce(f.rows_before, 0) < p_limit
  ),
  taken as (
    delete from private.fan_outs as f
    using next as n
    where f.workspace_id = v_workspace_id and f.message_id = n.message_id
    returning f.message_id, f.message_created_at, f.destination_ids, f.missed_ids
  ),
  missed as (
    insert into public.missed_messages (workspace_id, destination_id, message_id, message_created_at)
    select d.workspace_id, d.id, t.message_id, t.message_created_at
    from taken as t
    join public.destinations as d on d.workspace_id = v_workspace_id and d.id = any (t.missed_ids)
    on conflict do nothing
  ),
  queued as (
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at
    )
    select d.workspace_id, d.id, t.message_id, t.message_created_at, t.message_created_at
    from taken as t
    join public.destinations as d on d.workspace_id = v_workspace_id and d.id = any (t.destination_ids)
    order by t.message_id
    on conflict do nothing
  )
  select count(*) into v_count from taken;
  return v_count;
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Queues the oldest messages that a workspace has in private.fan_outs, about p_limit rows; returns how many messages, 0 when none is left or another dispatcher works on them. Leaves out destinations that were deleted meanwhile.

CREATE OR REPLACE FUNCTION private.work_job(p_workspace_id uuid, p_job_id uuid, p_limit integer DEFAULT 1000, p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_job public.jobs;
  v_destination public.destinations;
  v_message_ids uuid[];
  v_examined integer;
  v_is_over boolean;
begin
  select * into v_job
  from public.jobs as j
  where j.workspace_id = p_workspace_id and j.id = p_job_id and j.finished_at is null
  for update skip locked;
  if not found then
    return 0;
  end if;

  if v_job.kind in ('recover', 'discard') then
    with recovered as (
      delete from public.missed_messages as m
      using (
        select o.message_created_at, o.message_id
        from public.missed_messages as o
        where o.workspace_id = v_job.workspace_id and o.destination_id = v_job.destination_id
          and o.message_created_at >= v_job.since and o.message_created_at < v_job.until
        order by o.message_created_at, o.message_id
        limit p_limit
      ) as o
      where m.workspace_id = v_job.workspace_id and m.destination_id = v_job.destination_id
        and m.message_created_at = o.message_created_at and m.message_id = o.message_id
      returning m.message_id
    )
    select coalesce(array_agg(r.message_id), '{}'), count(*) into v_message_ids, v_examined
    from recovered as r;
  else
    select
      f.message_ids, f.attempts,
      coalesce(f.cursor_at, v_job.cursor_at), coalesce(f.cursor_id, v_job.cursor_id)
    into v_message_ids, v_examined, v_job.cursor_at, v_job.cursor_id
    from private.failed_messages(v_job, p_limit) as f;
  end if;

  select * into v_destination from public.destinations as d
  where d.workspace_id = v_job.workspace_id and d.id = v_job.destination_id;
  -- Missed messages may still wait in a fan-out.
  v_is_over := v_examined < p_limit and not (v_job.kind <> 'replay' and exists (
    select from private.fan_outs as f
    where f.workspace_id = v_job.workspace_id and f.message_created_at < v_job.until
  ));
  if v_job.kind = 'discard' then
    perform private.note_canceled(v_job, v_message_ids, p_now);
  else
    perform private.queue_again(v_destination, v_message_ids, false, p_now);
  end if;
  update public.jobs as j
  set
    done = j.done + cardinality(v_message_ids),
    -- A replay may cover more messages than were counted at its start.
    total = greatest(j.total, j.done + cardinality(v_message_ids)),
    cursor_at = v_job.cursor_at,
    cursor_id = v_job.cursor_id,
    state = case when v_is_over then 'done' else 'running' end,
    finished_at = case when v_is_over then p_now end
  where j.workspace_id = v_job.workspace_id and j.id = v_job.id;
  return cardinality(v_message_ids);
end
$function$
  grant execute on function to signalpost_dispatch
  comment: Works one batch of a job, up to p_limit missed messages or failed attempts; returns how many messages it queued or discarded, 0 also where another dispatcher is at it.

CREATE OR REPLACE FUNCTION private.work_journey_job(p_job private.journey_jobs, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[];
  v_next uuid;
begin
  if p_job.kind = 'include' then
    v_next := private.include_members(p_job, 500, p_now);
  elsif p_job.kind = 'dates' then
    v_next := private.include_dates(p_job, 1000, p_now);
  elsif p_job.kind = 'pass_by' then
    v_next := private.pass_by_runs(p_job, 5000, p_now);
  elsif p_job.kind = 'stop' then
    v_ids := private.next_runs(p_job, 1000);
    perform private.end_runs(p_job.workspace_id, v_ids, 'stopped', p_now);
    v_next := case when cardinality(v_ids) = 1000 then v_ids[1000] end;
  end if;
  if v_next is null then
    delete from private.journey_jobs as j where j.workspace_id = p_job.workspace_id and j.id = p_job.id;
  else
    update private.journey_jobs as j
    set
      cursor = v_next,
      -- Throttled: members enter beside those whom events bring.
      due_at = case when p_job.kind = 'include' then p_now + interval '1 second' else p_now end
    where j.workspace_id = p_job.workspace_id and j.id = p_job.id;
  end if;
end
$function$
  comment: Works one step of a job in SQL, and deletes the job after the last.

CREATE OR REPLACE FUNCTION private.work_journey_jobs(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_job private.journey_jobs;
begin
  select j.* into v_job
  from private.journey_jobs as j
  where j.due_at <= p_now and j.kind <> 'move'
  order by j.due_at, j.id
  limit 1
  for update skip locked;
  if not found then
    return 0;
  end if;
  perform private.work_journey_job(v_job, p_now);
  return 1;
end
$function$
  grant execute on function to signalpost_automation
  comment: Works one step of a job that is due; returns 0 when there is none.

CREATE OR REPLACE FUNCTION private.work_segment_job(p_workspace_id uuid, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_job private.segment_jobs;
  v_feature private.features;
begin
  select j.* into v_job from private.segment_jobs as j
  where j.workspace_id = p_workspace_id order by j.worked_at, j.segment_id limit 1;
  if not found then
    return private.delete_dropped_state(p_workspace_id, 20000);
  end if;
  update private.segment_jobs as j set worked_at = clock_timestamp()
  where j.workspace_id = p_workspace_id and j.segment_id = v_job.segment_id;
  if v_job.phase = 'features' then
    select f.* into v_feature
    from private.segment_parts as p
    join private.features as f on f.workspace_id = p.workspace_id and f.id::text = p.ref
    where p.workspace_id = p_workspace_id and p.segment_id = v_job.segment_id and p.kind = 'feature'
      and f.state = 'building'
    order by f.id
    limit 1;
    if found then
      perform private.build_feature(v_feature, 50000);
    else
      update private.segment_jobs as j set phase = 'customers', total = (
        select count(*) from public.customers as c where c.workspace_id = p_workspace_id
      )
      where j.workspace_id = p_workspace_id and j.segment_id = v_job.segment_id;
    end if;
  elsif v_job.phase = 'customers' then
    perform private.compare_page(v_job, p_now, 5000);
  else
    perform private.clean_up(v_job, 20000);
  end if;
  return 1;
end
$function$
  comment: Works one step of the job of a workspace that has waited the longest; returns 0 when there is none.

CREATE OR REPLACE FUNCTION private.work_sending(p_campaign public.campaigns, p_job private.campaign_jobs, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns := p_campaign;
  v_obstacle text := private.campaign_obstacle(p_campaign);
  v_fed integer;
  v_next timestamptz;
begin
  if not p_job.is_announced then
    perform private.announce_campaign(p_campaign, p_now);
  end if;
  perform private.fold_counts_of(p_campaign.workspace_id, p_campaign.id);
  if v_obstacle is not null then
    perform private.halt_by_service(
      p_campaign, 'paused', v_obstacle, private.obstacle_text(v_obstacle), p_now
    );
    return;
  elsif private.stop_for_complaints(p_campaign, p_job, p_now) then
    return;
  end if;
  v_campaign := private.choose_winner(p_campaign, p_job, p_now);
  v_fed := private.feed_campaign(v_campaign, p_job, p_now);
  if private.count_handled(v_campaign) >= v_campaign.recipients then
    perform private.complete_campaign(v_campaign, p_now);
    return;
  end if;
  v_next := private.next_step_at(v_campaign, p_now);
  update private.campaign_jobs as j
  set due_at = case when v_fed = 2000 then p_now else v_next end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$function$
  comment: One step of a campaign that is sending: checks complaints, chooses the winner, makes sends, and completes it when every recipient has an outcome.

CREATE OR REPLACE FUNCTION private.work_workspace(p_workspace_id uuid, p_limit integer, p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_erasure private.erasures;
  v_id uuid := (
    select e.id
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.due_at <= p_now
    order by e.due_at, e.id
    limit 1
  );
  v_count integer := 0;
begin
  while v_count < p_limit loop
    select * into v_erasure
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.id = v_id and e.due_at <= p_now;
    exit when not found;
    begin
      v_count := v_count + private.work_erasure(v_erasure, p_limit - v_count, p_now);
    exception when others then
      -- An erasure that fails must not hold up the next ones.
      raise warning 'Cannot continue with erasure "%": %', v_id, sqlerrm;
      update private.erasures as e set due_at = p_now + interval '1 minute'
      where e.workspace_id = p_workspace_id and e.id = v_id;
      v_count := v_count + 1;
    end;
  end loop;
  return v_count;
end
$function$
  comment: Works on the erasure of a workspace that has been due the longest, step after step, until it has to wait or p_limit rows are done; returns how many.

CREATE OR REPLACE FUNCTION private.workspace_lock(p_workspace_id uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select hashtextextended(p_workspace_id::text, 7)
$function$
  comment: The advisory lock of a workspace: shared by ingest, exclusive for erasure.

CREATE OR REPLACE FUNCTION private.workspace_people(p_workspace_id uuid)
 RETURNS TABLE(id uuid, user_id uuid, email text, role text, state text, created_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id, m.user_id, u.email::text, m.role, 'active', m.created_at, null::timestamptz
  from public.workspace_members as m
  join auth.users as u on u.id = m.user_id
  where m.workspace_id = p_workspace_id
    -- By the parameter, not the column, or it would be evaluated for each member.
    and p_workspace_id in (select private.member_workspace_ids())
  union all
  select
    i.id, null, i.email, i.role,
    case when i.declined_at is null then 'invited' else 'declined' end, i.created_at, i.expires_at
  from public.invitations as i
  where i.workspace_id = p_workspace_id and i.accepted_by is null
    and p_workspace_id in (select private.member_workspace_ids())
$function$
  grant execute on function to signalpost_user
  comment: Members of a workspace of the calling user, and invitations that were not accepted, with e-mail addresses.

CREATE OR REPLACE FUNCTION private.workspace_use(p_workspace_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_kind private.limited_kinds;
  v_count bigint;
  v_use jsonb := '{}';
begin
  if not exists (select from private.member_workspace_ids() as m (id) where m.id = p_workspace_id) then
    return null;
  end if;
  for v_kind in
    select k.* from private.limited_kinds as k where k.owner_column = 'workspace_id'
  loop
    execute format(
      'select count(*) from %s where workspace_id = $1 and (%s)', v_kind.table_name, v_kind.condition
    ) into v_count using p_workspace_id;
    v_use := v_use || jsonb_build_object(v_kind.kind, v_count);
  end loop;
  return v_use;
end
$function$
  grant execute on function to signalpost_user
  comment: Counts per limited kind what a workspace of the calling user has (a JSON object); null for any other workspace.

CREATE OR REPLACE FUNCTION private.write_audit(p_action text, p_entity_id text, p_details jsonb, p_request_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_key_id uuid := nullif(current_setting('signalpost.api_key_id', true), '')::uuid;
  v_workspace_id uuid := coalesce(private.acting_workspace_id('viewer'), private.key_workspace_id());
begin
  if v_workspace_id is null then
    raise sqlstate 'SP403' using message = 'Cannot write to the audit log: no actor is set';
  end if;
  insert into public.audit_log (
    workspace_id, actor_kind, actor_id, actor_name, action, entity_id, details, request_id
  )
  values (
    v_workspace_id,
    case when v_key_id is null then 'user' else 'api_key' end,
    coalesce(v_key_id, (select auth.uid())),
    case
      when v_key_id is null then nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
      else (select k.name from private.api_keys as k where k.id = v_key_id)
    end,
    p_action, p_entity_id, p_details, p_request_id
  );
end
$function$
  grant execute on function to signalpost_key
  grant execute on function to signalpost_user
  comment: Adds an entry to the audit log of the workspace this transaction acts in, in the name of its session or key.

CREATE OR REPLACE FUNCTION private.write_campaign(p_campaign public.campaigns)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$
  comment: Creates a campaign, or replaces what callers write of it.

CREATE OR REPLACE FUNCTION private.write_customers(p_customers public.customers[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.customers as c
  set
    email = n.email,
    phone = n.phone,
    first_name = n.first_name,
    last_name = n.last_name,
    country = n.country,
    timezone = n.timezone,
    locale = n.locale,
    attributes = n.attributes,
    created_at = n.created_at,
    updated_at = n.updated_at,
    last_seen_at = n.last_seen_at
  from unnest(p_customers) as n
  -- By key, one at a time: a join may be planned as a scan of all customers.
  cross join lateral (
    select o.ctid as row_id
    from public.customers as o
    where o.workspace_id = n.workspace_id and o.id = n.id
    limit 1
  ) as o
  where c.ctid = o.row_id;
end
$function$
  comment: Writes the profiles of customers whose rows the caller holds locked, all in one statement.

CREATE OR REPLACE FUNCTION private.write_interests(p_version public.journey_versions)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_trigger jsonb := p_version.definition -> 'trigger';
begin
  insert into private.journey_interests (workspace_id, journey_id, version, role, kind, ref, step)
  select p_version.workspace_id, p_version.journey_id, p_version.version, i.role, i.kind, i.ref, i.step
  from (
    select 'run' as role, r.kind, r.ref, r.step from private.run_interests(p_version.definition) as r
    union
    select 'trigger', t.kind, t.ref, ''
    from (
      values
        ('event', v_trigger ->> 'event'), ('segment', v_trigger ->> 'segment'),
        ('date', case when v_trigger ? 'date' then '' end)
    ) as t (kind, ref)
    where t.ref is not null
  ) as i
  on conflict do nothing;
  insert into private.event_interests (workspace_id, event)
  select distinct i.workspace_id, i.ref
  from private.journey_interests as i
  where i.workspace_id = p_version.workspace_id and i.journey_id = p_version.journey_id
    and i.version = p_version.version and i.kind = 'event'
  on conflict do nothing;
end
$function$
  comment: Notes what a version depends on, so that ingest notes it for the fold.

CREATE OR REPLACE FUNCTION private.write_members(p_workspace_id uuid, p_truths private.segment_truth[], p_now timestamp with time zone)
 RETURNS private.segment_truth[]
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  v_flips private.segment_truth[];
begin
  with truths as materialized (
    select t.*, s.version
    from unnest(p_truths) as t
    cross join lateral (
      select x.computed_version as version from public.segments as x
      where x.workspace_id = p_workspace_id and x.id = t.segment_id limit 1
    ) as s
  ),
  come as (
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select p_workspace_id, t.segment_id, t.version, t.customer_id, p_now
    from truths as t
    where t.holds
    order by 2, 3, 4
    on conflict do nothing
    returning segment_id, customer_id
  ),
  gone as (
    delete from public.segment_members as m
    -- By ctid alone: any other condition would let the planner scan an index instead.
    where m.ctid = any (array(
      select o.ctid
      from truths as t
      cross join lateral (
        select o.ctid from public.segment_members as o
        where o.workspace_id = p_workspace_id and o.segment_id = t.segment_id and o.version = t.version
          and o.customer_id = t.customer_id
        limit 1
      ) as o
      where not t.holds
    ))
    returning m.segment_id, m.customer_id
  ),
  armed as (
    insert into private.segment_checks as k (workspace_id, customer_id, segment_id, check_at)
    select p_workspace_id, t.customer_id, t.segment_id, t.until
    from truths as t
    left join lateral (
      select o.check_at from private.segment_checks as o
      where o.workspace_id = p_workspace_id and o.customer_id = t.customer_id and o.segment_id = t.segment_id
      limit 1
    ) as o on true
    -- A timer may be early, and then is set again: most news moves it later.
    where t.until < 'infinity' and t.until < coalesce(o.check_at, 'infinity')
    order by 2, 3
    on conflict (workspace_id, customer_id, segment_id) do update
    set check_at = excluded.check_at
    where k.check_at > excluded.check_at
  )
  select array_agg(row(f.segment_id, f.customer_id, null, null, null)::private.segment_truth)
  into v_flips
  from (
    select c.segment_id, c.customer_id from come as c
    union all
    select g.segment_id, g.customer_id from gone as g
  ) as f;
  return coalesce(v_flips, '{}');
end
$function$
  comment: Brings the members of the newest versions in line with the answers, and sets timers; returns the pairs of segment and customer that changed.

CREATE OR REPLACE FUNCTION private.write_nodes(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.segment_nodes as n
  where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id;
  if exists (select from private.condition_leaves(p_condition) as l where not l.leaf ? 'event') then
    return;
  end if;
  insert into private.segment_nodes (
    workspace_id, segment_id, node, parent, depth, kind, feature_id, span, least_times, most_times, bounds
  )
  with recursive nodes as (
    select p_condition as node, '{}'::integer[] as path
    union all
    select c.node, n.path || c.position::integer
    from nodes as n
    cross join lateral (
      select e.value, e.ordinality
      from jsonb_array_elements(coalesce(n.node -> 'all', n.node -> 'any')) with ordinality as e
      union all
      select n.node -> 'not', 1 where n.node ? 'not'
    ) as c (node, position)
  ),
  numbered as (
    select n.node, n.path, row_number() over (order by n.path) as number from nodes as n
  )
  select
    p_workspace_id, p_segment_id, n.number, p.number, cardinality(n.path), k.kind, f.id,
    private.read_duration(n.node ->> 'within')
      + case when k.kind in ('sum', 'min', 'max') then interval '1 hour' else interval '0' end,
    case when k.kind = 'count' then
      greatest((t.times ->> 'gte')::integer, (t.times ->> 'eq')::integer, 0)
    end,
    case when k.kind = 'count' then least((t.times ->> 'lte')::integer, (t.times ->> 'eq')::integer) end,
    case when k.kind in ('sum', 'min', 'max') then private.figure_bounds(n.node -> k.kind) end
  from numbered as n
  left join numbered as p on p.path = n.path[:cardinality(n.path) - 1] and cardinality(n.path) > 0
  cross join lateral (
    select coalesce((
      select v.kind from unnest('{all,any,not,sum,min,max}'::text[]) as v (kind) where n.node ? v.kind limit 1
    ), 'count') as kind
  ) as k
  cross join lateral (select coalesce(n.node -> 'count', '{"gte": 1}') as times) as t
  left join private.features as f
    on n.node ? 'event' and f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(n.node);
end
$function$
  comment: Stores the nodes of a condition if all its leaves are about events.

CREATE OR REPLACE FUNCTION private.write_parts(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.add_features(p_workspace_id, p_condition);
  delete from private.segment_parts as p
  where p.workspace_id = p_workspace_id and p.segment_id = p_segment_id;
  insert into private.segment_parts (workspace_id, segment_id, kind, ref)
  select distinct p_workspace_id, p_segment_id, p.kind, p.ref
  from private.condition_leaves(p_condition) as l
  left join private.features as f
    on l.leaf ? 'event' and f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(l.leaf)
  cross join lateral (
    values
      ('feature', f.id::text), ('field', split_part(l.leaf ->> 'field', '.', 1)),
      ('segment', l.leaf ->> 'segment'), ('topic', l.leaf ->> 'topic'),
      -- Beginnings and ends of runs come as changes of the profile.
      ('field', case when l.leaf ? 'journey' then 'journey' end)
  ) as p (kind, ref)
  where p.ref is not null;
  perform private.write_nodes(p_workspace_id, p_segment_id, p_condition);
  perform private.drop_unused_features(p_workspace_id);
end
$function$
  comment: Notes what the condition of a segment depends on.

CREATE OR REPLACE FUNCTION private.write_system_audit(p_workspace_id uuid, p_action text, p_entity_id uuid, p_details jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.audit_log (workspace_id, actor_kind, action, entity_id, details)
  values (p_workspace_id, 'system', p_action, p_entity_id::text, p_details)
$function$
  comment: Adds an entry to the audit log for the service itself, or for an operator.

CREATE OR REPLACE FUNCTION private.zone_offset(p_at timestamp with time zone, p_zone text)
 RETURNS interval
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (p_at at time zone p_zone) - (p_at at time zone 'UTC')
$function$
  comment: The time by which the clocks of a zone are ahead of UTC at an instant.

CREATE OR REPLACE FUNCTION private.zone_times(p_campaign public.campaigns, p_job private.campaign_jobs, p_zones text[])
 RETURNS TABLE(timezone text, due_at timestamp with time zone, rest_due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_zone text := (
    select private.known_zone(w.timezone, 'UTC')
    from public.workspaces as w where w.id = p_campaign.workspace_id
  );
  v_time time := (p_job.base_at at time zone v_zone)::time;
begin
  return query
  select
    z.name,
    case p_campaign.zone
      when 'customer' then private.next_local_time(v_time, z.zone, p_job.base_at) else p_job.base_at
    end,
    case
      when p_job.rest_at = 'infinity' or p_campaign.zone <> 'customer' then p_job.rest_at
      else private.next_local_time(v_time, z.zone, p_job.rest_at)
    end
  from (
    select distinct n.name, private.known_zone(nullif(n.name, ''), v_zone) as zone
    from unnest(p_zones) as n (name)
  ) as z;
end
$function$
  comment: When recipients of each zone (empty: unknown) are due: those of the test, or all, and those who get the winner.
