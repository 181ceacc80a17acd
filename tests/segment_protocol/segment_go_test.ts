import { testLibrary } from "../../testing/senders/segment_library.ts";

testLibrary("go", { library: "analytics-go", storm: ["gone", "slower", "lost"] });
