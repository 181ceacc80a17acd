import assert from "node:assert/strict";
import { actAsAdmin } from "../../testing/data/invitations.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const guest = "grace+new@example.com";
const dashboardUrl = "https://dashboard.example.com/anything";

async function addSender({ sql, workspaceId }: ApiWorld, enabled = true): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.senders (workspace_id, name, provider, from_address, config)
    values (${workspaceId}, 'Mail', 'smtp', 'team@example.com', '{}')
    returning id`;
  if (!enabled) await sql`update public.senders set enabled = false where id = ${row!.id}`;
  return row!.id;
}

interface MailedInvitation {
  id: string;
  sender_id: string;
  email: string;
  purpose: string;
  data: { subject: string; text: string; action: { before: string; url: string } };
}

/** Sends of the workspace, oldest first. */
function readSends({ sql, workspaceId }: ApiWorld) {
  return sql<MailedInvitation[]>`
    select s.id, s.sender_id, s.email, s.purpose, s.data from public.sends as s
    where s.workspace_id = ${workspaceId} order by s.id`;
}

/** An admin who invites with a mail, and mails again. */
async function actAsMailer(world: ApiWorld) {
  const { token } = await actAsAdmin(world);
  const { workspaceId } = world;
  const post = (path: string, body: unknown) =>
    world.send({ method: "POST", path, token, workspaceId, body });
  return {
    invite: (email: string, role = "member") =>
      post("/members", { email, role, dashboard_url: dashboardUrl }),
    mail: (id: string) => post(`/members/${id}/mail`, { dashboard_url: dashboardUrl }),
    withdraw: (id: string) =>
      world.send({ method: "DELETE", path: `/members/${id}`, token, workspaceId }),
  };
}

Deno.test("an invitation is mailed by a sender that is enabled, with inviter, workspace and link", async () => {
  await using world = await createApiWorld();
  await world
    .sql`update public.workspaces set name = ${"Acme\r\nBcc: x\u202e"} where id = ${world.workspaceId}`;
  await addSender(world, false);
  const senderId = await addSender(world);
  const admin = await actAsMailer(world);
  const { status, body } = await admin.invite(guest);
  assert.deepEqual([status, body.mail], [201, "queued"]);
  const [send, ...others] = await readSends(world);
  assert.equal(others.length, 0);
  assert.deepEqual([send!.id, send!.sender_id, send!.email], [body.send_id, senderId, guest]);
  assert.ok(body.mailed_at);
  assert.equal(send!.purpose, "invitation");
  const { subject, text, action } = send!.data;
  assert.equal(subject, `${body.invited_by} invites you to AcmeBcc: x on Signalpost`);
  for (const part of [text, action.before]) {
    assert.ok(part.includes(`${body.invited_by} invites you to the workspace "AcmeBcc: x"`));
    assert.ok(part.includes("Your role: member."));
  }
  const link = "https://dashboard.example.com/sign-up?" +
    "email=grace%2Bnew%40example.com&next=%2Finvitations";
  assert.ok(text.split("\n").includes(link), text);
  assert.equal(action.url, link);
});

Deno.test("an invitation is created and not mailed without a sender, and without an address of the dashboard", async () => {
  await using world = await createApiWorld();
  await addSender(world, false);
  const mailer = await actAsMailer(world);
  const first = await mailer.invite("one@example.com");
  assert.deepEqual([first.status, first.body.mail, first.body.mailed_at], [201, "no_sender", null]);
  await addSender(world);
  const admin = await actAsAdmin(world);
  const second = await admin.invite("two@example.com");
  assert.deepEqual([second.body.mail, second.body.send_id], ["not_asked", null]);
  assert.equal((await readSends(world)).length, 0);
});

Deno.test("a workspace mails at most 20 invitations per hour, withdrawn ones included", async () => {
  await using world = await createApiWorld();
  await addSender(world);
  const admin = await actAsMailer(world);
  const { body: { id } } = await admin.invite("person0@example.com");
  const mails: string[] = [];
  for (let n = 0; n < 9; n++) mails.push((await admin.mail(id)).body.mail);
  await admin.withdraw(id);
  for (let n = 1; n <= 11; n++) {
    mails.push((await admin.invite(`person${n}@example.com`)).body.mail);
  }
  assert.deepEqual(mails, [...Array(19).fill("queued"), "limit_reached"]);
  const sends = await readSends(world);
  assert.equal(sends.length, 20);
  const [row] = await world.sql`
    select count(*)::integer as count from public.invitations
    where workspace_id = ${world.workspaceId} and mailed_at is null`;
  assert.equal(row!.count, 1);
});

Deno.test("only an open invitation is mailed again", async () => {
  await using world = await createApiWorld();
  await addSender(world);
  const admin = await actAsMailer(world);
  const { body: { id } } = await admin.invite(guest);
  await world.sql`update public.invitations set expires_at = now() where id = ${id}`;
  const { status, body } = await admin.mail(id);
  assert.deepEqual([status, body.error], [
    409,
    "Cannot send the invitation: it was accepted, declined or withdrawn, or it expired",
  ]);
  const member = await world.signInAs("member");
  const refused = await world.send({
    method: "POST",
    path: `/members/${id}/mail`,
    token: member,
    workspaceId: world.workspaceId,
    body: { dashboard_url: dashboardUrl },
  });
  assert.equal(refused.status, 403);
  assert.equal((await readSends(world)).length, 1);
});

Deno.test("a mail links to http and https addresses only", async () => {
  await using world = await createApiWorld();
  const { token } = await actAsAdmin(world);
  const { workspaceId } = world;
  for (const dashboard_url of ["javascript:alert(1)", "dashboard", "ftp://example.com"]) {
    const { status } = await world.send({
      method: "POST",
      path: "/members",
      token,
      workspaceId,
      body: { email: guest, role: "viewer", dashboard_url },
    });
    assert.equal(status, 400, dashboard_url);
  }
});
