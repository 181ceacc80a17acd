const functions = "supabase/functions";
const shared = `${functions}/_shared`;
const api = `${functions}/api`;
const dashboard = "dashboard/src";

/**
 * Floors of the project, from the ground up. A file imports from its own place and from places on
 * the floors below. Places on one floor do not import each other. A place is a folder or a
 * file, and a file belongs to the longest place that contains it.
 */
export const floors: readonly (readonly string[])[] = [
  [
    `${shared}/config`,
    `${shared}/errors`,
    `${shared}/event_loop`,
    `${shared}/ids`,
  ],
  [`${shared}/log`],
  [`${shared}/cache`, `${shared}/json`, `${shared}/db`, `${shared}/secrets`],
  [`${shared}/access`, `${shared}/links`],
  [
    `${shared}/http`,
    `${shared}/outbound`,
    `${shared}/work`,
    `${shared}/templates`,
    `${shared}/senders`,
  ],
  [`${shared}/rate_limit`],
  [`${shared}/entries`],
  [`${shared}/segment`, `${shared}/batching`],
  [`${shared}/sources`],
  [`${shared}/journeys`],
  [`${api}/contract`],
  [`${api}/kernel`],
  [`${api}/resources`],
  [`${api}/routes.ts`],
  // The client derives its types from the routes; it holds no code of theirs.
  [`${api}/contract/client.ts`, `${api}/openapi`],
  [
    api,
    `${functions}/track`,
    `${functions}/inbound`,
    `${functions}/links`,
    `${functions}/webhook-dispatch`,
    `${functions}/compile-mjml`,
    `${functions}/automation`,
    `${functions}/send-dispatch`,
  ],
  [`${dashboard}/early`],
  [`${dashboard}/api`, `${dashboard}/format`, `${dashboard}/theme`],
  [`${dashboard}/url`],
  [`${dashboard}/ui`],
  [`${dashboard}/charts`, `${dashboard}/conditions`],
  [`${dashboard}/pages`],
  [`${dashboard}/app`],
  ["dashboard"],
  ["local", "patches"],
  ["demo"],
  ["tools"],
  ["testing"],
  ["tools/schema", "tools/dashboard_screenshots.ts", "tools/readme_pictures.ts"],
  ["bench", "tests"],
];
