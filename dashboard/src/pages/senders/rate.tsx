/** Percentages from which large mailbox providers begin to refuse a sender's mail. */
const limits = { bounce: 5, complaint: 0.3 };

interface RateProps {
  kind: keyof typeof limits;
  /** As the api rounds it; null before anything was sent. */
  percent: number | null;
}

/** A rate of bounces or complaints, red where it endangers the sender. */
export function Rate({ kind, percent }: RateProps) {
  const isBad = percent !== null && percent >= limits[kind];
  return (
    <span className="tabular" {...isBad && { style: { color: "var(--mantine-color-error)" } }}>
      {percent === null ? "–" : `${percent}%`}
    </span>
  );
}
