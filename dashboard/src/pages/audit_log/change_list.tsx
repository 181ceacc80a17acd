import { Box, Text } from "@mantine/core";
import type { JsonObject } from "../../api/types.ts";
import { useNameOf } from "../../conditions/use_references.ts";
import { type Change, isLong, nameField, readable, readChanges, showValue } from "./changes.ts";

/** The fields that a change made different, in a row of the list. Long values are in the drawer. */
export function ChangeList({ details }: { details: JsonObject }) {
  const nameOf = useNameOf(details);
  return (
    <Box component="dl" m={0} className="changes">
      {readChanges(details).map(([field, { before, after, is_too_long }]) => (
        <Box key={field} mb={4}>
          <Text component="dt" size="xs" c="dimmed" fw={500} className="break-anywhere">
            {nameField(field)}
          </Text>
          <Text component="dd" size="xs" m={0} className="break-anywhere">
            <Values
              before={readable(field, before, nameOf)}
              after={readable(field, after, nameOf)}
              is_too_long={is_too_long === true}
            />
          </Text>
        </Box>
      ))}
    </Box>
  );
}

function Values({ before, after, is_too_long }: Change) {
  if (is_too_long || isLong(before) || isLong(after)) return "changed";
  return (
    <>
      <del>
        <bdi>{showValue(before)}</bdi>
      </del>{" "}
      →{" "}
      <ins>
        <bdi>{showValue(after)}</bdi>
      </ins>
    </>
  );
}
