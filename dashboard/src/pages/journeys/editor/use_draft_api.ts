import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { isConflict } from "../../../api/api_client.ts";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { useApi } from "../../../api/use_api.ts";
import type { StoredDraft } from "../../../api/use_draft.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import type { UnsavedChanges } from "./save_state.ts";

/** The draft at the api, which is only replaced if it is the one that was read here. */
export interface DraftApi {
  /** Replaces it, after what is on its way. */
  replace: (definition: Definition) => Promise<void>;
  /** Takes the draft as read: the next replacement replaces this one. */
  read: (journey: Journey) => void;
  /** Returns whether it was changed elsewhere. A slow response can be older than what was read. */
  isNews: (journey: Journey) => boolean;
  /** Returns the revision that the next replacement replaces. */
  revision: () => string;
}

/** Opens the draft of a journey at the api. Changes that this tab has kept replace an older one. */
export function useDraftApi(journey: Journey, stored: StoredDraft<UnsavedChanges>): DraftApi {
  const api = useApi();
  const queries = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  const [known] = useState(() => ({
    revision: stored.read()?.revision ?? journey.draft_revision,
    at: journey.updated_at,
  }));
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const read = ({ draft_revision, updated_at }: Journey) => {
    Object.assign(known, { revision: draft_revision, at: updated_at });
  };
  const send = async (definition: Definition) => {
    const params = { id: journey.id };
    const queryKey = [workspaceId, "GET /journeys/{id}", { params }];
    const body = { definition, draft_revision: known.revision };
    const changed = await api.call("PATCH /journeys/{id}", { params, body }).catch(
      async (error) => {
        // The question shows what the others have saved.
        if (isConflict(error)) {
          queries.setQueryData(queryKey, await api.call("GET /journeys/{id}", { params }));
        }
        throw error;
      },
    );
    read(changed);
    queries.setQueryData(queryKey, changed);
    await queries.invalidateQueries({
      queryKey: [workspaceId, "GET /journeys/{id}/publish-preview"],
    });
  };
  return {
    read,
    revision: () => known.revision,
    isNews: ({ draft_revision, updated_at }) =>
      draft_revision !== known.revision && updated_at >= known.at,
    replace: (definition) => {
      const sent = sending.current.catch(() => {}).then(() => send(definition));
      sending.current = sent;
      return sent;
    },
  };
}
