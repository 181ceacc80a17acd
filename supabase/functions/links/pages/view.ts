import { makeLinkToken } from "../../_shared/links/link_token.ts";
import type { Preferences, TopicState } from "../link_queries.ts";
import type { FoundLink } from "../found_link.ts";
import { fillText, type PageLanguage } from "./texts.ts";

/** A page as both the function and the static page of the dashboard show it. */
export interface PageView {
  kind: "unsubscribe" | "preferences";
  lang: string;
  dir: "ltr" | "rtl";
  workspace: string;
  title: string;
  text: string;
  /** Result of the last POST; null before. */
  notice: string | null;
  topics: readonly TopicState[];
  labels: { submit: string; all: string; preferences: string };
  /** Token of the page with all topics. */
  preferences_token: string;
}

export interface ViewOptions {
  found: FoundLink;
  preferences: Preferences;
  language: PageLanguage;
  /** The last POST did this. @default nothing */
  done?: "unsubscribed" | "saved" | undefined;
}

/** Builds the page of a link. */
export function buildView({ found, preferences, language, done }: ViewOptions): PageView {
  const { lang, dir, texts } = language;
  const { workspace, topics, topic_id } = preferences;
  const { link, key } = found;
  const topic = topics.find(({ id }) => id === topic_id)?.name;
  const isUnsubscribe = link.kind === "unsubscribe";
  const question = topic === undefined ? texts.unsubscribeAllQuestion : texts.unsubscribeQuestion;
  return {
    kind: isUnsubscribe ? "unsubscribe" : "preferences",
    lang,
    dir,
    workspace,
    title: isUnsubscribe ? texts.unsubscribe : texts.preferences,
    text: fillText(isUnsubscribe ? question : texts.preferencesHint, {
      workspace,
      topic: topic ?? "",
    }),
    notice: done === undefined ? null : texts[done],
    topics: isUnsubscribe ? [] : topics,
    labels: {
      submit: isUnsubscribe ? texts.unsubscribe : texts.save,
      all: texts.unsubscribeAll,
      preferences: texts.preferences,
    },
    preferences_token: makeLinkToken(key, { ...link, kind: "preferences", index: 0 }),
  };
}
