import type { DeviceShare } from './device-share.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { isWildcard, levelsMatch, type Subscription } from './mqtt-subscriptions.ts'

type Wildcard = { levels: string[]; subscription: Subscription }

/** The subscriptions of one session; finding those of a topic does not grow with the plain ones. */
export function createSessionSubscriptions(limits: MqttLimits, share: DeviceShare) {
  const plain = new Map<string, Subscription>()
  const wildcards = new Map<string, Wildcard>()
  const remove = (filter: string) => {
    const found = plain.delete(filter) || wildcards.delete(filter)
    if (found) share.removeFilter(Buffer.byteLength(filter), isWildcard(filter))
    return found
  }
  return {
    get size() {
      return plain.size + wildcards.size
    },
    /** True when the subscription is new or replaces one; false when there are too many. */
    add(filter: string, subscription: Subscription) {
      const bytes = Buffer.byteLength(filter)
      const isKnown = plain.has(filter) || wildcards.has(filter)
      if (!isKnown && (bytes > limits.filter || !share.addFilter(bytes, isWildcard(filter)))) {
        return false
      }
      if (isWildcard(filter)) wildcards.set(filter, { levels: filter.split('/'), subscription })
      else plain.set(filter, subscription)
      return true
    },
    remove,
    clear() {
      for (const filter of [...plain.keys(), ...wildcards.keys()]) remove(filter)
    },
    /** Highest QoS and all identifiers of the subscriptions to a topic; undefined without any. */
    find(topic: string, isOwn: boolean) {
      let found: { qos: number; identifiers: number[] } | undefined
      const count = ({ qos, noLocal, identifier }: Subscription) => {
        if (isOwn && noLocal) return
        found ??= { qos: 0, identifiers: [] }
        found.qos = Math.max(found.qos, qos)
        if (identifier !== undefined) found.identifiers.push(identifier)
      }
      const exact = plain.get(topic)
      if (exact) count(exact)
      if (wildcards.size === 0) return found
      const levels = topic.split('/')
      for (const { levels: wanted, subscription } of wildcards.values()) {
        if (levelsMatch(wanted, levels)) count(subscription)
      }
      return found
    },
  }
}
