import type { TagSpec } from "@codemirror/lang-html";

const box = "padding padding-top padding-right padding-bottom padding-left css-class";
const font = "color font-family font-size font-style font-weight line-height letter-spacing align";
const border = "border border-radius background-color";

const alignments: Record<string, readonly string[]> = {
  align: ["left", "center", "right"],
  "vertical-align": ["top", "middle", "bottom"],
  target: ["_blank", "_self"],
  direction: ["ltr", "rtl"],
  "full-width": ["full-width"],
  mode: ["horizontal", "vertical"],
};

/** Describes an element. Each list is a text of names. */
function element(attributes: string, children?: string): TagSpec {
  const names = attributes.split(" ").filter((name) => name !== "");
  return {
    attrs: Object.fromEntries(names.map((name) => [name, alignments[name] ?? null])),
    globalAttrs: false,
    ...children === undefined ? {} : { children: children.split(" ").filter(Boolean) },
  };
}

const inColumn = "mj-text mj-button mj-image mj-divider mj-spacer mj-social mj-table mj-navbar " +
  "mj-accordion mj-carousel mj-hero mj-raw";
const link = "href rel target title";

/** Elements of MJML 4, with their attributes and what they may contain. */
export const mjmlTags: Readonly<Record<string, TagSpec>> = {
  mjml: element("lang dir", "mj-head mj-body"),
  "mj-head": element(
    "",
    "mj-attributes mj-breakpoint mj-font mj-html-attributes mj-preview mj-style mj-title mj-raw",
  ),
  "mj-body": element(
    "background-color css-class width",
    "mj-section mj-wrapper mj-hero mj-raw",
  ),
  "mj-attributes": element(""),
  "mj-all": element(`${font} ${box}`, ""),
  "mj-class": element(`name ${font} ${box}`, ""),
  "mj-breakpoint": element("width", ""),
  "mj-font": element("name href", ""),
  "mj-preview": element("", ""),
  "mj-style": element("inline", ""),
  "mj-title": element("", ""),
  "mj-wrapper": element(`${box} ${border} full-width text-align`, "mj-section mj-raw"),
  "mj-section": element(
    `${box} ${border} background-url background-size background-repeat direction full-width ` +
      "text-align",
    "mj-column mj-group mj-raw",
  ),
  "mj-group": element("width background-color direction vertical-align", "mj-column mj-raw"),
  "mj-column": element(`${box} ${border} width vertical-align inner-background-color`, inColumn),
  "mj-text": element(`${font} ${box} text-decoration text-transform height`),
  "mj-button": element(
    `${link} ${font} ${box} ${border} inner-padding width height text-decoration vertical-align`,
  ),
  "mj-image": element(
    `src alt ${link} ${box} ${border} align width height fluid-on-mobile srcset sizes`,
    "",
  ),
  "mj-divider": element(`border-color border-style border-width width align ${box}`, ""),
  "mj-spacer": element(`height ${box}`, ""),
  "mj-table": element(`${font} ${box} border cellpadding cellspacing width role`),
  "mj-hero": element(
    `${box} background-color background-url background-height background-width mode height width ` +
      "vertical-align",
    inColumn,
  ),
  "mj-social": element(`${font} ${box} icon-size mode`, "mj-social-element"),
  "mj-social-element": element(`name src alt ${link} ${font} background-color icon-size`),
  "mj-navbar": element("base-url hamburger align", "mj-navbar-link"),
  "mj-navbar-link": element(`${link} ${font} ${box}`),
  "mj-accordion": element(`${box} border font-family`, "mj-accordion-element"),
  "mj-accordion-element": element(
    "background-color border font-family",
    "mj-accordion-title mj-accordion-text",
  ),
  "mj-accordion-title": element(`${font} ${box} background-color`),
  "mj-accordion-text": element(`${font} ${box} background-color`),
  "mj-carousel": element(
    "align border-radius icon-width thumbnails css-class",
    "mj-carousel-image",
  ),
  "mj-carousel-image": element(`src alt ${link}`, ""),
  "mj-raw": element("position"),
};
