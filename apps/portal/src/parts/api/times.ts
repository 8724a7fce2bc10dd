/** Places of times in an answer: `true` is a time, `*` stands for each element of a list or record. */
export type Times = true | { [key: string]: Times }

/** The answer with its times as `Date`, in place. */
export function withTimes(value: unknown, times: Times): unknown {
  if (times === true) return typeof value === 'string' ? new Date(value) : value
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Record<string, unknown> // a list has its elements under their numbers
  for (const [key, inner] of Object.entries(times)) {
    for (const one of key === '*' ? Object.keys(holder) : [key])
      if (one in holder) holder[one] = withTimes(holder[one], inner)
  }
  return value
}
