import { Box, Text } from "@mantine/core";
import type { JsonObject } from "../../api/types.ts";
import { isLong, nameField, readChanges, showValue } from "./changes.ts";

interface ChangeListProps {
  details: JsonObject;
  /** Leaves long values to the drawer. */
  isShort?: boolean;
}

/** The fields that a change made different, each with its value before and after. */
export function ChangeList({ details, isShort = false }: ChangeListProps) {
  return (
    <Box component="dl" m={0} className="changes">
      {readChanges(details).map(([field, change]) => (
        <Box key={field} mb={4}>
          <Text component="dt" size="xs" c="dimmed" fw={500} className="break-anywhere">
            {nameField(field)}
          </Text>
          <Text component="dd" size="xs" m={0} className="break-anywhere">
            {isShort && (change.is_too_long || isLong(change.before) || isLong(change.after))
              ? "changed"
              : change.is_too_long
              ? "Changed; too long to show"
              : (
                <>
                  <del>
                    <bdi>{showValue(change.before)}</bdi>
                  </del>{" "}
                  →{" "}
                  <ins>
                    <bdi>{showValue(change.after)}</bdi>
                  </ins>
                </>
              )}
          </Text>
        </Box>
      ))}
    </Box>
  );
}
