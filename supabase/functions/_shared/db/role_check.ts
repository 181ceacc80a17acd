import { unavailable } from "../errors/errors.ts";
import { type Roles, rolesOf, type Sql } from "./connect.ts";
import { databaseErrorCode } from "./errors.ts";

/** Properties of the role that statements run as. */
interface RoleRow {
  name: string;
  isSuperuser: boolean;
  bypassesPolicies: boolean;
  managesServer: boolean;
  /** Expected roles whose rights it lacks. */
  missing: string[] | null;
  /** Roles whose rights it has, although none of the expected roles has them. */
  further: string[] | null;
  statementTimeout: string;
}

/**
 * Creates the check that a function runs before it serves: its statements run with exactly the
 * rights of the expected role. It asks the database once and remembers success.
 *
 * @returns undefined once the role is verified, so that requests need not wait
 * @throws ApiError `unavailable` whose cause names the variable, the role found and the role
 * expected
 */
export function createRoleCheck(sql: Sql): () => Promise<void> | undefined {
  const roles = rolesOf(sql);
  let isRight = roles === undefined;
  let asking: Promise<void> | undefined;
  const ask = async () => {
    try {
      await checkRole(sql, roles!);
      isRight = true;
    } finally {
      asking = undefined;
    }
  };
  return () => isRight ? undefined : asking ??= ask();
}

async function checkRole(sql: Sql, roles: Roles): Promise<void> {
  const found = await readRole(sql, roles).catch((error) => {
    throw describeRefusal(error, roles) ?? error;
  });
  const problem = findProblem(found);
  if (problem === undefined) return;
  throw refuse(`SUPABASE_DB_URL leads to role "${found.name}", which ${problem}`, roles);
}

async function readRole(sql: Sql, { role, setRoles = [] }: Roles): Promise<RoleRow> {
  const rows = await sql<RoleRow[]>`
    with expected as (
      select e.name from jsonb_array_elements_text(
        ${JSON.stringify([role, ...setRoles])}::text::jsonb
      ) as e (name)
    )
    select
      r.rolname as name, r.rolsuper as "isSuperuser", r.rolbypassrls as "bypassesPolicies",
      r.rolcreaterole or r.rolcreatedb or r.rolreplication as "managesServer",
      (
        select jsonb_agg(e.name) from expected as e
        where not (
          -- Transactions set a role by the rights of the login.
          case e.name when ${role} then pg_has_role(r.oid, e.name, 'usage')
          else pg_has_role(session_user, e.name, 'member') end
        )
      ) as missing,
      (
        select jsonb_agg(o.rolname) from pg_catalog.pg_roles as o
        where o.oid <> r.oid and pg_has_role(r.oid, o.oid, 'member') and not exists (
          select from expected as e where pg_has_role(e.name, o.oid, 'member')
        )
      ) as further,
      current_setting('statement_timeout') as "statementTimeout"
    from pg_catalog.pg_roles as r
    where r.rolname = current_user
  `;
  return rows[0]!;
}

function findProblem(found: RoleRow): string | undefined {
  const { isSuperuser, bypassesPolicies, managesServer, missing, further } = found;
  if (isSuperuser) return "is a superuser";
  if (bypassesPolicies) return "bypasses row-level security";
  if (managesServer) return "may create roles or databases or replicate";
  if (missing) return `lacks the rights of ${quote(missing)}`;
  if (further) return `also has the rights of ${quote(further)}`;
  if (found.statementTimeout === "0") return 'has no "statement_timeout"';
  return undefined;
}

/**
 * Explains why the server ended the connection at its start; undefined if it did not, or is down.
 */
function describeRefusal(error: unknown, roles: Roles): Error | undefined {
  const code = databaseErrorCode(error) ?? "";
  // Startup parameters, logins, databases, and roles that do not exist.
  if (!/^(?:08P01|22023|28...|3D...|42501|42704)$/.test(code)) return undefined;
  return refuse(`SUPABASE_DB_URL was refused: ${(error as Error).message}`, roles);
}

function refuse(reason: string, { role, setRoles = [] }: Roles): Error {
  const cause = new Error(
    `${reason}. Expected ${quote([role])}, or behind a pooler (set DATABASE_POOLER) a ` +
      `login with only the rights of ${quote([role, ...setRoles])} and a statement timeout`,
  );
  return unavailable("Database is unavailable: nothing was stored", cause);
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
