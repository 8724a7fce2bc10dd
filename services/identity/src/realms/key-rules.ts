const hour = 3_600_000
const day = 24 * hour

/** Milliseconds for which a key is published before it signs, so that verifiers know it by then. */
export const publishedBeforeMs = day
/** Milliseconds for which a key signs. */
const signsForMs = 90 * day
/** Milliseconds for which an old key stays published: longer than any session, of ten hours. */
const keptAfterMs = 2 * day

type KeyTimes = { activeAt: Date }

const newestFirst = (a: KeyTimes, b: KeyTimes) => b.activeAt.getTime() - a.activeAt.getTime()

/** Key that signs now: the newest active one. */
export const signingKey = <K extends KeyTimes>(keys: readonly K[], now: Date): K | undefined =>
  keys.filter(({ activeAt }) => activeAt <= now).toSorted(newestFirst)[0]

/** Keys to publish, the signing one first. */
export function publishedKeys<K extends KeyTimes>(keys: readonly K[], now: Date): K[] {
  const signing = signingKey(keys, now)
  const others = keys.filter((key) => key !== signing && !isDead(key, keys, now))
  return signing ? [signing, ...others] : others
}

/** Test that a key can be deleted: its successor has signed for longer than any token lives. */
export function isDead(key: KeyTimes, keys: readonly KeyTimes[], now: Date) {
  const [successor] = keys
    .filter(({ activeAt }) => activeAt > key.activeAt)
    .toSorted((a, b) => newestFirst(b, a))
  return successor !== undefined && successor.activeAt.getTime() + keptAfterMs < now.getTime()
}

/** Time at which the next key becomes active; undefined while it is too early to create it. */
export function nextKeyAt(keys: readonly KeyTimes[], now: Date): Date | undefined {
  const [newest] = keys.toSorted(newestFirst)
  if (!newest) return now
  const due = newest.activeAt.getTime() + signsForMs
  if (due - publishedBeforeMs > now.getTime()) return undefined
  return new Date(Math.max(due, now.getTime() + publishedBeforeMs))
}
