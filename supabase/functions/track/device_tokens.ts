import type { Sql } from "../_shared/db/connect.ts";
import { throwWriteFailure } from "../_shared/db/errors.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";

export interface DeviceToken {
  workspaceId: string;
  externalId: string | undefined;
  anonId: string | undefined;
  token: string;
  platform: "ios" | "android" | "web";
}

/**
 * Registers or refreshes a token, and moves it from another customer; returns the customer's id.
 */
export async function registerDeviceToken(sql: Sql, token: DeviceToken): Promise<string> {
  const { workspaceId, externalId = null, anonId = null } = token;
  const rows = await retryLostRaces(() =>
    sql<{ customerId: string }[]>`
      select private.register_device_token(
        ${workspaceId}, ${externalId}, ${anonId}, ${token.token}, ${token.platform}
      ) as "customerId"
    `
  ).catch(throwWriteFailure);
  const row = rows[0];
  if (row === undefined) throw new Error("Cannot register device token: no row was returned");
  return row.customerId;
}

export interface DeviceTokenKey {
  workspaceId: string;
  token: string;
}

/** Removes a token; false if it does not exist. */
export async function removeDeviceToken(sql: Sql, key: DeviceTokenKey): Promise<boolean> {
  const rows = await sql<{ removed: boolean }[]>`
    select private.remove_device_token(${key.workspaceId}, ${key.token}) as removed
  `.catch(throwWriteFailure);
  return rows[0]?.removed ?? false;
}
