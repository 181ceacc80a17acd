import assert from "node:assert/strict";
import {
  noTopic,
  readTopic,
  topicErrors,
} from "../../dashboard/src/pages/campaigns/topic_field.ts";

Deno.test("a campaign without a topic is an answer, and an empty field is not", () => {
  assert.deepEqual(topicErrors({ topic: "" }), {
    topic: "Choose a topic, or “None” for a transactional email",
  });
  assert.deepEqual(topicErrors({ topic: noTopic }), {});
  assert.equal(readTopic(noTopic), null);
  assert.equal(readTopic("news"), "news");
});
