import { createTopic } from "./create_topic.ts";
import { deleteTopic } from "./delete_topic.ts";
import { getTopic } from "./get_topic.ts";
import { listTopics } from "./list_topics.ts";
import { putTopic } from "./put_topic.ts";
import { updateTopic } from "./update_topic.ts";

/** Routes of this resource. */
export const topicRoutes = [
  createTopic,
  deleteTopic,
  getTopic,
  listTopics,
  putTopic,
  updateTopic,
] as const;
