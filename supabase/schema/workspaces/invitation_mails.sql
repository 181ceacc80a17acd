-- Purpose: mails invitations through a sender of the workspace.
-- Locks:   the row of the workspace (no key update), then the invitation and the new send.
-- Risk:    a mail goes to an address that nobody has confirmed, so a workspace sends at most 20 an hour.

create or replace function private.invitation_sender(p_workspace_id uuid)
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select o.id
  from public.senders as o
  left join private.send_lanes as l on l.workspace_id = o.workspace_id and l.sender_id = o.id
  where o.workspace_id = p_workspace_id and o.channel = 'email' and o.enabled
    and not exists (
      select from public.send_settings as g
      where g.workspace_id = p_workspace_id and g.stopped_at is not null
    )
  order by coalesce(l.is_failing, false), o.id
  limit 1
$$;
comment on function private.invitation_sender(uuid) is
  'The sender that mails the invitations of a workspace: the oldest that is enabled, rather one that does not fail; null if there is none.';

create or replace function private.invitation_text(
  p_invitation public.invitations,
  p_inviter text,
  p_link text
)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'subject', format('%s invites you to %s on Signalpost', p_inviter, n.name),
    'text', concat_ws(
      e'\n\n', t.opening,
      format(e'Open this link, sign up or sign in as %s, and accept:\n%s', p_invitation.email, p_link),
      t.closing || e'\n'
    ),
    'action', jsonb_build_object(
      'before', concat_ws(
        e'\n\n', t.opening, format('Sign up or sign in as %s, and accept.', p_invitation.email)
      ),
      'label', 'See the invitation', 'url', p_link, 'after', t.closing
    )
  )
  from (
    -- A name may not break the lines of a mail, or turn the direction of its text.
    select regexp_replace(w.name, '[[:cntrl:]\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g') as name
    from public.workspaces as w
    where w.id = p_invitation.workspace_id
  ) as n
  cross join lateral (
    select
      format(
        '%s invites you to the workspace "%s" on Signalpost. Your role: %s.',
        p_inviter, n.name, p_invitation.role
      ) as opening,
      concat_ws(
        e'\n\n',
        format(
          'The invitation ends on %s.', to_char(p_invitation.expires_at at time zone 'UTC', 'FMDD FMMonth YYYY')
        ),
        'Nothing changes until you accept. If you do not know who invites you, ignore this mail.'
      ) as closing
  ) as t
$$;
comment on function private.invitation_text(public.invitations, text, text) is
  'Data of the mail of an invitation, as send-dispatch reads it for a notice: who invites to which workspace, the link and the end.';

create or replace function private.mail_invitation(
  p_workspace_id uuid,
  p_id uuid,
  p_link text,
  p_now timestamptz default clock_timestamp()
)
returns text
language plpgsql
volatile
-- Definer: callers may not write sends, and the addresses of members are in auth.users.
security definer
set search_path = ''
as $$
declare
  v_invitation public.invitations;
  v_sender_id uuid;
  v_inviter text := (select u.email from auth.users as u where u.id = (select auth.uid()));
begin
  -- First, so that the mails of an hour are counted one by one.
  perform from public.workspaces as w
  where w.id = (select private.acting_workspace_id('admin'))
  for no key update;
  perform private.require_writer(p_workspace_id, 'admin', null);
  select i.* into v_invitation
  from public.invitations as i
  where i.workspace_id = p_workspace_id and i.id = p_id
    and i.accepted_by is null and i.declined_at is null and i.expires_at > p_now
  for update;
  if not found then
    raise sqlstate 'SP409' using message = 'Cannot send the invitation: it was accepted, declined or withdrawn, or it expired';
  end if;
  v_sender_id := private.invitation_sender(p_workspace_id);
  if v_sender_id is null then
    return 'no_sender';
  end if;
  -- By the keys of the mails, which sort by time, and stay when an invitation is withdrawn.
  if (
    select count(*) from private.send_keys as k
    where k.workspace_id = p_workspace_id
      and k.key > 'invitation:' || private.uuid_v7(p_now - interval '1 hour')
      and k.key < 'invitation:g'
  ) >= 20 then
    return 'limit_reached';
  end if;
  update public.invitations as i
  set mailed_at = p_now, send_id = (
    select s.send_id
    from private.create_sends(jsonb_build_array(jsonb_build_object(
      'workspace_id', p_workspace_id, 'sender_id', v_sender_id, 'email', v_invitation.email,
      'purpose', 'invitation', 'key', 'invitation:' || private.uuid_v7(p_now),
      'data', private.invitation_text(v_invitation, v_inviter, p_link)
    )), p_now) as s
  )
  where i.workspace_id = p_workspace_id and i.id = p_id;
  return 'queued';
end
$$;
comment on function private.mail_invitation(uuid, uuid, text, timestamptz) is
  'Emails the link of an invitation. Returns "queued", "no_sender" if the workspace has no enabled sender, or "limit_reached" after 20 emails in an hour. Raises SP409 after the invitation was accepted, declined or withdrawn, or expired.';
grant execute on function private.mail_invitation(uuid, uuid, text, timestamptz) to signalpost_user;
