// Shows the pages of the function "links" where the platform serves no HTML from functions. All
// texts come from the function, in the language of the customer, and are set as text.

const main = document.querySelector("main");

/** Creates an element with attributes and children. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function makeTopic({ id, name, description, subscribed }) {
  const text = make("span", {}, name, description && make("small", {}, description));
  const box = make("input", { type: "checkbox", name: "topic", value: id, checked: subscribed });
  const shown = make("input", { type: "hidden", name: "shown", value: id });
  return make("label", {}, shown, box, text);
}

function makeForm(view, send) {
  const isUnsubscribe = view.kind === "unsubscribe";
  const value = isUnsubscribe ? "unsubscribe" : "save";
  const submit = { class: "main", name: "confirm", value };
  const all = { name: "all", value: "unsubscribe" };
  const form = make(
    "form",
    {},
    isUnsubscribe
      ? null
      : make("fieldset", { "aria-label": view.title }, ...view.topics.map(makeTopic)),
    make(
      "div",
      { class: "buttons" },
      make("button", submit, view.labels.submit),
      isUnsubscribe ? null : make("button", all, view.labels.all),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(new URLSearchParams(new FormData(form, event.submitter)));
  });
  return form;
}

function show(view, send) {
  const { lang, dir, workspace, title, text, notice, kind } = view;
  Object.assign(document.documentElement, { lang, dir });
  document.title = workspace === undefined ? title : `${title} – ${workspace}`;
  const isDone = kind === "unsubscribe" && notice !== null;
  const parts = [
    workspace === undefined ? null : make("p", { class: "workspace" }, workspace),
    make("h1", {}, title),
    notice ? make("p", { role: "status" }, notice) : null,
    isDone ? null : make("p", {}, text),
    kind === undefined || isDone ? null : makeForm(view, send),
    kind === "unsubscribe"
      ? make(
        "p",
        { class: "more" },
        make("a", { href: `#p/${view.preferences_token}` }, view.labels.preferences),
      )
      : null,
  ];
  main.replaceChildren(...parts.filter((part) => part !== null));
}

async function load() {
  // Only these characters: the path of the request is ours.
  const [, letter, token] = /^#([up])\/([\w-]{1,100})$/.exec(location.hash) ?? ["", "u", "none"];
  const { supabase_url } = await (await fetch("config.json")).json();
  const url = `${supabase_url.replace(/\/+$/, "")}/functions/v1/links/${letter}/${token}`;
  const call = async (body) => {
    const headers = { accept: "application/json" };
    const response = await fetch(url, { method: body ? "POST" : "GET", headers, body });
    const view = await response.json();
    show(view.page ?? view, call);
  };
  await call();
}

addEventListener("hashchange", load);
await load();
