// Receivers in a process of their own: they respond at once, fail or hang, by the path's first part.
import { print } from "./table.ts";

/** An event and when it arrived, in milliseconds since the epoch. */
export type Arrival = [eventId: string, at: number];

const mark = '"event_id": "';
const uuidLength = 36;

if (import.meta.main) runReceiver();

function runReceiver(): void {
  let arrivals: Arrival[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/arrivals") {
        const taken = arrivals;
        arrivals = [];
        return Response.json(taken);
      }
      const body = await request.text();
      if (pathname.startsWith("/hang")) return await new Promise<Response>(() => {});
      if (pathname.startsWith("/fail")) return new Response(null, { status: 500 });
      arrivals.push([readEventId(body), performance.timeOrigin + performance.now()]);
      return new Response("ok");
    },
  );
  print(String(server.addr.port));
}

function readEventId(body: string): string {
  const start = body.indexOf(mark) + mark.length;
  return body.slice(start, start + uuidLength);
}
