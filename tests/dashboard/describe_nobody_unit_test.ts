import assert from "node:assert/strict";
import { describeNobody } from "../../dashboard/src/pages/journeys/model/describe_nobody.ts";

const nobody = {
  definition: { trigger: { segment: "s1", on: "enter" as const }, start: "", steps: {} },
  entered: 0,
  holdout: { entered: 0, reached_goal: 0 },
  not_entered: {},
};

const describe = (result: object) => describeNobody({ ...nobody, ...result }, () => "VIP");

Deno.test("a rehearsal in which nobody enters says why", () => {
  assert.equal(describe({}), "Nobody matched the trigger in this period: Enters VIP.");
  assert.equal(
    describe({ not_entered: { condition: 4, unknown_customer: 1 } }),
    "4 entries were refused: the entry condition. 1 entry was refused: unknown customer.",
  );
  assert.equal(
    describe({ entered: 2, holdout: { entered: 2, reached_goal: 0 } }),
    "2 customers were held out.",
  );
});

Deno.test("a rehearsal in which somebody enters needs no reason", () => {
  assert.equal(describe({ entered: 3, holdout: { entered: 2, reached_goal: 0 } }), undefined);
});
