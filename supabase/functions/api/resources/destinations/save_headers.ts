import { invalidInput } from "../../../_shared/errors/errors.ts";
import { formatPath } from "../../../_shared/json/json.ts";
import { maxHeaders, type RequestHeaders } from "../../contract/request_headers.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { ApiService } from "../../kernel/route.ts";
import { changeHeaders, type DestinationKey } from "./destination_queries.ts";

/** The parts of a stored destination that decide which headers it keeps. */
export interface HeaderOwner {
  url: string;
  header_names: readonly string[];
}

interface HeaderEdit {
  url?: string | undefined;
  headers?: RequestHeaders | undefined;
}

/** Names of headers that a change added, gave another value, or removed. */
export interface HeaderChange {
  added?: string[];
  changed?: string[];
  removed?: string[];
}

/**
 * Checks a change against the headers that are stored. A value is kept only for the origin that it
 * was given for, so that nobody can have it sent to another server.
 *
 * @throws {ApiError} `invalid_input`
 */
export function checkHeaders(stored: HeaderOwner, { url, headers = {} }: HeaderEdit): void {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = stored.header_names.filter((name) => !given.has(name.toLowerCase()));
  if (url !== undefined && new URL(url).origin !== new URL(stored.url).origin) {
    const message = "must be given again or removed, because the origin of the URL changes";
    const details = kept.map((name) => ({ field: formatPath(["headers", name]), message }));
    if (details.length > 0) throw invalidInput(details);
  }
  const set = Object.values(headers).filter((value) => value !== null);
  if (kept.length + set.length <= maxHeaders) return;
  const message = `must leave the destination at most ${maxHeaders} headers`;
  throw invalidInput([{ field: "headers", message }]);
}

/** Describes a change for the audit log, by names alone; undefined if there is none. */
export function describeHeaders(
  { header_names }: Pick<HeaderOwner, "header_names">,
  headers: RequestHeaders | undefined,
): HeaderChange | undefined {
  const stored = new Set(header_names.map((name) => name.toLowerCase()));
  const isStored = ([name]: [string, unknown]) => stored.has(name.toLowerCase());
  const given = Object.entries(headers ?? {});
  const set = given.filter(([, value]) => value !== null);
  const lists = {
    added: set.filter((entry) => !isStored(entry)),
    changed: set.filter(isStored),
    removed: given.filter((entry) => entry[1] === null && isStored(entry)),
  };
  const named = Object.entries(lists).filter(([, entries]) => entries.length > 0)
    .map(([kind, entries]) => [kind, entries.map(([name]) => name)]);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** Encrypts the values of headers for their destination alone, and stores them. */
export async function saveHeaders(
  tx: CallerSql,
  { headers, service, ...key }: DestinationKey & {
    headers: RequestHeaders | undefined;
    service: ApiService;
  },
): Promise<void> {
  const given = Object.entries(headers ?? {});
  if (given.length === 0) return;
  const { workspaceId, destinationId } = key;
  const owner = { kind: "destination_header", workspaceId, id: destinationId } as const;
  const changes = await Promise.all(given.map(async ([name, value]) => ({
    name,
    ciphertext: value === null ? null : await service.secretBox.encrypt(owner, value),
  })));
  await changeHeaders(tx, { ...key, changes });
}
