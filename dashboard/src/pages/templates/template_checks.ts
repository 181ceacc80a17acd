import { findNearName } from "../../../../supabase/functions/api/contract/near_name.ts";
import { countOf, formatBytes } from "../../format/numbers.ts";

/** A check of a rendered template. */
export interface TemplateCheck {
  label: string;
  isFine: boolean;
  /** Advice; null if it is fine. */
  remedy: string | null;
}

interface Rendered {
  subject: string;
  html: string | null;
  text: string | null;
  variables: readonly string[];
  missing: readonly string[];
  warnings: readonly string[];
}

interface CheckOptions {
  /** False if the mail is rendered for nobody. */
  hasCustomer: boolean;
  /** Names of attributes that customers have; undefined while they are unknown. */
  attributeNames?: readonly string[] | undefined;
}

/** A link of a mail, with the text or image that leads there. */
export interface MailLink {
  text: string;
  href: string;
}

/** Gmail cuts mails off after this many bytes. */
const clippedBytes = 102 * 1024;
/** Phones show about this many characters of a subject. */
const longSubject = 60;
const linkForm = /^(?:https?:\/\/[^\s/]|mailto:.|tel:.)/i;

/**
 * Checks a rendered template: link to unsubscribe, subject, size, alt texts, links, variables and
 * other warnings of the api. Each mistake is one problem. Without a customer, their variables are
 * not missing.
 */
export function checkTemplate(
  rendered: Rendered,
  { hasCustomer, attributeNames = [] }: CheckOptions,
): TemplateCheck[] {
  const { subject, html, text, warnings } = rendered;
  const size = new TextEncoder().encode(html ?? text ?? "").length;
  const others = warnings.filter((warning) =>
    !isAboutUnsubscribing(warning) && !alwaysEmpty.test(warning)
  );
  return [
    checkUnsubscribe(rendered),
    check(
      `Subject: ${countOf(subject.length, "character")}`,
      subject.length <= longSubject,
      `Phones show about ${longSubject}.`,
    ),
    check(
      `Size: ${formatBytes(size)}`,
      size <= clippedBytes,
      `Gmail cuts off mails after ${formatBytes(clippedBytes)}. Remove what you do not need.`,
    ),
    checkImages(html ?? ""),
    checkLinks(listLinks(html ?? "")),
    ...checkVariables(rendered, { hasCustomer, attributeNames }),
    ...others.map((warning) => ({ label: "Warning", isFine: false, remedy: warning })),
  ];
}

/** Lists the variables that a customer would fill in, without those that no customer can. */
export function listCustomerVariables(
  rendered: Pick<Rendered, "missing" | "warnings">,
  attributeNames: readonly string[] = [],
): string[] {
  return listMissing(rendered, attributeNames).filter(isOfCustomer);
}

function isOfCustomer(variable: string): boolean {
  return variable.startsWith("customer.");
}

const attributePrefix = "customer.attributes.";
/** A warning of the api about a variable that is empty for every customer. */
const alwaysEmpty = /^Variable "(.*)" is always empty/;

/** Says that variables have a value only if none of them is misspelled. */
function checkVariables(
  rendered: Rendered,
  { hasCustomer, attributeNames }: Required<CheckOptions>,
): TemplateCheck[] {
  const names = attributeNames ?? [];
  const missing = listMissing(rendered, names)
    .filter((variable) => hasCustomer || !isOfCustomer(variable));
  const misspelled = rendered.warnings.filter((warning) => alwaysEmpty.test(warning));
  const unknown = listUnknownAttributes(rendered, names);
  const isSpelled = misspelled.length === 0 && unknown.length === 0;
  return [
    ...isSpelled || missing.length > 0
      ? [check(
        "Variables have a value",
        missing.length === 0,
        `Empty ${hasCustomer ? "for this customer" : "in this preview"}: ${missing.join(", ")}`,
      )]
      : [],
    ...misspelled.map((warning) => check("Misspelled variable", false, warning)),
    ...unknown.map((path) => check("Unknown attribute", false, describeUnknown(path, names))),
    ...names.length > 0 && unknown.length === 0 ? [check("Attributes of customers", true, "")] : [],
  ];
}

