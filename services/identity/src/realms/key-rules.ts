const hour = 3_600_000
const day = 24 * hour

/** A key is published this long before it signs, so that verifiers have it when they meet it. */
export const publishedBeforeMs = day
/** A key signs for this long, then the next one does. */
const signsForMs = 90 * day
/** An old key stays published until whatever it signed is dead: a session's ten hours, and a margin. */
const keptAfterMs = 2 * day

type KeyTimes = { activeAt: Date }

const newestFirst = (a: KeyTimes, b: KeyTimes) => b.activeAt.getTime() - a.activeAt.getTime()

/** The key that signs now: the newest that is active already. */
export const signingKey = <K extends KeyTimes>(keys: readonly K[], now: Date): K | undefined =>
  keys.filter(({ activeAt }) => activeAt <= now).toSorted(newestFirst)[0]

/** The keys to publish, the signing one first. */
export function publishedKeys<K extends KeyTimes>(keys: readonly K[], now: Date): K[] {
  const signing = signingKey(keys, now)
  const others = keys.filter((key) => key !== signing && !isDead(key, keys, now))
  return signing ? [signing, ...others] : others
}

/** A key is dead when its successor has signed for longer than anything that it signed can live. */
export function isDead(key: KeyTimes, keys: readonly KeyTimes[], now: Date) {
  const [successor] = keys
    .filter(({ activeAt }) => activeAt > key.activeAt)
    .toSorted((a, b) => newestFirst(b, a))
  return successor !== undefined && successor.activeAt.getTime() + keptAfterMs < now.getTime()
}

/** When the next key becomes active, if it is time to make one. */
export function nextKeyAt(keys: readonly KeyTimes[], now: Date): Date | undefined {
  const [newest] = keys.toSorted(newestFirst)
  if (!newest) return now
  const due = newest.activeAt.getTime() + signsForMs
  if (due - publishedBeforeMs > now.getTime()) return undefined
  return new Date(Math.max(due, now.getTime() + publishedBeforeMs))
}
