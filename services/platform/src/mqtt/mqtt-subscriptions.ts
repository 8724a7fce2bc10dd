import { reason, type Reason } from './mqtt-reasons.ts'

export type Subscription = {
  qos: 0 | 1 | 2
  /** MQTT 5: do not send a client what it published itself. */
  noLocal: boolean
  /** MQTT 5: sent with each message that matches. */
  identifier?: number
}

/** True when `topic`, or every topic that a filter can match, is at or below `base`. */
export const isBelow = (base: string, topic: string) =>
  topic.startsWith(base) && (topic.length === base.length || topic[base.length] === '/')

/** A topic that a message may have: not empty, no wildcard, no NUL. */
export const isTopic = (topic: string) => topic !== '' && !/[+#\0]/.test(topic)

/** Why a filter is refused for a client of `base`; undefined when it is good. */
export function filterFault(base: string, filter: string): Reason | undefined {
  if (filter.startsWith('$share/')) return reason.sharedSubscriptionsNotSupported
  if (!isFilter(filter)) return reason.filterInvalid
  return isBelow(base, filter) ? undefined : reason.notAuthorized
}

/** MQTT 3.1.1 section 4.7: `#` only as the last level, `+` only as a whole level. */
function isFilter(filter: string) {
  if (filter === '' || filter.includes('\0')) return false
  const levels = filter.split('/')
  return levels.every((level, index) => {
    if (level === '#') return index === levels.length - 1
    return level === '+' || !/[+#]/.test(level)
  })
}

export const isWildcard = (filter: string) => filter.includes('+') || filter.endsWith('#')

/** True when a filter matches a topic, both split into levels. */
export function levelsMatch(wanted: readonly string[], levels: readonly string[]) {
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return true
    if (index >= levels.length) return false
    if (level !== '+' && level !== levels[index]) return false
  }
  return wanted.length === levels.length
}
