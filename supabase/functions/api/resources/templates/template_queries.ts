import type { CallerSql } from "../../kernel/caller.ts";
import { isUuid } from "../../contract/resource_names.ts";
import type { PageRequest } from "../../kernel/page_queries.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";
import type { Use } from "../../kernel/uses.ts";
import type { CheckedContents } from "./check_contents.ts";

/** Contents of a template's version as the api returns them. */
export interface TemplateVersion extends Omit<CheckedContents, "has_unsubscribe"> {
  version: number;
  created_at: string;
}

/** A template with the contents of its current version. */
export interface Template extends TemplateVersion {
  id: string;
  key: string | null;
  name: string;
  strict: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  updated_at: string;
  used_by: Use[];
}

export interface TemplateName {
  workspaceId: string;
  /** Id or key. */
  name: string;
}

/** Fields besides the contents; an omitted field keeps its value. */
export interface TemplateFields {
  key?: string | null | undefined;
  name?: string | undefined;
  strict?: boolean | undefined;
  track_opens?: boolean | undefined;
  track_clicks?: boolean | undefined;
}

/** Lists templates without their bodies, newest first. */
export async function listTemplates(
  tx: CallerSql,
  { workspaceId, limit, after, sort }: NamePageRequest & { workspaceId: string },
): Promise<Omit<Template, "html" | "mjml" | "text" | "is_text_generated">[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`o.id`, name: tx`o.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`t.id`, name: tx`t.name` }, page);
  return await tx<Template[]>`
    with found as materialized (
      select o.*
      from public.templates as o
      where o.workspace_id = ${workspaceId} ${start}
      order by ${by}
      limit ${limit + 1}
    )
    select
      t.id, t.key, t.name, t.version, v.subject, t.strict, t.track_opens, t.track_clicks,
      to_jsonb(v.variables) as variables, to_jsonb(v.warnings) as warnings,
      private.rfc3339(t.created_at) as created_at, private.rfc3339(t.updated_at) as updated_at,
      coalesce(u.used_by, '[]') as used_by
    from found as t
    cross join lateral (
      select n.subject, n.variables, n.warnings
      from public.template_versions as n
      where n.workspace_id = t.workspace_id and n.template_id = t.id and n.version = t.version
      limit 1
    ) as v
    left join private.list_uses(${workspaceId}, 'template', array(select id from found)) as u
      on u.id = t.id
    order by ${shown}
  `;
}

/** Returns one template, or undefined if the caller cannot see it. */
export async function findTemplate(
  tx: CallerSql,
  template: TemplateName,
): Promise<Template | undefined> {
  const rows = await tx<Template[]>`
    select
      t.id, t.key, t.name, t.version, v.subject, v.html, v.mjml, v.text, v.is_text_generated,
      t.strict, t.track_opens, t.track_clicks, to_jsonb(v.variables) as variables,
      to_jsonb(v.warnings) as warnings, private.rfc3339(t.created_at) as created_at,
      private.rfc3339(t.updated_at) as updated_at, coalesce(u.used_by, '[]') as used_by
    from public.templates as t
    join public.template_versions as v
      on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
    left join lateral private.list_uses(t.workspace_id, 'template', array[t.id]) as u on true
    where ${isNamed(tx, template)}
  `;
  return rows[0];
}

function isNamed(tx: CallerSql, { workspaceId, name }: TemplateName) {
  return isUuid(name)
    ? tx`t.workspace_id = ${workspaceId} and t.id = ${name}`
    : tx`t.workspace_id = ${workspaceId} and t.key = ${name}`;
}

export interface VersionKey {
  workspaceId: string;
  templateId: string;
}

/** Lists the versions of a template, newest first; `before` is the last version seen. */
export async function listVersions(
  tx: CallerSql,
  { workspaceId, templateId, limit, after }: VersionKey & PageRequest,
): Promise<TemplateVersion[]> {
  return await tx<TemplateVersion[]>`
    ${selectVersions(tx, { workspaceId, templateId })}
      and v.version < ${after?.[0] ?? "2147483647"}::integer
    order by v.version desc
    limit ${limit + 1}
  `;
}

/** Returns a version of a template, or undefined if it does not exist. */
export async function findVersion(
  tx: CallerSql,
  { version, ...key }: VersionKey & { version: number },
): Promise<TemplateVersion | undefined> {
  const rows = await tx<TemplateVersion[]>`
    ${selectVersions(tx, key)} and v.version = ${version}
  `;
  return rows[0];
}

function selectVersions(tx: CallerSql, { workspaceId, templateId }: VersionKey) {
  return tx`
    select
      v.version, v.subject, v.html, v.mjml, v.text, v.is_text_generated,
      to_jsonb(v.variables) as variables, to_jsonb(v.warnings) as warnings,
      private.rfc3339(v.created_at) as created_at
    from public.template_versions as v
    where v.workspace_id = ${workspaceId} and v.template_id = ${templateId}
  `;
}

export interface NewTemplate {
  workspaceId: string;
  fields: TemplateFields;
  contents: CheckedContents;
}

/** Creates a template with its first version; undefined if its key is in use. */
export async function insertTemplate(
  tx: CallerSql,
  { workspaceId, fields, contents }: NewTemplate,
): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`
    insert into public.templates (
      workspace_id, key, name, version, strict, track_opens, track_clicks
    )
    values (
      ${workspaceId}, ${fields.key ?? null}, ${fields.name ?? null}, 1, ${fields.strict ?? false},
      ${fields.track_opens ?? true}, ${fields.track_clicks ?? true}
    )
    on conflict (workspace_id, key) do nothing
    returning id
  `;
  const id = rows[0]?.id;
  if (id !== undefined) {
    await insertVersion(tx, { workspaceId, templateId: id, version: 1, contents });
  }
  return id;
}

export interface TemplateChange extends VersionKey {
  fields: TemplateFields;
  /** Contents of a new version; undefined, or the current contents, to keep the current one. */
  contents: CheckedContents | undefined;
}

/** Changes the given fields, and adds a version if the contents differ from the current ones. */
export async function changeTemplate(tx: CallerSql, change: TemplateChange): Promise<void> {
  const { workspaceId, templateId, fields } = change;
  const current = await findTemplate(tx, { workspaceId, name: templateId });
  const contents = isSame(current, change.contents) ? undefined : change.contents;
  const rows = await tx<{ version: number }[]>`
    update public.templates as t
    set
      key = ${fields.key === undefined ? tx`t.key` : fields.key},
      name = coalesce(${fields.name ?? null}, t.name),
      strict = coalesce(${fields.strict ?? null}::boolean, t.strict),
      track_opens = coalesce(${fields.track_opens ?? null}::boolean, t.track_opens),
      track_clicks = coalesce(${fields.track_clicks ?? null}::boolean, t.track_clicks),
      version = t.version + ${contents === undefined ? 0 : 1}::integer
    where t.workspace_id = ${workspaceId} and t.id = ${templateId}
    returning t.version
  `;
  const version = rows[0]?.version;
  if (contents !== undefined && version !== undefined) {
    await insertVersion(tx, { workspaceId, templateId, version, contents });
  }
}

function isSame(current: Template | undefined, given: CheckedContents | undefined): boolean {
  const parts = ["subject", "html", "mjml", "text", "is_text_generated"] as const;
  return current !== undefined && given !== undefined &&
    parts.every((part) => current[part] === given[part]);
}

async function insertVersion(
  tx: CallerSql,
  { workspaceId, templateId, version, contents }: VersionKey & {
    version: number;
    contents: CheckedContents;
  },
): Promise<void> {
  await tx`
    insert into public.template_versions (
      workspace_id, template_id, version, subject, html, mjml, text, is_text_generated, variables,
      warnings, has_unsubscribe
    )
    select
      ${workspaceId}, ${templateId}, ${version}, c.subject, c.html, c.mjml, c.text,
      c.is_text_generated, c.variables, c.warnings, c.has_unsubscribe
    from jsonb_to_record(${JSON.stringify(contents)}::text::jsonb) as c (
      subject text, html text, mjml text, text text, is_text_generated boolean, variables text[],
      warnings text[], has_unsubscribe boolean
    )
  `;
}

/**
 * Deletes a template; returns its id, or undefined if it does not exist. Its versions stay for the
 * sends that were made from them.
 *
 * @throws {Error} SP409 while a campaign needs it.
 */
export async function removeTemplate(
  tx: CallerSql,
  template: TemplateName,
): Promise<string | undefined> {
  await tx`
    select private.refuse_used_template(t.workspace_id, t.id)
    from public.templates as t
    where ${isNamed(tx, template)}
  `;
  const rows = await tx<{ id: string }[]>`
    delete from public.templates as t where ${isNamed(tx, template)} returning t.id
  `;
  return rows[0]?.id;
}

/** Returns the name of the caller's workspace. */
export async function findWorkspaceName(tx: CallerSql, workspaceId: string): Promise<string> {
  const rows = await tx<{ name: string }[]>`
    select w.name from public.workspaces as w where w.id = ${workspaceId}
  `;
  return rows[0]?.name ?? "";
}
