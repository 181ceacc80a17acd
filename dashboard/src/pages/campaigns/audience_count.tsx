import { Skeleton, Text } from "@mantine/core";
import type { Condition } from "../../api/condition_rules.ts";
import { usePreview } from "../../conditions/use_preview.ts";
import { countOf } from "../../format/numbers.ts";

interface AudienceCountProps {
  /** Empty while none is chosen. */
  segment: string;
  exclude: readonly string[];
  /** Empty for a transactional message. */
  topic: string;
}

/** Says how many customers a campaign reaches, while its audience is chosen. */
export function AudienceCount({ segment, exclude, topic }: AudienceCountProps) {
  const preview = usePreview(segment === "" ? undefined : audienceOf({ segment, exclude, topic }), {
    subject: "customers",
  });
  return (
    <Text
      component="div"
      size="sm"
      c={segment === "" ? "dimmed" : undefined}
      role="status"
      opacity={preview.isOld ? 0.6 : 1}
    >
      {segment === ""
        ? "Choose a segment to see how many customers you reach."
        : preview.error
        ? "The audience cannot be counted right now. The review counts it again."
        : preview.data === undefined
        ? <Skeleton h={40} />
        : (
          <>
            <b>
              {preview.data.isExact ? "" : "About "}
              {countOf(preview.data.count, "customer")}
            </b>{" "}
            with an address{topic && ", subscribed to the topic"}.{" "}
            <Text span c="dimmed">
              Suppressed addresses and addresses that several customers share are counted in the
              review.
            </Text>
          </>
        )}
    </Text>
  );
}

function audienceOf({ segment, exclude, topic }: AudienceCountProps): Condition {
  return {
    all: [
      { segment },
      ...exclude.map((id) => ({ not: { segment: id } })),
      { field: "email", op: "exists" },
      ...topic ? [{ topic, subscribed: true }] : [],
    ],
  };
}
