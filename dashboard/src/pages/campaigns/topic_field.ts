/** The answer of a campaign's form that it has no topic. An empty field has none yet. */
export const noTopic = "none";

/** Returns the topic of the request for the answer in a form: null for none. */
export function readTopic(answer: string): string | null {
  return answer === "" || answer === noTopic ? null : answer;
}

/** Finds whether the question for the topic has no answer, with what to do. */
export function topicErrors({ topic }: { topic: string }): Record<string, string> {
  return topic === "" ? { topic: "Choose a topic, or “None” for a transactional email" } : {};
}
