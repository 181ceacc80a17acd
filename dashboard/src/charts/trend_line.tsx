const width = 96;
const height = 24;
const margin = 2;

interface TrendLineProps {
  values: readonly number[];
  /** Names the line to screen readers, which also hear the first and the last value. */
  label: string;
}

/** A small line of values, the newest at the right. The lowest and the highest touch its edges. */
export function TrendLine({ values, label }: TrendLineProps) {
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`${label}: from ${first} to ${last}`}
      className="trend"
    >
      <polyline points={placePoints(values)} fill="none" stroke="currentColor" strokeWidth={1.5} />
    </svg>
  );
}

const gap = 3;

/** Small bars of counts, the newest at the right and paler, because it has not ended. */
export function TrendBars({ values, label }: TrendLineProps) {
  const most = Math.max(1, ...values);
  const step = (width + gap) / Math.max(1, values.length);
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`${label}: ${values.join(", ")}`}
      className="trend"
    >
      {values.map((value, n) => {
        const bar = value === 0 ? 1 : Math.max(2, Math.round((value / most) * height));
        return (
          <rect
            key={n}
            x={Number((n * step).toFixed(1))}
            y={height - bar}
            width={Number((step - gap).toFixed(1))}
            height={bar}
            rx={1}
            fill="currentColor"
            opacity={n === values.length - 1 ? 0.45 : 1}
          />
        );
      })}
    </svg>
  );
}

/** Returns the points of the line; an even one lies in the middle. */
export function placePoints(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const place = (value: number) => most === least ? 0.5 : (value - least) / (most - least);
  const step = (width - 2 * margin) / Math.max(1, values.length - 1);
  return values.map((value, n) => {
    const x = margin + n * step;
    const y = height - margin - place(value) * (height - 2 * margin);
    return `${Number(x.toFixed(1))},${Number(y.toFixed(1))}`;
  }).join(" ");
}
