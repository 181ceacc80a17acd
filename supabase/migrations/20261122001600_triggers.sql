-- Purpose: the triggers, after the functions they call; then connects the platform's extensions.
-- Locks:   the triggers on auth.users, which Supabase Auth owns, must never fail for long.
-- Undo:    drop the triggers.

create trigger destinations_stamp before insert or update on public.destinations
  for each row execute function private.stamp_destination();

create trigger destinations_follow after insert or delete
  or update of enabled, max_concurrency, rate_limit_per_second on public.destinations
  for each row execute function private.follow_destination();

create trigger destinations_follow_event_types after insert or update of event_types
  on public.destinations
  for each row execute function private.follow_event_types();

create trigger destinations_drop_alert_channel after delete on public.destinations
  for each row execute function private.drop_alert_channel();
create trigger destinations_drop_alert_target after delete on public.destinations
  for each row execute function private.drop_alert_target();
create trigger destinations_check_filter before insert or update of filter on public.destinations
  for each row when (new.filter is not null) execute function private.check_filter();

create trigger destination_secrets_keep_expiry
  before update of expires_at on private.destination_secrets for each row
  when (coalesce(new.expires_at, 'infinity') > old.expires_at)
  execute function private.keep_secret_expiry();

create trigger inbound_secrets_keep_expiry
  before update of expires_at on private.inbound_secrets for each row
  when (coalesce(new.expires_at, 'infinity') > old.expires_at)
  execute function private.keep_secret_expiry();

create trigger webhook_queue_arrive after insert on private.webhook_queue
  referencing new table as arrived
  for each statement execute function private.note_arrivals();

-- Auth inserts an account before its address is confirmed, even if it does not ask for confirmation.
create trigger users_welcome after insert or update of email, email_confirmed_at on auth.users
  for each row when (new.email_confirmed_at is not null and new.deleted_at is null)
  execute function private.welcome_user();

create trigger workspace_members_keep_an_owner before delete or update on public.workspace_members
  for each row execute function private.keep_an_owner();

create trigger workspace_members_lock before delete or update on public.workspace_members
  for each statement execute function private.lock_acting_workspace();

create trigger workspace_members_hand_over after delete on public.workspace_members
  for each row execute function private.hand_over_workspace();

create trigger users_leave_workspaces before delete on auth.users
  for each row execute function private.leave_workspaces();

create trigger users_leave_workspaces_softly after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function private.leave_workspaces();

create trigger senders_drop_alert_channel after delete on public.senders
  for each row execute function private.drop_alert_channel();
create trigger senders_drop_alert_target after delete on public.senders
  for each row execute function private.drop_alert_target();
create trigger inbound_sources_drop_alert_target after delete on public.inbound_sources
  for each row execute function private.drop_alert_target();
create trigger journeys_drop_alert_target after delete on public.journeys
  for each row execute function private.drop_alert_target();
create trigger inbound_sources_stamp before update on public.inbound_sources
  for each row execute function private.stamp_inbound_source();

create trigger workspaces_make_keys after insert on public.workspaces
  for each row execute function private.make_workspace_keys();

create trigger workspaces_follow_zone after update of timezone on public.workspaces
  for each row when (new.timezone is distinct from old.timezone)
  execute function private.follow_zone();

create trigger topics_stamp before update on public.topics
  for each row execute function private.stamp_topic();

create trigger topics_follow_default after update of default_state on public.topics
  for each row when (new.default_state is distinct from old.default_state)
  execute function private.follow_default();

create trigger topics_forget after delete on public.topics
  for each row execute function private.forget_topic();

create trigger consents_count_added after insert on private.consents
  referencing new table as added
  for each statement execute function private.count_consents();

create trigger consents_count_changed after update on private.consents
  referencing old table as removed new table as added
  for each statement execute function private.count_consents();

create trigger customers_remember_address before update of email on public.customers
  for each row when (
    new.email is distinct from old.email
    and (new.email is null or old.former_addresses is not null)
  )
  execute function private.remember_address();

create trigger customers_follow_address after update of email on public.customers
  for each row when (new.email is not null and new.email is distinct from old.email)
  execute function private.follow_address();

create trigger customers_have_no_identities after delete on public.customers
  referencing old table as removed
  for each statement execute function private.refuse_identities();

create trigger identities_added after insert on public.identities
  referencing new table as changed
  for each statement execute function private.require_customers();

create trigger identities_changed after update on public.identities
  referencing new table as changed
  for each statement execute function private.require_customers();

create trigger sends_count_added after insert on public.sends
  referencing new table as added
  for each statement execute function private.count_campaign_sends();

create trigger sends_count_changed after update on public.sends
  referencing old table as removed new table as added
  for each statement execute function private.count_campaign_sends();

create trigger sends_count_for_journeys after update on public.sends
  referencing old table as removed new table as added
  for each statement execute function private.count_journey_sends();

create trigger sends_count_removed after delete on public.sends
  referencing old table as removed
  for each statement execute function private.count_campaign_sends();

create trigger templates_stamp before update on public.templates
  for each row execute function private.stamp_template();

create trigger templates_retire after delete on public.templates
  for each row execute function private.retire_versions();

create trigger senders_stamp before insert or update on public.senders
  for each row execute function private.stamp_sender();

create trigger senders_follow after insert or delete or update on public.senders
  for each row execute function private.follow_sender();

create trigger alert_rules_check before insert or update on public.alert_rules
  for each row execute function private.check_alert_rule();

create trigger alert_rules_follow after insert or delete or update on public.alert_rules
  for each row execute function private.follow_alert_rule();

-- Triggers run in the order of their names: these come after those that set the time.
create trigger alert_rules_unchanged before update on public.alert_rules
  for each row when (old.updated_at is distinct from new.updated_at)
  execute function private.keep_update_time();

create trigger campaigns_unchanged before update on public.campaigns
  for each row when (old.updated_at is distinct from new.updated_at)
  execute function private.keep_update_time();

create trigger journeys_unchanged before update on public.journeys
  for each row when (old.updated_at is distinct from new.updated_at)
  execute function private.keep_update_time();

create trigger segments_unchanged before update on public.segments
  for each row when (old.updated_at is distinct from new.updated_at)
  execute function private.keep_update_time();

create trigger topics_unchanged before update on public.topics
  for each row when (old.updated_at is distinct from new.updated_at)
  execute function private.keep_update_time();

create trigger views_unchanged before update on public.views
  for each row when (old.updated_at is distinct from new.updated_at)
  execute function private.keep_update_time();

select * from ops.connect_platform();