/** Lists the variables that are empty here, and not for everybody. */
function listMissing(
  rendered: Pick<Rendered, "missing" | "warnings">,
  attributeNames: readonly string[],
): string[] {
  const misspelled = rendered.warnings.flatMap((warning) => alwaysEmpty.exec(warning)?.[1] ?? []);
  const wrong = new Set([...misspelled, ...listUnknownAttributes(rendered, attributeNames)]);
  return rendered.missing.filter((variable) => !wrong.has(variable));
}

/** Lists the attributes that no customer has. Without any names, nothing is known about them. */
function listUnknownAttributes(
  { missing }: Pick<Rendered, "missing">,
  names: readonly string[],
): string[] {
  if (names.length === 0) return [];
  return missing.filter((path) => {
    if (!path.startsWith(attributePrefix)) return false;
    const attribute = path.slice(attributePrefix.length);
    return !names.some((name) => attribute === name || attribute.startsWith(`${name}.`));
  });
}

function describeUnknown(path: string, names: readonly string[]): string {
  const [first = "", ...rest] = path.slice(attributePrefix.length).split(".");
  const near = findNearName(first, names);
  const meant = near && `${attributePrefix}${[near, ...rest].join(".")}`;
  return `No recent customer has ${path}.` + (meant ? ` Did you mean ${meant}?` : "");
}

function checkUnsubscribe({ html, warnings }: Rendered): TemplateCheck {
  return check(
    "Link to unsubscribe",
    !warnings.some(isAboutUnsubscribing),
    "Marketing cannot use it without {{ unsubscribe_url }} or {{ preferences_url }} in the " +
      `${html === null ? "text" : "HTML"}.`,
  );
}

/** Returns whether a warning of the api says that marketing needs a link to unsubscribe. */
export function isAboutUnsubscribing(warning: string): boolean {
  return warning.startsWith("Marketing ");
}

function checkImages(html: string): TemplateCheck {
  const images = [...html.matchAll(/<img\b[^>]*>/gi)].map(([tag]) => tag);
  const silent = images.filter((tag) => !/\balt\s*=/i.test(tag)).length;
  return check(
    images.length === 0 ? "No images" : "Images have a text",
    silent === 0,
    `${silent} of ${images.length} have no alt attribute: people who cannot see images miss ` +
      "their content.",
  );
}

function checkLinks(links: readonly MailLink[]): TemplateCheck {
  const wrong = links.filter(({ href }) => !linkForm.test(href)).map(({ href }) => href);
  const empty = wrong.filter((href) => href === "" || href === "#").length;
  const others = wrong.filter((href) => href !== "" && href !== "#");
  return check(
    links.length === 0 ? "No links" : "Links lead somewhere",
    wrong.length === 0,
    [
      empty > 0 ? `${empty} of ${links.length} have an empty address.` : "",
      others.length > 0 ? `Not a complete address: ${others.join(", ")}` : "",
    ].filter(Boolean).join(" "),
  );
}

/** Lists the links of a mail, in their order. */
export function listLinks(html: string): MailLink[] {
  const found = html.matchAll(
    /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>([\s\S]*?)<\/a\s*>/gi,
  );
  return [...found].map(([, double, single, inner = ""]) => ({
    href: (double ?? single ?? "").trim().replaceAll("&amp;", "&"),
    text: readText(inner),
  }));
}

function readText(inner: string): string {
  const image = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(inner);
  const text = inner.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim();
  return text || (image?.[1] ?? image?.[2] ?? "").trim();
}

function check(label: string, isFine: boolean, remedy: string): TemplateCheck {
  return { label, isFine, remedy: isFine ? null : remedy };
}
