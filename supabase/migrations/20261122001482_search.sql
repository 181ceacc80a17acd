-- Purpose: indexes for the search: beginnings of names, and ids of requests.
-- Locks:   the tables, while their indexes are created.
-- Risk:    one more index on requests to sources and on refused entries.
-- Undo:    drop the indexes.

create index destinations_name_idx
  on public.destinations (workspace_id, lower(name) text_pattern_ops);
create index inbound_sources_name_idx
  on public.inbound_sources (workspace_id, lower(name) text_pattern_ops);
create index segments_name_idx on public.segments (workspace_id, lower(name) text_pattern_ops);
create index journeys_name_idx on public.journeys (workspace_id, lower(name) text_pattern_ops);
create index campaigns_name_idx on public.campaigns (workspace_id, lower(name) text_pattern_ops);
create index templates_name_idx on public.templates (workspace_id, lower(name) text_pattern_ops);
create index topics_name_idx on public.topics (workspace_id, lower(name) text_pattern_ops);
create index senders_name_idx on public.senders (workspace_id, lower(name) text_pattern_ops);
create index alert_rules_name_idx on public.alert_rules (workspace_id, lower(name) text_pattern_ops);
create index event_names_name_idx on public.event_names (workspace_id, lower(name) text_pattern_ops);

create index audit_log_request_id_idx on public.audit_log (workspace_id, request_id)
  where request_id is not null;
create index rejected_entries_request_id_idx on public.rejected_entries (workspace_id, request_id);
create index inbound_receipts_request_id_idx on public.inbound_receipts (workspace_id, request_id);

create type private.search_hit as (
  type text,
  -- Null for the name of an event.
  id uuid,
  -- The source of a receipt, or the journey of a run.
  parent_id uuid,
  title text,
  subtitle text
);
comment on type private.search_hit is 'Something that a search found, with what to show of it.';
