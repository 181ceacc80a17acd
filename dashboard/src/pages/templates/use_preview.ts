import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { ApiResponse } from "../../api/api_client.ts";
import { type ApiBody, useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import type { SampleData } from "./use_sample_data.ts";
import { useShownCustomer } from "./use_shown_customer.ts";

export type Rendered = ApiResponse<"POST /templates/{id}/preview">;

/** A subject and a body, as the api takes them. */
export type Contents = Pick<ApiBody<"POST /templates">, "subject" | "html" | "mjml" | "text">;

/** Contents as a customer would get them. */
export interface Preview {
  /** The last contents that could be rendered. */
  rendered: Rendered | undefined;
  /** The reason why the newest contents cannot be rendered. */
  error: Error | null;
}

interface PreviewInput {
  templateId: string;
  /** Edited contents, which need not be saved. */
  contents: Contents;
  data: SampleData["data"];
}

/** Renders contents with the values of the shown customer and with sample data. */
export function usePreview({ templateId, contents, data }: PreviewInput): Preview {
  const api = useApi();
  const { customerId, isKnown } = useShownCustomer();
  const { id: workspaceId } = useWorkspace();
  const preview = useQuery({
    queryKey: [workspaceId, "template preview", templateId, customerId, contents, data],
    queryFn: ({ signal }) =>
      api.call("POST /templates/{id}/preview", {
        params: { id: templateId },
        body: {
          ...contents,
          ...customerId ? { customer_id: customerId } : {},
          ...data ? { data } : {},
        },
        signal,
      }),
    enabled: isKnown,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const rendered = useRef<Rendered>(undefined);
  rendered.current = preview.data ?? rendered.current;
  return { rendered: rendered.current, error: preview.error };
}
