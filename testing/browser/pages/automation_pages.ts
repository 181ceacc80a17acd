import type { Page } from "playwright-core";
import type { PagesData } from "./fill_pages.ts";
import {
  createPageMaker,
  type PageMaker,
  type PageSpec,
  pressButton,
  pressItem,
} from "./page_spec.ts";

/** Journeys, campaigns, and what is sent, with their menus, drawers and dialogs. */
export function listAutomationPages(workspace: string, data: PagesData): PageSpec[] {
  const page = createPageMaker(workspace);
  return [
    ...listJourneyPages(page, data),
    ...listEditorPages(page, data),
    ...listCampaignPages(page, data),
    ...listTemplatePages(page, data),
    ...listSenderPages(page, data),
  ];
}

function listJourneyPages(page: PageMaker, { journeyId, runId }: PagesData): PageSpec[] {
  const journey = `/journeys/${journeyId}`;
  return [
    page("journeys", ["/journeys", "Onboarding"]),
    page("new_journey", ["/journeys", "Customers enter"], pressButton("New journey")),
    page("journey_rehearse", [`${journey}?tab=rehearse`, "Rehearse"]),
    page("journey_live", [`${journey}?tab=live`, "Inside now"]),
    page("journey_step", [`${journey}?tab=live&step=pause`, "Runs at Wait: For"]),
    page("journey_runs", [`${journey}?tab=runs`, "Inside"]),
    page("run", [`${journey}?tab=runs&run=${runId}`, "Continued to Wait: For"]),
    page("journey_versions", [`${journey}?tab=versions`, "Version 1"]),
    page("journey_menu", [journey, "Duplicate"], pressButton("More actions")),
    page(
      "publish_journey",
      [journey, "The draft is the same as version 1"],
      pressButton("Publish"),
    ),
    page("pause_journey", [journey, "Pause this journey?"], pressButton("Pause")),
    page("drain_journey", [journey, "Drain this journey?"], pressItem("More actions", "Drain")),
    page("stop_journey", [journey, "Stop this journey?"], pressItem("More actions", "Stop")),
    page("edit_journey", [journey, "Description"], pressItem("More actions", "Name and key")),
    page("delete_journey", [journey, "Stop journey…"], pressItem("More actions", "Delete")),
  ];
}

/** The editor of a draft: canvas, list and JSON, the panel of a step, and a test. */
function listEditorPages(page: PageMaker, { journeyId }: PagesData): PageSpec[] {
  const draft = `/journeys/${journeyId}?tab=draft`;
  const select = (page: Page) => page.locator('[data-step="hello"]').click();
  return [
    page(
      "journey_canvas",
      [draft, "Draft saved"],
      (page) => page.locator('[data-step="pause"]').waitFor(),
    ),
    page("journey_list", [draft, "then →"], pressButton("List")),
    page("journey_json", [draft, "The format that the API uses"], pressButton("JSON")),
    page("canvas_keys", [draft, "Undo"], pressButton("Keys of the canvas")),
    page(
      "add_step",
      [draft, "Send a template to the customer"],
      pressButton("Add a step after the trigger"),
    ),
    page("step_send", [draft, "Template"], select),
    page("step_menu", [draft, "Mark"], async (page) => {
      await select(page);
      await pressButton("Actions of the step")(page);
    }),
    page(
      "journey_entry",
      [draft, "Customers enter"],
      (page) => page.locator('[data-step="@entry"]').click(),
    ),
    page("test_journey", [draft, "Run the test"], pressButton("Test")),
  ];
}

function listCampaignPages(page: PageMaker, data: PagesData): PageSpec[] {
  const sent = `/campaigns/${data.campaignId}`;
  const draft = `/campaigns/${data.draftCampaignId}`;
  return [
    page("campaigns", ["/campaigns", "Autumn sale"]),
    page("new_campaign", ["/campaigns/new", "Continue to review"]),
    page("edit_campaign", [`${draft}/edit`, "Autumn sale, second part"]),
    page("campaign_review", [draft, "This campaign will go to"]),
    page("test_campaign", [draft, "Your own addresses"], pressButton("Send test email")),
    page("send_campaign", [draft, "Send this campaign now?"], pressButton("Send now")),
    page("campaign_menu", [draft, "Duplicate"], pressButton("More actions")),
    page("campaign", [sent, "See the emails"]),
    page("delete_campaign", [sent, "with its figures"], pressItem("More actions", "Delete")),
  ];
}

function listTemplatePages(page: PageMaker, { offerId }: PagesData): PageSpec[] {
  const template = `/templates/${offerId}`;
  return [
    page("templates", ["/templates", "Offer"]),
    page("new_template", ["/templates", "Format"], pressButton("New template")),
    page("template", [template, "Save as a new version"]),
    page("template_versions", [`${template}?tab=versions`, "Subject"]),
    page("template_details", [`${template}?tab=details`, "Template ID"]),
    page(
      "send_template",
      [template, "A customer, who gets nothing"],
      pressButton("Send test email"),
    ),
    page(
      "delete_template",
      [template, "Emails that were sent stay readable"],
      pressItem("More actions", "Delete"),
    ),
    page("topics", ["/topics", "newsletter"]),
    page("new_topic", ["/topics", "Identifies the topic in the API"], pressButton("New topic")),
    page("edit_topic", ["/topics", "Edit topic"], pressButton(/newsletter/)),
  ];
}

function listSenderPages(page: PageMaker, data: PagesData): PageSpec[] {
  const { senderId, smtpId, sendId, skippedId, suppressedId } = data;
  const sender = `/senders/${senderId}`;
  const view = "/sends?state=sent&columns=To,State,Campaign,Sender";
  return [
    page("senders", ["/senders", "Local inbox"]),
    page("new_sender", ["/senders", "Emails per second"], pressButton("New sender")),
    page("sender", [sender, "Open the inbox"]),
    page("smtp_sender", [`/senders/${smtpId}`, "Check DNS"]),
    page("sender_menu", [sender, "Edit"], pressButton("More actions")),
    page("edit_sender", [sender, "From"], pressItem("More actions", "Edit")),
    page(
      "test_sender",
      [sender, "Leave empty to use your own address"],
      pressButton("Send test email"),
    ),
    page("sends", ["/sends", "@example.com"]),
    page("send_columns", [view, "@example.com"]),
    page("unknown_campaign", [`/sends?campaign_id=${data.sendId}`, "No matching emails"]),
    page("opened_view", [view, "Rename"], pressButton(/^Views/)),
    page("rename_view", [view, "Rename view"], pressItem(/^Views/, "Rename…")),
    page("delete_view", [view, "for everyone"], pressItem(/^Views/, "Delete…")),
    page("send", [`/sends/${sendId}`, "Message-ID"]),
    page("skipped_send", [`/sends/${skippedId}`, "See everything that was checked"]),
    page("explain_send", [`/sends/explain?customer_id=${suppressedId}`, "suppressed"]),
    page("explain_nobody", ["/sends/explain", "Choose a customer"]),
    page("suppressions", ["/suppressions", "grace@example.com"]),
    page(
      "suppress",
      ["/suppressions", "until the suppression is removed"],
      pressButton("Suppress an address"),
    ),
    page(
      "remove_suppression",
      ["/suppressions", "Remove this suppression?"],
      pressButton("Remove"),
    ),
  ];
}
