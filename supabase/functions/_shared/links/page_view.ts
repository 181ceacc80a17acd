import { fillText, type PageLanguage } from "./page_texts.ts";

/** A topic, and whether the reader of a page is subscribed to it. */
export interface TopicState {
  id: string;
  name: string;
  description: string | null;
  subscribed: boolean;
}

/** Pages that links in messages lead to. */
export type PageKind = "unsubscribe" | "preferences";

/** A page in the form that the function and the dashboard's static page both show. */
export interface PageView {
  kind: PageKind;
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

/** Facts that a page shows. */
export interface PageFacts {
  kind: PageKind;
  /** Name of the workspace. */
  workspace: string;
  topics: readonly TopicState[];
  /** Topic of the message; null if it is transactional. */
  topicId: string | null;
  language: PageLanguage;
  /** Token of the page with all topics. */
  preferencesToken: string;
  /** The last POST did this. @default nothing */
  done?: "unsubscribed" | "saved" | undefined;
}

/** Builds the page of a link. */
export function buildPageView(facts: PageFacts): PageView {
  const { kind, workspace, topics, language, done } = facts;
  const { lang, dir, texts } = language;
  const topic = topics.find(({ id }) => id === facts.topicId)?.name;
  const isUnsubscribe = kind === "unsubscribe";
  const question = topic === undefined ? texts.unsubscribeAllQuestion : texts.unsubscribeQuestion;
  return {
    kind,
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
    preferences_token: facts.preferencesToken,
  };
}
