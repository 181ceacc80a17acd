// Tracks COUNT numbered events, PAUSE_MS apart, and ends when each was sent or given up.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/segmentio/analytics-go/v3"
)

// outcomes tells of each message whether it was sent.
type outcomes chan error

func (o outcomes) Success(analytics.Message) { o <- nil }

func (o outcomes) Failure(_ analytics.Message, err error) { o <- err }

func number(name string) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	count := number("COUNT")
	sent := make(outcomes, count)
	config := analytics.Config{
		Endpoint:       os.Getenv("BASE_URL") + "/functions/v1/track",
		DefaultContext: &analytics.Context{Locale: "de-DE"},
		Callback:       sent,
	}
	if wait := number("RETRY_MS"); wait > 0 {
		config.RetryAfter = func(int) time.Duration { return time.Duration(wait) * time.Millisecond }
	}
	client, err := analytics.NewWithConfig(os.Getenv("WRITE_KEY"), config)
	if err != nil {
		panic(err)
	}
	for i := 0; i < count; i++ {
		now := time.Now()
		client.Enqueue(analytics.Track{
			UserId:     fmt.Sprintf("user-%d", i%50),
			Event:      fmt.Sprintf("Event %d", i),
			Timestamp:  now,
			Properties: analytics.NewProperties().Set("number", i).Set("at", now.UnixMilli()),
		})
		time.Sleep(time.Duration(number("PAUSE_MS")) * time.Millisecond)
	}
	// Close drops what is waiting to be sent again.
	for i := 0; i < count; i++ {
		if err := <-sent; err != nil {
			fmt.Fprintln(os.Stderr, "gave up:", err)
			os.Exit(1)
		}
	}
	client.Close()
}
