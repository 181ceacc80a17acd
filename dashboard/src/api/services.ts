import { createContext, useContext } from "react";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiCallError, type ApiClientMaker, createApiClients } from "./api_client.ts";
import { type Auth, createAuth } from "./auth_client.ts";
import { createSessionStore, type SessionStore } from "./session.ts";
import { type Config, loadConfig } from "./config.ts";

/** What pages need from outside of them, made once. */
export interface Services {
  config: Config;
  auth: Auth;
  session: SessionStore;
  makeApi: ApiClientMaker;
  queries: QueryClient;
}

export async function createServices(): Promise<Services> {
  const config = await loadConfig();
  const auth = createAuth(config);
  const session = await createSessionStore(auth);
  return {
    config,
    auth,
    session,
    makeApi: createApiClients(config, { auth, session }),
    queries: createQueries(),
  };
}

function createQueries(): QueryClient {
  const onError = (error: Error) => {
    // The user has another role than the page believes, or was removed: it finds out.
    const isRefused = error instanceof ApiCallError && [403, 404].includes(error.status);
    if (isRefused) void queries.invalidateQueries({ queryKey: WORKSPACES_KEY });
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

/** What the caller did wrong stays wrong; only the service's own trouble may pass. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = error instanceof ApiCallError ? error.status : 0;
  return failures < 2 && (status === 429 || status >= 500);
}

const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("Cannot use services outside of ServicesProvider");
  return services;
}

/** Under which the user's workspaces are kept, with the role in each. */
export const WORKSPACES_KEY = ["workspaces"];
/** Under which the open invitations to the user are kept. */
export const INVITATIONS_KEY = ["invitations"];
