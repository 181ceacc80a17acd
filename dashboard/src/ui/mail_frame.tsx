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
}

/** A rendered mail in a frame that runs no scripts, loads nothing and follows no links. */
export function MailFrame({ html, title, height = 480, width }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const show = () => {
    const document = frame.current?.contentDocument;
    if (document) showMail(document, html);
  };
  useEffect(show, [html]);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      srcDoc='<!doctype html><html lang="en"><title>Mail</title><body></body></html>'
      onLoad={show}
      className="mail-frame"
      style={{ height, width: width ?? "100%" }}
    />
  );
}
