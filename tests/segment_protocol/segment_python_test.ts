import { testLibrary } from "../../testing/senders/segment_library.ts";

testLibrary("python", { library: "analytics-python", storm: ["gone", "slower", "lost"] });
