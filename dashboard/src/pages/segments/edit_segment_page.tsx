import { useNavigate, useParams } from "@tanstack/react-router";
import type { Segment } from "../../api/types.ts";
import { type ApiBody, useApiAction, useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { RoleGate } from "../../ui/role_gate.tsx";
import { SegmentFields, useSegmentForm } from "./segment_form.tsx";

/** Creates a segment, perhaps from the filter of a list of customers. */
export function NewSegmentPage() {
  const open = useOpenSegment();
  const { filter } = useFilters().filters;
  const { form, submitTo, generalError, draft } = useSegmentForm({ filter });
  const create = useApiAction("POST /segments", (body: ApiBody<"POST /segments">) => ({ body }), {
    onSuccess: ({ id }) => open(id),
  });
  return (
    <Page
      title="New segment"
      description="A group of customers, for campaigns, journeys and filters."
      above={<BackLink path="/segments">Segments</BackLink>}
    >
      <RoleGate role="member" action="create segments">
        <SegmentFields
          form={form}
          isNew
          onSubmit={submitTo(create)}
          submitLabel="Create segment"
          cancel={() => open()}
          draft={draft}
          isPending={create.isPending}
          error={create.error}
          generalError={generalError(create.error)}
        />
      </RoleGate>
    </Page>
  );
}

/** Changes a segment. */
export function EditSegmentPage() {
  const { segmentId } = useParams({ from: "/w/$workspaceId/segments/$segmentId/edit" });
  const segment = useApiItem("GET /segments/{id}", { params: { id: segmentId } });
  return <ItemView item={segment}>{(data) => <EditSegment segment={data} />}</ItemView>;
}

function EditSegment({ segment }: { segment: Segment }) {
  const open = useOpenSegment();
  const { form, submitTo, generalError, draft } = useSegmentForm({ segment });
  const save = useApiAction(
    "PATCH /segments/{id}",
    (body: ApiBody<"PATCH /segments/{id}">) => ({ params: { id: segment.id }, body }),
    { onSuccess: () => open(segment.id) },
  );
  return (
    <Page
      title={`Edit ${segment.name}`}
      description={segment.kind === "live" &&
        "If you change the condition, the current members stay until the new ones are known."}
      above={<BackLink path={`/segments/${segment.id}`}>{segment.name}</BackLink>}
    >
      <RoleGate role="member" action="change segments">
        <SegmentFields
          form={form}
          onSubmit={submitTo(save)}
          submitLabel="Save"
          cancel={() => open(segment.id)}
          draft={draft}
          isPending={save.isPending}
          error={save.error}
          generalError={generalError(save.error)}
        />
      </RoleGate>
    </Page>
  );
}

/** Returns a function that opens a segment, or the list of them. */
function useOpenSegment() {
  const navigate = useNavigate();
  const { id: workspaceId } = useWorkspace();
  return (segmentId?: string) => {
    void (segmentId
      ? navigate({ to: "/w/$workspaceId/segments/$segmentId", params: { workspaceId, segmentId } })
      : navigate({ to: "/w/$workspaceId/segments", params: { workspaceId } }));
  };
}
