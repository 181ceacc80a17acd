import "../theme/mail.css";
import { useEffect, useRef } from "react";
import { showMail } from "./show_mail.ts";

interface MailFrameProps {
  /** The rendered mail. */
  html: string;
  /** Names the frame for screen readers. */
  title: string;
  /** Pixels. @default 480 */
  height?: number;
  /** Pixels. @default the whole width */
  width?: number | undefined;
  /** Shows the mail as a program with a dark scheme does. @default false */
  isDark?: boolean;
}

/** A rendered mail in a frame that runs no scripts, loads nothing and follows no links. */
export function MailFrame({ html, title, height = 480, width, isDark = false }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const show = () => {
    const document = frame.current?.contentDocument;
    // A frame that is still parsed has no body yet: it is shown when it has loaded.
    if (document?.body) showMail(document, html, isDark ? "dark" : "light");
  };
  useEffect(show, [html, isDark]);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      srcDoc='<!doctype html><html lang="en"><title>Email</title><body></body></html>'
      onLoad={show}
      className="mail-frame"
      data-scheme={isDark ? "dark" : "light"}
      style={{ height, width: width ?? "100%" }}
    />
  );
}
