import { openDashboardWorld } from "../../testing/browser/dashboard_world.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { tellPage } from "../../testing/browser/tell_page.ts";
import {
  addPeople,
  buildJourney,
  buildSegment,
  buildSender,
  buildTemplate,
  buildTopic,
  publish,
  rehearse,
  simulate,
} from "./automation_building.ts";
import { sendCampaign } from "./send_campaign.ts";
import { startStory, type Story } from "./automation_story.ts";
import {
  editAndPublish,
  findReason,
  readMail,
  stopEverything,
  watchPeoplePass,
} from "./automation_watching.ts";

const parts: readonly (readonly [name: string, run: (story: Story) => Promise<void>])[] = [
  ["the customers arrive", addPeople],
  ["a segment is built", buildSegment],
  ["a topic is created", buildTopic],
  ["a sender to the local inbox is created", buildSender],
  ["a template is written", buildTemplate],
  ["a journey with waits, a branch, a split and a send is built", buildJourney],
  ["it is tested with a customer", simulate],
  ["it is rehearsed", rehearse],
  ["it is published", publish],
  ["people pass", watchPeoplePass],
  ["a mail is opened, its link followed, and its reader unsubscribes", readMail],
  ["the reason is found why one got nothing", findReason],
  ["it is changed and published with people inside", editAndPublish],
  ["a campaign of 500 is sent, paused, resumed and read", sendCampaign],
  ["everything is stopped", stopEverything],
];

for (const [name, makeHands] of Object.entries({ mouse: makeMouse, keyboard: makeKeyboard })) {
  Deno.test(`automation is built, tested, watched and stopped by ${name} alone`, async (t) => {
    await using world = await openDashboardWorld();
    const story = await startStory({ world, makeHands, email: "marketer@example.com" });
    for (const [name, run] of parts) {
      // The next parts need it.
      if (!await t.step(name, () => tellPage(story.page, () => run(story)))) return;
    }
  });
}
