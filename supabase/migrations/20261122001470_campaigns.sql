-- Purpose: campaigns, their recipients, their work in steps, and what came of their sends.
-- Locks:   public.customer_merges, while its index is created.
-- Risk:    private.campaign_recipients has a row per recipient for 90 days after the end.
-- Undo:    drop the tables and types, the index, and the rows of the registries.

create table public.campaigns (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  name text not null check (char_length(name) between 1 and 200),
  -- What these ids name may be deleted: see private.campaign_obstacle.
  segment_id uuid not null,
  exclude_ids uuid[] not null default '{}' check (cardinality(exclude_ids) <= 20),
  -- Null with variants: each of them has a template.
  template_id uuid,
  sender_id uuid not null,
  -- With a topic it is marketing: consent, caps and quiet hours apply.
  topic_id uuid,
  send_at timestamptz,
  -- customer: each recipient at the local time that send_at is in the zone of the workspace.
  zone text not null default 'workspace' check (zone in ('workspace', 'customer')),
  per_minute integer check (per_minute between 1 and 1000000),
  -- A duration such as 4h.
  spread_over text check (spread_over ~ '^[0-9]{1,9}[smhdw]$'),
  -- A duration after the time of each recipient, or a time.
  not_after text check (char_length(not_after) <= 40),
  -- A list of { "template": id, "weight": number }.
  variants jsonb not null default '[]' check (jsonb_array_length(variants) <= 10),
  -- { "share": per cent, "after": duration, "by": "opened" | "clicked" | "goal" }
  winner jsonb check (jsonb_typeof(winner) = 'object'),
  -- { "event": name, "where": [] }
  goal jsonb check (jsonb_typeof(goal) = 'object'),
  state text not null default 'draft' check (
    state in ('draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled')
  ),
  -- Why it is paused or cancelled: a word, and a sentence.
  reason text,
  explanation text,
  -- How many recipients a caller agreed to.
  confirmed bigint check (confirmed >= 0),
  -- Null until the audience is fixed.
  recipients bigint,
  -- A position in variants; null until it is decided.
  winner_variant smallint,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  constraint campaigns_workspace_id_key_key unique (workspace_id, key),
  constraint campaigns_template_check check (template_id is not null or variants <> '[]'),
  constraint campaigns_winner_variants_check check (winner is null or jsonb_array_length(variants) > 1)
);
comment on table public.campaigns is 'A template that is sent once to the members of a segment.';
alter table public.campaigns enable row level security;
select private.limit_kind(
  'campaigns', 'public.campaigns', p_action => 'create campaign', p_noun => 'campaigns'
);
grant select on public.campaigns to signalpost_user, signalpost_key;
create policy "Members can read campaigns" on public.campaigns
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read campaigns" on public.campaigns
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['campaigns:read', 'campaigns:write'])));

create table private.campaign_recipients (
  workspace_id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  -- The address that the mail goes to, or went to. After a change of addresses, another recipient
  -- may have taken it: then it is a hash that no address has.
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- A position in variants; null without variants, and for those who get the winner.
  variant smallint,
  due_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'queued', 'skipped')),
  reason text,
  send_id uuid,
  primary key (workspace_id, campaign_id, customer_id),
  -- The hash comes first: it alone tells two rows apart, so that fewer columns are compared.
  constraint campaign_recipients_address_key unique (address_hash, campaign_id, workspace_id)
);
comment on table private.campaign_recipients is
  'The audience of each campaign, fixed when it began: one row per address. Queued: its send has the outcome.';
create index campaign_recipients_due_at_idx
  on private.campaign_recipients (workspace_id, campaign_id, due_at, customer_id)
  where state = 'pending';
alter table private.campaign_recipients enable row level security;

create table private.campaign_jobs (
  workspace_id uuid not null,
  campaign_id uuid not null,
  -- audience: it is being fixed; feed: recipients become sends; cancel: those left are skipped;
  -- expire: recipients are deleted some time after the end; cleanup: so is what a deleted one left.
  phase text not null check (phase in ('audience', 'feed', 'cancel', 'expire', 'cleanup')),
  -- When the next step is due; infinity while the campaign is paused.
  due_at timestamptz not null,
  -- The time that the times of the recipients count from.
  base_at timestamptz,
  -- Recipients from this time on get the winner.
  rest_at timestamptz not null default 'infinity',
  -- When the winner is chosen; moved on while recipients before rest_at become sends.
  decide_at timestamptz,
  -- The customer after whom the next step starts.
  cursor uuid not null default '00000000-0000-0000-0000-000000000000',
  is_announced boolean not null default false,
  -- Until then each step makes sends due that a pause held back: some may still be on their way there.
  release_until timestamptz not null default '-infinity',
  -- With per_minute: when the next send may be due.
  next_send_at timestamptz not null default '-infinity',
  -- Figures that the check of complaints has already accepted.
  accepted_sent bigint not null default 0,
  accepted_complained bigint not null default 0,
  last_error text,
  primary key (workspace_id, campaign_id)
) with (fillfactor = 70);
comment on table private.campaign_jobs is
  'The work on each campaign that is scheduled, running or leaves rows behind. Its lock comes before that of the campaign.';
create index campaign_jobs_due_at_idx on private.campaign_jobs (due_at);
alter table private.campaign_jobs enable row level security;

create table private.campaign_counts (
  workspace_id uuid not null,
  campaign_id uuid not null,
  -- A position in variants; 0 without variants, -1 for those who get the winner.
  variant smallint not null,
  -- recipients, no_address, same_address, sent, failed, unknown, skipped:<reason>, delivered,
  -- bounced, complained, opened, clicked, unsubscribed, goal, or goal_of: those that were asked for it.
  kind text not null,
  id bigint generated always as identity,
  count bigint not null,
  primary key (workspace_id, campaign_id, variant, kind, id)
);
comment on table private.campaign_counts is
  'The outcomes of a campaign. Appended, so that nobody who sends waits for a counter; each step of a campaign adds its rows up.';
alter table private.campaign_counts enable row level security;
grant select on private.campaign_counts to signalpost_user, signalpost_key;
create policy "Members can read counts of campaigns" on private.campaign_counts
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read counts of campaigns" on private.campaign_counts
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['campaigns:read', 'campaigns:write'])));

-- A recipient may have been merged into another customer.
create index customer_merges_merged_customer_id_idx
  on public.customer_merges (workspace_id, merged_customer_id);

create type private.campaign_pick as (
  row_id tid,
  -- The recipient, and the customer that it is now.
  customer_id uuid,
  current_id uuid,
  variant smallint,
  due_at timestamptz,
  -- Why nothing is sent; null for a send.
  reason text
);
comment on type private.campaign_pick is 'A recipient whose time has come.';

insert into private.service_event_types (type, description)
values
  ('campaign.sent', 'The audience of a campaign was fixed and sending began'),
  ('campaign.completed', 'Every recipient of a campaign was handled');

insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 15, 'campaigns', 'private.erase_recipients');

insert into private.periodic_tasks (name, every, position, call)
values ('add up campaign counts', '1 hour', 55, 'private.fold_campaign_counts()');
