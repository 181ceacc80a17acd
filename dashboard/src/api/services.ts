import { createContext, useContext } from "react";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiCallError, type ApiClientMaker, createApiClients } from "./api_client.ts";
import { type AuthLoader, openSession, type SessionStore } from "./session.ts";
import { type Config, loadConfig } from "../early/config.ts";
import { deleteRecentPages } from "./recent_pages.ts";
import { deleteDrafts } from "./stored_drafts.ts";

/** Objects shared by all pages, created once. */
export interface Services {
  config: Config;
  loadAuth: AuthLoader;
  session: SessionStore;
  makeApi: ApiClientMaker;
  queries: QueryClient;
}

export async function createServices(): Promise<Services> {
  const config = await loadConfig();
  const { session, loadAuth } = await openSession(config);
  keepPrivate(session);
  return {
    config,
    loadAuth,
    session,
    makeApi: createApiClients(config, { loadAuth, session }),
    queries: createQueries(),
  };
}

/** Deletes the drafts and recent pages of others when somebody signs in. */
function keepPrivate(session: SessionStore): void {
  session.subscribe(() => {
    const userId = session.current()?.user.id;
    if (userId === undefined) return;
    deleteDrafts(userId);
    deleteRecentPages(userId);
  });
}

function createQueries(): QueryClient {
  const onError = (error: Error) => {
    // The role has changed or the user was removed: read the workspaces again.
    const isRefused = error instanceof ApiCallError && [403, 404].includes(error.status);
    if (isRefused) void queries.invalidateQueries({ queryKey: workspacesKey });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 5_000, retry: shouldRetry, refetchOnWindowFocus: true },
    },
  });
  return queries;
}

/** Retries failures of the service only: a bad request stays bad. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = error instanceof ApiCallError ? error.status : 0;
  return failures < 2 && (status === 429 || status >= 500);
}

const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("Cannot use the services outside of ServicesProvider");
  return services;
}

/** Query key of the user's workspaces, with the role in each. */
export const workspacesKey = ["workspaces"];
