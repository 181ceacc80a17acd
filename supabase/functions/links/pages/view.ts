import { makeLinkToken } from "../../_shared/links/link_token.ts";
import type { PageLanguage } from "../../_shared/links/page_texts.ts";
import { buildPageView, type PageFacts, type PageView } from "../../_shared/links/page_view.ts";
import type { FoundLink } from "../found_link.ts";
import type { Preferences } from "../link_queries.ts";

export interface ViewOptions {
  found: FoundLink;
  preferences: Preferences;
  language: PageLanguage;
  /** The last POST did this. @default nothing */
  done?: PageFacts["done"];
}

/** Builds the page of a link. */
export function buildView({ found, preferences, language, done }: ViewOptions): PageView {
  const { link, key } = found;
  return buildPageView({
    kind: link.kind === "unsubscribe" ? "unsubscribe" : "preferences",
    workspace: preferences.workspace,
    topics: preferences.topics,
    topicId: preferences.topic_id,
    language,
    preferencesToken: makeLinkToken(key, { ...link, kind: "preferences", index: 0 }),
    done,
  });
}
