import { type LinkKind, linkKinds, makeLinkToken } from "../_shared/links/link_token.ts";

/** URLs of one message. */
export interface MessageLinks {
  unsubscribeUrl: string;
  preferencesUrl: string;
  /** URL of the image that records an open. */
  openUrl: string;
  /** URL that leads to the link at a position of the link table. */
  clickUrl(index: number): string;
  /** True for a URL of the service's own links, which are never clicks. */
  isOwn(url: string): boolean;
}

export interface MessageLinksOptions {
  /** Base URL of the function `links`. */
  linksUrl: string;
  workspaceId: string;
  sendId: string;
  /** Key of the workspace for links. */
  key: Uint8Array;
}

/** Creates the URLs of a message. The same message gets the same URLs. */
export function createMessageLinks(options: MessageLinksOptions): MessageLinks {
  const { workspaceId, sendId, key } = options;
  const base = options.linksUrl.replace(/\/+$/, "");
  const urlOf = (kind: LinkKind, index = 0) =>
    `${base}/${linkKinds[kind]}/${makeLinkToken(key, { kind, workspaceId, sendId, index })}`;
  return {
    unsubscribeUrl: urlOf("unsubscribe"),
    preferencesUrl: urlOf("preferences"),
    openUrl: urlOf("open"),
    clickUrl: (index) => urlOf("click", index),
    isOwn: (url) => url.startsWith(`${base}/`),
  };
}
