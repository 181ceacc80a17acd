"""Tracks COUNT numbered events, PAUSE_MS apart, and ends when each was sent or given up."""

import os
import sys
import time
from datetime import datetime, timezone

from segment.analytics.client import Client

failures = []
client = Client(
    os.environ["WRITE_KEY"],
    host=os.environ["BASE_URL"] + "/functions/v1/track",
    on_error=lambda error, batch: failures.append(error),
)
for number in range(int(os.environ["COUNT"])):
    now = datetime.now(tz=timezone.utc)
    client.track(
        "user-%d" % (number % 50),
        "Event %d" % number,
        {"number": number, "at": int(now.timestamp() * 1000)},
        context={"locale": "de-DE"},
        timestamp=now,
    )
    time.sleep(int(os.environ["PAUSE_MS"]) / 1000)
client.shutdown()
if failures:
    sys.exit("gave up: %s" % failures)
