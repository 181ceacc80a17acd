import { testLibrary } from "../../testing/senders/segment_library.ts";

testLibrary("node", { library: "@segment/analytics-node", storm: ["gone", "slower", "lost"] });
