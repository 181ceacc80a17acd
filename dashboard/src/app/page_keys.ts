/** Keys after "g", and the path of the page that each opens. */
export const pageKeys: Readonly<Record<string, string>> = {
  o: "",
  e: "/events",
  x: "/explore",
  c: "/customers",
  s: "/segments",
  i: "/sources",
  r: "/rejected",
  j: "/journeys",
  p: "/campaigns",
  t: "/templates",
  n: "/sends",
  d: "/destinations",
  m: "/messages",
  a: "/alerts",
  w: "/settings",
};
