/** Topics that one client has given numbers, up to `most` (MQTT 5 section 3.3.2.3.4). */
export function createTopicAliases(most: number) {
  let topics: Map<number, string> | undefined
  /** The topic that is meant; undefined for an alias out of range. */
  return (topic: string, alias: number | undefined) => {
    if (alias === undefined) return topic
    if (alias === 0 || alias > most) return undefined
    topics ??= new Map()
    if (topic !== '') topics.set(alias, topic)
    return topics.get(alias) ?? ''
  }
}
